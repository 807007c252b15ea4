import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { type ToolAnswer, postMcp, rpcRequest } from '../support/agents.ts'
import { approverOf } from '../support/approver.ts'
import { startConnector } from '../support/connector.ts'
import { fakeHttp } from '../support/fakes/http.ts'
import { startedForAll } from '../support/started.ts'
import {
  EACH_ERA,
  type Reply,
  ZONE,
  bookedStarts,
  changeOf,
  freeStarts,
  instant,
  newKey,
} from '../support/transports.ts'

let approver: ReturnType<typeof approverOf>
let start: string
/** Where the owner has alerts sent. */
const owner = startedForAll(() => fakeHttp({ 'POST /alerts': () => ({ status: 204 }) }))
const connector = startedForAll(() =>
  startConnector({ vars: { ALERT_WEBHOOK_URL: `${owner.url}/alerts` } }),
)
beforeAll(async () => {
  approver = approverOf(connector)
  await approver.isAskedFor('book_consult')
})
beforeEach(async () => {
  start = (await freeStarts(connector))[0]!
})

const booking = () => ({
  start_time: start,
  timezone: ZONE,
  invitee_email: 'robin.castle@practice-guests.example',
  invitee_name: 'Robin Castle',
})
const approvalIn = ({ body }: Reply) =>
  (body as { approval?: { code: string; url: string } }).approval!
const isBooked = async () => (await bookedStarts(connector)).includes(instant(start))

describe.each(EACH_ERA)('a change that a person has to approve, over %s', (face) => {
  test('is shown with code and page, waits, says so, and is committed once it is approved', async () => {
    const change = changeOf(connector, 'book_consult', booking())
    const preview = await change.preview(face)
    const { code, url } = approvalIn(preview)
    if (face !== 'REST')
      for (const part of [code, url, preview.body.confirmation_token!])
        expect(preview.text).toContain(part)
    const waiting = await change.commit(face)
    const pending = { code: 'approval_pending', effect: 'none', approval_code: code }
    expect(waiting).toMatchObject({ status: 409, body: pending })
    if (face !== 'REST') for (const part of [code, url]) expect(waiting.text).toContain(part)
    const status = async () =>
      (await connector.rest(`/v1/operations/${change.key}`)).body as Record<string, unknown>
    const problem = { code: 'approval_pending', approval_url: url }
    expect(await status()).toMatchObject({ status: 'awaiting_approval', problem })
    await approver.decides(change.key, 'approve')
    const next_step = expect.stringContaining('approved') as string
    expect(await status()).toMatchObject({ status: 'previewed', next_step })
    expect(await isBooked()).toBe(false)
    expect(await change.commit(face)).toMatchObject({
      status: 200,
      body: { approval: { level: 'person' } },
    })
    expect(await isBooked()).toBe(true)
    expect(await change.commit(face)).toMatchObject({ status: 200, replayed: true })
  })
})

test('the owner is alerted once of each change that waits, with its page and nothing personal', async () => {
  const { preview } = changeOf(connector, 'book_consult', booking())
  owner.requests.length = 0
  const { code, url } = approvalIn(await preview())
  await preview()
  // It was asked for at 127.0.0.1, where passkeys cannot work.
  expect([new URL(connector.url).hostname, new URL(url).hostname]).toEqual([
    '127.0.0.1',
    'localhost',
  ])
  await vi.waitFor(() => expect(owner.requests).not.toEqual([]))
  const operation_id = url.split('/').at(-1)
  const fact = expect.stringMatching(/^[A-Z][a-z]{2}, [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M/) as string
  const text = expect.stringContaining(`Approve ${code}: book consult, `) as string
  expect(owner.requests.map((request) => request.body)).toEqual([
    { event: 'approval_needed', operation_id, operation: 'book_consult', code, url, fact, text },
  ])
  await vi.waitFor(async () => {
    const { text } = await connector.rest('/v1/events?type=approval.requested')
    expect(text).toContain(`"url":"${url}"`)
  })
})

type Action = 'accept' | 'decline' | 'cancel'

/** A host of protocol 2026-07-28 that can open pages for its person. */
async function hostThatOpensPages(
  opens: (asked: { url: string; message: string }) => Promise<Action>,
  headers: Record<string, string>,
) {
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => ({
    action: await opens(params as unknown as { url: string; message: string }),
  }))
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', connector.url), {
    requestInit: { headers },
  })
  await client.connect(transport)
  return client
}

/** Previews and commits a booking through such a host; `opens` is what its person does with the page. */
async function commitThrough(opens: (key: string) => Promise<Action>, headers = {}) {
  const key = newKey()
  const pages: { url: string; message: string }[] = []
  const client = await hostThatOpensPages(async (page) => {
    pages.push(page)
    return opens(key)
  }, headers)
  try {
    const call = async (more: object) =>
      (await client.callTool({
        name: 'book_consult',
        arguments: { ...booking(), idempotency_key: key, ...more },
      })) as ToolAnswer
    const { structuredContent } = await call({ confirm: false })
    const { confirmation_token, approval } = structuredContent as {
      confirmation_token: string
      approval: { code: string; url: string }
    }
    return { answer: await call({ confirm: true, confirmation_token }), pages, approval }
  } finally {
    await client.close()
  }
}

