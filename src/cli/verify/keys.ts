import {
  FormatError,
  type NoteKey,
  base64,
  parseVkey,
} from '../../core/domain/audit/signed-note.ts'
import type { GoodCheckpoint } from './checkpoints.ts'
import type { NumberedLeaf, Pack } from './pack.ts'
import { type PackFinding, bad, good, remark } from './report.ts'

type LogKeys = Awaited<ReturnType<typeof keysOf>>

/**
 * The keys of a log: those that its pack names, those that its entries announce, and the given one,
 * which the verifier got by another way than the pack, if there is one.
 */
export async function keysOf({ vkeys }: Pack, leaves: readonly NumberedLeaf[], givenText: string) {
  const faults: PackFinding[] = []
  const given = givenText === '' ? undefined : await noteKeyOf(givenText)
  if (givenText !== '' && !given)
    faults.push(bad('Key', 'The key that you gave is not one: it looks like name+id+key.'))
  const read = await Promise.all(vkeys.map(noteKeyOf))
  const named = read.filter((key) => key !== undefined)
  if (named.length === 0 || named.length < read.length)
    faults.push(bad('Key', 'The head of the pack does not name the keys of the log in their form.'))
  const announced: { i: number; key: NoteKey }[] = []
  for (const { i, leaf } of leaves) {
    if (leaf.event !== 'log_key') continue
    const key = await noteKeyOf(String(leaf.about?.['vkey']))
    if (key) announced.push({ i, key })
    else faults.push(bad('Key', `Entry ${i} announces a key that is not valid.`))
  }
  const all = distinct([...named, ...announced.map(({ key }) => key), ...(given ? [given] : [])])
  return { named, announced, given, all, faults }
}

/** The key that a vkey is; undefined for any other text. */
export async function noteKeyOf(vkey: string): Promise<NoteKey | undefined> {
  try {
    return await parseVkey(vkey)
  } catch (thrown) {
    if (thrown instanceof FormatError) return undefined
    throw thrown
  }
}

const distinct = (keys: readonly NoteKey[]): NoteKey[] =>
  keys.filter((key, nth) => keys.findIndex((one) => isSameKey(one, key)) === nth)

const isSameKey = (one: NoteKey, other: NoteKey) =>
  one.name === other.name && base64(one.publicKey) === base64(other.publicKey)

const has = (keys: readonly NoteKey[], key: NoteKey) => keys.some((one) => isSameKey(one, key))

/** Compares the key of the newest checkpoint with the given one, along the chain of announcements. */
export function compareKeys(
  { named, announced, given }: LogKeys,
  checkpoints: readonly GoodCheckpoint[],
  newest: GoodCheckpoint | undefined,
): PackFinding[] {
  if (!newest) return [remark('Key', 'Not compared, since the checkpoint is not valid.')]
  const used = [
    ...checkpoints.flatMap(({ signedBy }) => signedBy),
    ...announced.map(({ key }) => key),
  ]
  const findings = named.every((key) => has(used, key))
    ? []
    : [bad('Key', 'The head of the pack names a key that signed nothing and was never announced.')]
  if (!given) return [...findings, remark('Key', NOT_COMPARED)]
  if (has(newest.signedBy, given))
    return [...findings, good('Key', 'The checkpoint is signed by the key that you gave.')]
  const trusted = trustedFrom(given, checkpoints, announced)
  return [
    ...findings,
    newest.signedBy.some((key) => has(trusted, key))
      ? good('Key', 'The checkpoint is signed by a key that the one you gave has announced.')
      : bad('Key', SIGNED_BY_OTHERS),
  ]
}

const NOT_COMPARED =
  'The pack is consistent, key not compared: give the key from the engagement letter, or ' +
  'one that you got by another way than the pack.'
const SIGNED_BY_OTHERS =
  'The checkpoint is signed neither by the key that you gave nor by one that it has announced.'

/** The keys that you can trust if you trust this one: entries under its checkpoints announce others. */
function trustedFrom(
  start: NoteKey,
  checkpoints: readonly GoodCheckpoint[],
  announced: LogKeys['announced'],
): NoteKey[] {
  const trusted = [start]
  for (let before = 0; before < trusted.length;) {
    before = trusted.length
    const covering = checkpoints.filter(({ signedBy }) => signedBy.some((key) => has(trusted, key)))
    const reach = Math.max(0, ...covering.map(({ size }) => size))
    for (const { i, key } of announced) if (i < reach && !has(trusted, key)) trusted.push(key)
  }
  return trusted
}
