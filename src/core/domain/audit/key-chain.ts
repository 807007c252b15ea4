/**
 * A key of the audit log, as a C2SP vkey, and the note with which the keys that signed before it
 * vouch for it.
 */
export interface ChainedKey {
  vkey: string
  /** A C2SP signed note over `handOverText`, signed by every key that signed when this one was added. */
  note: string
}

/** The text by which the keys of a log vouch for another one. No checkpoint and no backup looks like it. */
export const handOverText = (origin: string, vkey: string): string => `${origin}/log-key\n${vkey}\n`
