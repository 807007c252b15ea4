/** A checkpoint of the audit log that left the house. */
export interface Anchor {
  /** How many entries it covers. */
  size: number
  /** The checkpoint, a signed note. */
  note: string
  kind: Anchors['kind']
  /** When it left, in epoch milliseconds by our own clock. */
  at: number
  /** What came back, as it was. */
  proof: Uint8Array
}

/** Takes a checkpoint out of the house, so that later nobody here can rewrite what it covers. */
export interface Anchors {
  kind: 'timestamp'
  /** Sends a checkpoint. Answers with what proves it, to be kept unread; rejects where nothing does. */
  send(note: string): Promise<Uint8Array>
}
