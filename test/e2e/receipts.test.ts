import { createHash, webcrypto } from 'node:crypto'

import { beforeAll, describe, expect, test, vi } from 'vitest'

import { verifyPack } from '../../src/cli/verify/verify.ts'
import {
  type Sha256,
  leafHash,
  merkleTreeOf,
  provesInclusion,
} from '../../src/core/domain/audit/merkle-tree.ts'
import {
  type NoteKey,
  fromBase64,
  parseCheckpoint,
  parseInclusionProof,
  parseNote,
  parseVkey,
  signaturesBy,
} from '../../src/core/domain/audit/signed-note.ts'
import { type Caller, OWNED, OWNER_KEY } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { ADALGISA, callerWith, changeOf, newKey } from '../support/transports.ts'

const CANARIES = ['Adalgisa', 'Lovelace', 'adalgisa@example.com', 'A. L.', 'a***@']

const sha256: Sha256 = async (bytes) => createHash('sha256').update(bytes).digest()

const connector = connectorForAll({ vars: OWNED })
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
  return parseVkey(sha256, text.trimEnd())
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
  expect(await provesInclusion(sha256, hashes, await leafHash(sha256, bytes), index, top)).toBe(
    true,
  )
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
    const { index, entry } = await proved(
      await receiptOf(auditor, '/v1/audit/0/receipt'),
      await logKey(),
    )
    expect([index, entry['event'], entry['about']]).toEqual([0, 'key', { scopes: 'audit:read' }])
    for (const none of ['99999', '-1', 'x', '1.0', '9'.repeat(20)])
      expect((await auditor.rest(`/v1/audit/${none}/receipt`)).body.code).toBe('not_found')
  })
})

test('A checkpoint is signed text, the same for the same entries', async () => {
  const { status, headers, text } = await auditor.rest('/v1/audit/checkpoint')
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const key = await logKey()
  const { origin, size } = await checkpointIn(text, key)
  expect(origin).toMatch(/^(localhost|127\.0\.0\.1):\d+\/audit-log$/)
  expect(size).toBeGreaterThan(0)
  expect((await auditor.rest('/v1/audit/checkpoint')).text).toBe(text)
})

test('A pack has every entry, and its checkpoint is the root over them; nothing in it is personal', async () => {
  const agent = await anAgent()
  const { key } = await committed(agent)
  const { leaf } = await receiptOf(agent, `/v1/operations/${key}/receipt`)
  const { status, headers, text } = await auditor.rest('/v1/audit/export?format=pack')
  expect(status).toBe(200)
  expect(headers.get('Content-Disposition')).toBe('attachment; filename="audit.pack.jsonl"')
  const lines = text.trimEnd().split('\n')
  const [head, ...rest] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const last = rest.pop()
  const noteKey = await logKey()
  expect(head).toMatchObject({ pack: 1, origin: noteKey.name, size: rest.length })
  expect(rest.map(({ i }) => i)).toEqual(rest.map((_, i) => i))
  const leaves = rest.map((line) => String(line['leaf']))
  expect(leaves).toContain(Buffer.from(leaf, 'base64').toString())
  const hashes = await Promise.all(leaves.map((one) => leafHash(sha256, Buffer.from(one))))
  const { size, root } = await checkpointIn(String(last?.['checkpoint']), noteKey)
  expect(size).toBe(rest.length)
  expect(Buffer.from(await merkleTreeOf(sha256, hashes).root(size))).toEqual(Buffer.from(root))
  for (const canary of CANARIES) expect(text).not.toContain(canary)
  expect(fromBase64(leaf).length).toBeGreaterThan(100)
})

test('A pack passes the verifier with the key of the log, and with a checkpoint and a receipt that were kept before', async () => {
  const agent = await anAgent()
  const { text: checkpoint } = await auditor.rest('/v1/audit/checkpoint')
  const { key } = await committed(agent)
  const { proof } = await receiptOf(agent, `/v1/operations/${key}/receipt`)
  await committed(agent)
  const { text } = await auditor.rest('/v1/audit/export?format=pack')
  const held = [
    { name: 'old.txt', text: checkpoint },
    { name: 'change.tlog-proof', text: proof },
  ]
  const { text: vkey } = await connector.rest('/audit/keys')
  const report = await verifyPack(Buffer.from(text), { key: vkey.trim(), held })
  expect(report.findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
  expect(report.isGood).toBe(true)
  const altered = text.replace('"code\\":\\"committed', '"code\\":\\"refused00')
  expect(altered).not.toBe(text)
  expect((await verifyPack(Buffer.from(altered), { key: vkey.trim(), held })).isGood).toBe(false)
})

test('A pack takes no filter, since of a part nothing could be proved', async () => {
  const { status, body } = await auditor.rest('/v1/audit/export?format=pack&event=commit')
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/event'])
})

const FOR_AUDITORS = [
  'list_audit_entries',
  'export_audit_entries',
  'read_audit_checkpoint',
  'read_audit_receipt',
]

test('The scope audit:read opens the audit log with its proofs, and no other route', async () => {
  const { text } = await connector.rest('/openapi.json')
  const { paths } = JSON.parse(text) as {
    paths: Record<
      string,
      Record<string, { operationId: string; security: { bearer?: string[] }[] }>
    >
  }
  const opened: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, security }] of Object.entries(methods)) {
      // What opens with any credential shows each caller only what its scopes allow: test/e2e/access.test.ts.
      if (security.every(({ bearer = [] }) => bearer.length === 0)) continue
      const id = operationId.endsWith('receipt') && path.includes('audit') ? '0' : newKey()
      const address = path.replaceAll(/\{[^}]+\}/g, id)
      const { status, body } = await auditor.rest(address, {
        method: method.toUpperCase(),
        ...(method === 'get' ? {} : { body: {}, key: newKey() }),
      })
      if (status === 403)
        expect([operationId, body.code]).toEqual([operationId, 'insufficient_scope'])
      else opened.push(operationId)
    }
  }
  expect(opened.toSorted()).toEqual(FOR_AUDITORS.toSorted())
  const admin = await named('Admin', ['admin'])
  const clerk = await named('Clerk', ['clients:read'])
  expect((await admin.rest('/v1/audit/checkpoint')).status).toBe(200)
  const refused = await clerk.rest('/v1/audit/checkpoint')
  expect(refused.body).toMatchObject({ code: 'insufficient_scope', required_scope: 'audit:read' })
  const events = await auditor.rest('/v1/events')
  expect((JSON.parse(events.text) as { events: object[] }).events).toEqual([])
})
