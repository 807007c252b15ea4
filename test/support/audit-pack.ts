import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

import { sha256Base64url } from '../../src/core/crypto/encoding.ts'
import type { ApprovedBy, AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { RETENTION_DAYS, leafText } from '../../src/core/domain/audit/leaf.ts'
import { type MerkleTree, leafHash, merkleTreeOf } from '../../src/core/domain/audit/merkle-tree.ts'
import {
  base64,
  formatCheckpoint,
  formatInclusionProof,
  formatNote,
  formatVkey,
  noteKeyId,
} from '../../src/core/domain/audit/signed-note.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { softAuthenticator } from './authenticator.ts'
import { exampleEntry } from './example-entry.ts'

const HOST = 'consult.example.com'
const ORIGIN = `${HOST}/audit-log`
export const START = Date.parse('2026-09-01T15:00:00Z')

export type LogSigner = Awaited<ReturnType<typeof logSigner>>

/** A key of the log; the same seed gives the same key. */
export async function logSigner(seed: number) {
  const privateKey = createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      Buffer.alloc(32, seed),
    ]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = Buffer.from(
    createPublicKey(privateKey).export({ format: 'jwk' }).x!,
    'base64url',
  )
  const keyId = await noteKeyId(ORIGIN, publicKey)
  return {
    vkey: formatVkey({ name: ORIGIN, keyId, publicKey }),
    sign: (text: string) => ({
      name: ORIGIN,
      keyId,
      signature: sign(null, Buffer.from(text), privateKey),
    }),
  }
}

/** A preview and the commit made from it, as the log has them. */
export function change(
  nth: number,
  approved: ApprovedBy | 'later' = 'agent',
): [AuditEntry, AuditEntry] {
  const at = START + nth * DAY
  const operation_id = createHash('sha256').update(`operation ${nth}`).digest('hex')
  const shown = createHash('sha256').update(`shown ${nth}`).digest('base64url')
  const same = { operation_id, shown, request_id: `req_${nth}` }
  return [
    exampleEntry({
      ...same,
      id: `${operation_id.slice(0, 16)}.1.ok`,
      at,
      event: 'preview',
      code: approved === 'person' ? 'approval_needed' : 'ok',
    }),
    exampleEntry({
      ...same,
      id: `${operation_id.slice(0, 16)}.2.committed`,
      at: at + 60_000,
      event: 'commit',
      code: 'committed',
      record_id: `bk_mock_${nth}`,
      about: { approved },
    }),
  ]
}

/** The entry that the log makes at a time before it drops what is below a number; `more` is changed about it. */
export const retention = (
  at: number,
  below: number,
  more: Record<string, unknown> = {},
): AuditEntry =>
  exampleEntry({
    id: `retention.${below}`,
    at,
    event: 'retention',
    caller: 'none',
    operation: 'audit_log',
    code: 'dropped',
    about: {
      dropped_below: below,
      older_than: at - RETENTION_DAYS * DAY,
      ...more,
    } as AuditEntry['about'],
  })

/** The enrolment of a passkey of the owner, and how it then approves a change. */
export async function ownersPasskey() {
  const authenticator = softAuthenticator(`https://${HOST}`)
  const created = await authenticator.create({ challenge: 'Y2hhbGxlbmdl' })
  const attestation = Buffer.from(created.response['attestationObject'] as string, 'base64url')
  // The public key is the end of what the authenticator attests; before it stand the id and its length.
  const id = Buffer.from(created.id, 'base64url')
  const publicKey = attestation
    .subarray(attestation.lastIndexOf(id) + id.length)
    .toString('base64url')
  const credential = await sha256Base64url(created.id)
  const enrolment = exampleEntry({
    id: 'enrolment.1',
    at: START - DAY,
    event: 'enrolment',
    code: 'added',
    caller: 'owner',
    operation: 'owner_page',
    about: { credential, public_key: publicKey, role: 'owner' },
  })
  /** The approval between a preview and its commit. */
  async function approves(preview: AuditEntry, shown = preview.shown!): Promise<AuditEntry> {
    const [digest, nonce] = ['ZGlnZXN0', 'bm9uY2U']
    const challenge = await sha256Base64url(
      ['approve-v1', 'approve', shown, digest, nonce].join('|'),
    )
    const { response } = await authenticator.get({ challenge })
    const about = {
      shown: preview.shown,
      digest,
      nonce,
      credential,
      client_data: String(response['clientDataJSON']),
      authenticator_data: String(response['authenticatorData']),
      signature: String(response['signature']),
    }
    const { at, operation_id } = preview
    return exampleEntry({
      id: `${operation_id!.slice(0, 16)}.1.approved`,
      at: at + 30_000,
      event: 'approval',
      code: 'approved',
      caller: 'owner',
      operation_id,
      shown: preview.shown,
      about,
    })
  }
  return { enrolment, approves }
}

interface Wanted {
  /** Who signs each checkpoint; all of them, unless `signersAt` says otherwise. */
  signers?: LogSigner[]
  /** Entries below this number are there only as their hashes, but for those that are never dropped. */
  droppedBelow?: number
  /** In place of these: just these entries are there only as their hashes. */
  hidden?: readonly number[]
}

/** A log as a pack, made without the connector; and what else someone may hold of it. */
export async function packOf(entries: readonly AuditEntry[], wanted: Wanted = {}) {
  const signers = wanted.signers ?? [await logSigner(1)]
  const texts = entries.map(leafText)
  const hashes = await Promise.all(texts.map((text) => leafHash(Buffer.from(text))))
  const tree: MerkleTree = merkleTreeOf(hashes)
  const checkpoint = async (size: number, by = signers): Promise<string> => {
    const text = formatCheckpoint({ origin: ORIGIN, size, root: await tree.root(size) })
    return formatNote({ text, signatures: by.map((one) => one.sign(text)) })
  }
  const isDropped = (i: number): boolean =>
    wanted.hidden?.includes(i) ??
    (i < (wanted.droppedBelow ?? 0) &&
      !['enrolment', 'log_key', 'retention'].includes(entries[i]!.event))
  const newest = await checkpoint(entries.length)
  const vkeys = signers.map(({ vkey }) => vkey)
  const lines = [
    {
      pack: 1,
      origin: ORIGIN,
      vkeys,
      size: entries.length,
      made_at: '2026-11-22T18:00:00Z',
      callers: [],
    },
    ...texts.map((leaf, i) => (isDropped(i) ? { i, hash: base64(hashes[i]!) } : { i, leaf })),
    { checkpoint: newest },
  ]
  return {
    text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    vkeys,
    checkpoint,
    receipt: async (index: number, size: number): Promise<string> =>
      formatInclusionProof({
        index,
        hashes: await tree.inclusionProof(index, size),
        note: await checkpoint(size),
      }),
  }
}