describe('a host of 2026-07-28 that opens pages', () => {
  test('opens the page of the approval, and learns the decision in the same call', async () => {
    const { answer, pages, approval } = await commitThrough(async (key) => {
      setTimeout(() => void approver.decides(key, 'approve'), 300)
      return 'accept'
    })
    expect(pages).toHaveLength(1)
    expect(pages[0]!.url).toBe(approval.url)
    expect(pages[0]!.message).toContain(approval.code)
    for (const text of ['robin', 'Robin', 'practice-guests'])
      expect(pages[0]!.message).not.toContain(text)
    expect(answer.structuredContent).toMatchObject({
      status: 'committed',
      approval: { level: 'person' },
    })
  })

  test('commits nothing where its key was revoked while it waited, wherever that was done', async () => {
    const body = { name: 'Host', scopes: ['bookings:write'] }
    const { id, key: secret } = (await connector.rest('/v1/keys', { body })).body as unknown as {
      id: string
      key: string
    }
    const access = (await connector.durableObjects('ACCESS')).getByName('access') as unknown as {
      revokeKey(id: string): Promise<boolean>
    }
    const { answer } = await commitThrough(
      async (key) => {
        const revokedThenApproved = async () => {
          await access.revokeKey(id)
          await approver.decides(key, 'approve', `key:${id}`)
        }
        setTimeout(() => void revokedThenApproved(), 300)
        return 'accept'
      },
      { Authorization: `Bearer ${secret}` },
    )
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'unauthenticated' } })
    expect(await isBooked()).toBe(false)
  })

  test.each<Action>(['decline', 'cancel'])(
    'is not asked twice where the page is not opened: %s',
    async (action) => {
      const { answer, pages } = await commitThrough(async () => action)
      expect(pages).toHaveLength(1)
      expect(answer.structuredContent).toMatchObject({ code: 'approval_pending', effect: 'none' })
      expect(await isBooked()).toBe(false)
    },
  )

  test('that cannot read the question reads the refusal from the second commit on, of each preview', async () => {
    const key = newKey()
    const fields = { ...booking(), idempotency_key: key }
    const call = async (more: object) => {
      const { headers, body } = rpcRequest('2026-07-28', 'tools/call', {
        name: 'book_consult',
        arguments: { ...fields, ...more },
      })
      const { _meta } = body.params as unknown as { _meta: object }
      const declared = {
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
      }
      const params = { ...body.params, _meta: { ..._meta, ...declared } }
      const { message } = await postMcp(connector.url, {
        headers,
        body: JSON.stringify({ ...body, params }),
      })
      return message.result as unknown as ToolAnswer & { resultType: string }
    }
    const preview = await call({ confirm: false })
    const { confirmation_token, approval } = preview.structuredContent as {
      confirmation_token: string
      approval: { url: string }
    }
    const commit = { confirm: true, confirmation_token }
    expect(await call(commit)).toMatchObject({ resultType: 'input_required' })
    const refused = await call(commit)
    expect(refused).toMatchObject({ resultType: 'complete', isError: true })
    expect(refused.content[0]!.text).toContain('(approval_pending)')
    expect(refused.content[0]!.text).toContain(`approval_url: ${approval.url}`)
    expect(await call(commit)).toMatchObject({ structuredContent: { code: 'approval_pending' } })
    await approver.decides(key, 'decline')
    expect(await call(commit)).toMatchObject({ structuredContent: { code: 'approval_declined' } })
    const again = (await call({ confirm: false })).structuredContent as {
      confirmation_token: string
    }
    const fresh = { confirm: true, confirmation_token: again.confirmation_token }
    expect(await call(fresh)).toMatchObject({ resultType: 'input_required' })
    expect(await call(fresh)).toMatchObject({ structuredContent: { code: 'approval_pending' } })
  })

  test('cannot approve by an answer to a question that was never asked', async () => {
    const key = newKey()
    const fields = { ...booking(), idempotency_key: key }
    const preview = await connector.mcp(
      'book_consult',
      { ...fields, confirm: false },
      'JSON-RPC, 2026-07-28',
    )
    const { confirmation_token } = preview.body
    const given = {
      ...fields,
      confirm: true,
      confirmation_token,
      inputResponses: { approval: { action: 'accept' } },
    }
    const answer = await connector.mcp('book_consult', given, 'JSON-RPC, 2026-07-28')
    expect(answer.body.code).toBe('validation_failed')
    expect(await isBooked()).toBe(false)
  })
})
