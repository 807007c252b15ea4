import { createHash, webcrypto } from 'node:crypto'

import { beforeAll, describe, expect, test, vi } from 'vitest'

import { leafHash, provesInclusion } from '../../src/core/domain/audit/merkle-tree.ts'
import {
  type NoteKey,
  parseCheckpoint,
  parseInclusionProof,
  parseNote,
  parseVkey,
  signaturesBy,
} from '../../src/core/domain/audit/signed-note.ts'
import { type Caller, OWNED, OWNER_KEY } from '../support/connector.ts'
import { sharedConnector } from '../support/started.ts'
import { ADALGISA, callerWith, changeOf } from '../support/transports.ts'

const connector = sharedConnector(OWNED)
let owner: Caller
let auditor: Caller
beforeAll(async () => {
  owner = connector.as(OWNER_KEY)
  auditor = await named('The auditor', ['audit:read'])
})

const named = (name: string, scopes: string[]) => callerWith(connector, scopes, { name, owner })
const anAgent = () => named('Agent', ['clients:write'])

/** A client that is committed by someone, and the token that its preview gave. */
async function committed(by: Caller) {
  const { key, preview, commit } = changeOf(by, 'create_client_profile', ADALGISA)
  const shown = await preview()
  const answer = await commit()
  expect(answer.status).toBe(200)
  return { key, preview: shown, answer }
}

interface ReceiptBody {
  receipt: number
  leaf: string
  proof: string
}

const receiptOf = (by: Caller, path: string): Promise<ReceiptBody> =>
  vi.waitFor(async () => {
    const { status, text } = await by.rest(path)
    expect(status).toBe(200)
    return JSON.parse(text) as ReceiptBody
  })

const logKey = async (): Promise<NoteKey> => {
  const { headers, text } = await connector.rest('/audit/keys')
  expect(headers.get('Content-Type')).toMatch(/^text\/plain/)
  return parseVkey(text.trimEnd())
}

/** What a signed note says, if this key signed it. */
async function checkpointIn(note: string, key: NoteKey) {
  const parsed = parseNote(note)
  const [signature] = signaturesBy(parsed, key)
  const known = await webcrypto.subtle.importKey('raw', key.publicKey as never, 'Ed25519', false, [
    'verify',
  ])
  const text = new TextEncoder().encode(parsed.text)
  expect(await webcrypto.subtle.verify('Ed25519', known, signature as never, text)).toBe(true)
  return parseCheckpoint(parsed.text, key.name)
}

/** The entry that a receipt proves, checked with nothing but the receipt and the public key. */
async function proved({ receipt, leaf, proof }: ReceiptBody, key: NoteKey) {
  expect(receipt).toBe(1)
  const bytes = Buffer.from(leaf, 'base64')
  const { index, hashes, note } = parseInclusionProof(proof)
  const top = await checkpointIn(note, key)
  expect(await provesInclusion(hashes, await leafHash(bytes), index, top)).toBe(true)
  return { index, entry: JSON.parse(bytes.toString()) as Record<string, unknown> }
}

describe('a receipt', () => {
  test('of a change is checked with the public key alone, and ties it to what its preview showed', async () => {
    const agent = await anAgent()
    const { key, preview, answer } = await committed(agent)
    const receipt = await receiptOf(agent, `/v1/operations/${key}/receipt`)
    const { entry } = await proved(receipt, await logKey())
    expect(entry).toMatchObject({
      event: 'commit',
      code: 'committed',
      operation: 'create_client_profile',
      record_id: answer.body.result?.['client_id'],
      about: { approved: 'agent' },
    })
    const { preview: shown, summary, warnings, confirmation_token = '' } = preview.body
    const nonce = confirmation_token.slice(3, 25)
    const fields = Object.entries(shown!).toSorted(([one], [other]) => (one < other ? -1 : 1))
    const text = JSON.stringify({ nonce, preview: Object.fromEntries(fields), summary, warnings })
    const digest = (of: string) => createHash('sha256').update(of).digest('base64url')
    expect(entry['about']).toHaveProperty('shown', digest(text))
    expect(entry['about']).not.toHaveProperty('shown', digest(text.replace(nonce, '')))
  })

  test('of a change is given to its caller alone, and of none that was not committed', async () => {
    const agent = await anAgent()
    const { key } = await committed(agent)
    await receiptOf(agent, `/v1/operations/${key}/receipt`)
    const other = await named('Other', ['clients:write'])
    expect((await other.rest(`/v1/operations/${key}/receipt`)).status).toBe(404)
    const open = changeOf(agent, 'create_client_profile', ADALGISA)
    await open.preview()
    const { status, body } = await agent.rest(`/v1/operations/${open.key}/receipt`)
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect((await agent.rest('/v1/operations/short/receipt')).body.code).toBe(
      'idempotency_key_invalid',
    )
  })

  test('of an entry is given by its number', async () => {
    // Other files write to the same log.
    const { text } = await auditor.rest('/v1/audit?event=key&limit=100')
    const { entries } = JSON.parse(text) as { entries: { index: number; about?: object }[] }
    const made = entries.find(
      ({ about }) => about && 'scopes' in about && about.scopes === 'audit:read',
    )!.index
    const { index, entry } = await proved(
      await receiptOf(auditor, `/v1/audit/${made}/receipt`),
      await logKey(),
    )
    expect([index, entry['event'], entry['about']]).toEqual([made, 'key', { scopes: 'audit:read' }])
    for (const none of ['99999', '-1', 'x', '1.0', '9'.repeat(20)])
      expect((await auditor.rest(`/v1/audit/${none}/receipt`)).body.code).toBe('not_found')
  })
})

test('A pack takes no filter, since of a part nothing could be proved', async () => {
  const { status, body } = await auditor.rest('/v1/audit/export?format=pack&event=commit')
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/event'])
})
