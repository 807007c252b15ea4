import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { createApp } from '../../src/app/app.ts'
import { CLIENT, answered, ask, consultAt, freeTimes, previewed, send } from './fixtures.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CANARY = 'zqvexmar'

let lines: string[]

beforeEach(() => {
  lines = []
  for (const channel of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, channel).mockImplementation((...words: unknown[]) => {
      lines.push(words.map(String).join(' '))
    })
  }
})

/** The line of the last request; with a broken binding, one about the audit log may follow. */
const lastLine = (): Record<string, unknown> =>
  JSON.parse(lines.findLast((line) => !line.includes('audit_failed')) ?? '{}') as Record<
    string,
    unknown
  >

it('without a signing secret every call is refused, and it is said which setting is missing', async () => {
  const request = new Request('http://127.0.0.1:8787/v1/availability')
  const refused = await answered(request, Object.assign({ ...env }, { SIGNING_SECRET: '' }))
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { code: 'not_configured', detail: 'SIGNING_SECRET is not set.', effect: 'none' },
  ])
})

describe('the request log', () => {
  const tool = (name: string, given: object) => ({
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Host: '127.0.0.1:8787',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given },
    }),
  })

  it('has one line per request with these fields and no others', async () => {
    const [time] = await freeTimes()
    lines = []
    const change = await previewed('/v1/bookings', consultAt(time))
    await change.commit()
    await ask('/v1/availability?event_type=nope')
    await ask('/health')
    await ask('/nowhere')
    await ask('/mcp', tool('list_availability', {}))
    await ask('/mcp', tool('cancel_booking', {}))

    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    for (const line of logged) {
      const always = ['code', 'duration_ms', 'request_id', 'status']
      const known = ['operation', 'caller', 'mode'].filter((name) => name in line)
      expect(new Set(Object.keys(line))).toEqual(new Set([...always, ...known]))
      expect(Object.values(line)).not.toContain('none')
      expect(line['request_id']).toMatch(UUID)
      expect(line['duration_ms']).toBeTypeOf('number')
    }
    const answered = logged.map(({ operation, code, status, caller, mode }) => [
      operation,
      code,
      status,
      caller,
      mode,
    ])
    expect(answered).toEqual([
      ['book_consult', 'ok', 200, 'anonymous', 'mock'],
      ['book_consult', 'ok', 200, 'anonymous', 'mock'],
      ['list_availability', 'validation_failed', 400, 'anonymous', 'mock'],
      ['health', 'ok', 200, undefined, undefined],
      [undefined, 'not_found', 404, undefined, undefined],
      ['list_availability', 'ok', 200, 'anonymous', 'mock'],
      ['cancel_booking', 'idempotency_key_missing', 200, 'anonymous', 'mock'],
    ])
  })

  it('has the request id of the answer, and the one that the caller sent if it is a UUID', async () => {
    const given = '8E03978E-40D5-43E8-BC93-6894A57F9324'
    for (const name of ['Request-Id', 'X-Request-Id']) {
      const answered = await ask('/nowhere', { headers: { [name]: given } })
      expect(answered.headers.get('Request-Id')).toBe(given)
      expect(answered.body['request_id']).toBe(given)
      expect(lastLine()['request_id']).toBe(given)
    }
    const call = tool('list_availability', { timezone: 'x' })
    const headers = { ...call.headers, 'X-Request-Id': given }
    expect((await ask('/mcp', { ...call, headers })).text).toContain(given)

    const other = await ask('/nowhere', { headers: { 'Request-Id': `${given} ${CANARY}` } })
    expect(other.headers.get('Request-Id')).toMatch(UUID)
    expect(other.headers.get('Request-Id')).not.toBe(given)
    expect(lastLine()['request_id']).toBe(other.headers.get('Request-Id'))
  })

  it('repeats nothing that was sent', async () => {
    await ask(`/${CANARY}?${CANARY}=${CANARY}`, {
      headers: { 'User-Agent': CANARY, Authorization: CANARY },
    })
    await send('/v1/clients', `key ${CANARY}`, { ...CLIENT, display_name: CANARY, confirm: false })
    await send(`/v1/clients/${CANARY}/intake`, `key ${CANARY} 2`, { [CANARY]: CANARY })
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).not.toContain(CANARY)
  })
})

describe('an internal error', () => {
  const SECRET = `a secret of ${CANARY}`
  const broken = (binding: 'MOCK_CALENDAR' | 'CONFIRMATIONS' | 'RECORDS') => ({
    ...env,
    [binding]: {
      idFromName: () => {
        throw new Error(SECRET)
      },
    },
  })
  const broke = (path: string, init: RequestInit, bindings: object) =>
    createApp().request(`http://127.0.0.1${path}`, init, bindings)

  it('is answered with a generic problem and the request id', async () => {
    const response = await broke('/v1/availability', {}, broken('MOCK_CALENDAR'))
    const text = await response.text()
    const body = JSON.parse(text) as Record<string, unknown>
    expect(response.status).toBe(500)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(response.headers.get('X-Frame-Options')).toBe('DENY')
    expect(body).toMatchObject({
      code: 'internal_error',
      request_id: response.headers.get('Request-Id'),
    })
    expect(body['request_id']).toMatch(UUID)
    expect(lastLine()).toMatchObject({
      code: 'internal_error',
      request_id: body['request_id'],
      status: 500,
    })
    // Where it arose is logged, so that it can be mended; its message could hold personal data.
    const faults = lines
      .filter((line) => line.includes('"fault"'))
      .map((line) => JSON.parse(line) as object)
    expect(faults).toEqual([
      {
        event: 'fault',
        operation: 'list_availability',
        error: 'Error',
        at: expect.arrayContaining([
          expect.stringMatching(/^Object\.slots mock\.ts:\d+:\d+$/),
        ]) as object,
      },
    ])
    expect([text, ...lines, ...[...response.headers].flat()].join('\n')).not.toContain(CANARY)
  })

  it('is answered over MCP with the same problem', async () => {
    const call = { name: 'list_availability', arguments: {} }
    const response = await broke(
      '/mcp',
      {
        method: 'POST',
        headers: {
          Host: '127.0.0.1',
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      },
      broken('MOCK_CALENDAR'),
    )
    const text = await response.text()
    expect(text).toContain('internal_error')
    expect(text).toContain(String(lastLine()['request_id']))
    expect([text, ...lines].join('\n')).not.toContain(CANARY)
  })

  it.each([
    ['GET', '/v1/clients', undefined],
    ['POST', '/v1/clients/search', JSON.stringify({ contact_email: 'a@b.example' })],
  ])('of the read %s %s had no effect', async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await broke(path, { method, headers, body: body ?? null }, broken('RECORDS'))
    expect(await response.json()).toMatchObject({ code: 'internal_error', effect: 'none' })
  })

  it('between the Worker and an object leaves a commit in doubt, and the answer says so', async () => {
    const change = (confirm: object) => ({
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': 'a key that is long enough',
      },
      body: JSON.stringify({ ...CLIENT, ...confirm }),
    })
    const preview = await broke('/v1/clients', change({ confirm: false }), broken('CONFIRMATIONS'))
    const commit = await broke('/v1/clients', change({ confirm: true }), broken('CONFIRMATIONS'))
    expect(await preview.json()).toMatchObject({ code: 'internal_error', effect: 'unknown' })
    expect(await commit.json()).toMatchObject({ code: 'outcome_unknown', effect: 'unknown' })
  })

  it('of a setting names the setting and not its value', async () => {
    const response = await broke('/health', {}, { ...env, PRACTICE_TIMEZONE: CANARY })
    const text = await response.text()
    expect(response.status).toBe(503)
    expect(text).toContain('PRACTICE_TIMEZONE')
    expect(text).not.toContain(CANARY)
  })
})

describe('a Host that is not loopback', () => {
  const EVIL = 'https://evil.example'

  it('appears in no answer', async () => {
    const paths = [
      '/health',
      '/',
      '/openapi.json',
      '/llms.txt',
      '/docs/example-prompts.md',
      '/docs/errors',
      '/docs',
      '/.well-known/api-catalog',
    ]
    for (const path of [...paths, '/nowhere', '/v1/availability', '/mock/checkout/in_mock_open']) {
      const { text, headers } = await ask(`${EVIL}${path}`)
      expect([path, text, ...[...headers].flat()].join('\n')).not.toContain('evil.example')
    }
    // The trial that these tests run lets everybody in, so under another name it does nothing.
    expect((await ask(`${EVIL}/nowhere`)).body['type']).toBe('/docs/errors#address_not_allowed')
  })

  it('does not affect later requests', async () => {
    await ask(`${EVIL}/llms.txt`)
    expect((await ask('/llms.txt')).text).toContain('(http://127.0.0.1:8787/openapi.json)')
    expect((await ask('http://localhost:9999/llms.txt')).text).toContain(
      '(http://localhost:9999/openapi.json)',
    )
  })
})

describe('while a restore fills it', () => {
  const restoring = (path: string, init: RequestInit = {}) =>
    createApp().request(path, init, { ...env, RESTORE_SHA256: '0'.repeat(64) })

  it.each([
    ['GET', '/v1/availability'],
    ['POST', '/v1/bookings'],
    ['POST', '/mcp'],
    ['OPTIONS', '/openapi.json'],
    ['GET', '/owner'],
    ['GET', '/'],
    ['POST', '/hooks/mock'],
  ])('%s %s is refused, with the time to repeat it', async (method, path) => {
    const answer = await restoring(path, { method })
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '60'])
    expect(await answer.text()).toContain('restoring this service from a backup')
  })

  it('its health is still told', async () => {
    expect((await restoring('/health')).status).toBe(200)
  })
})
