import { createHash, randomBytes } from 'node:crypto'

import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'

import { type Reach, probeOf } from '../../src/cli/doctor/probe.ts'
import { PROBE_CHECKS, type Report, runDoctor } from '../../src/cli/doctor/run.ts'
import { startLocal } from '../../src/cli/local.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import { type Finding, runChecks } from '../../src/owner/health/check-runner.ts'
import { type Answered, type Fault, type Passing, startFront } from '../support/doctor-proxy.ts'

const ORIGIN = 'https://connector.example'
const KEY = newApiKey(randomBytes(32))

let local: Awaited<ReturnType<typeof startLocal>>
let front: Awaited<ReturnType<typeof startFront>>
let validFor = 60

beforeAll(async () => {
  const token = newEnrolmentToken(Date.now() + HOUR, randomBytes(32))
  local = await startLocal({
    script: inject('workerScript'),
    onLog: () => {},
    vars: {
      SIGNING_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_URL: ORIGIN,
      OWNER_KEY_SHA256: await hashApiKey(KEY),
      OWNER_ENROLMENT_SHA256: createHash('sha256').update(token).digest('hex'),
    },
  })
  front = await startFront(local.url, ORIGIN)
})
afterAll(async () => {
  await front.stop()
  await local.stop()
})
afterEach(() => {
  front.break({})
  validFor = 60
})

const reach = (): Reach => ({
  fetch: front.reach,
  certificate: async () => ({
    distrusted: undefined,
    validTo: new Date(Date.now() + validFor * DAY + 1000),
  }),
  now: Date.now,
})

const examined = (key: string | undefined = KEY): Promise<Report> =>
  runDoctor(probeOf(new URL(ORIGIN), key, reach()))

const withState = ({ sections }: Report, state: Finding['state']): Finding[] =>
  sections.flatMap(({ findings }) => findings.filter((finding) => finding.state === state))

const PAGE = '<!doctype html><title>Just a moment...</title>'
const page = (answer: Answered, status: number, headers: Record<string, string> = {}): void => {
  Object.assign(answer, {
    status,
    body: PAGE,
    headers: { 'content-type': 'text/html', ...headers },
  })
}

/** A fault in what comes back from a path. */
const at = (path: string, change: (answer: Answered, request: Passing) => void): Fault => ({
  after: (request, answer) => {
    if (request.path.split('?')[0] === path && request.scheme === 'https') change(answer, request)
  },
})

/** A fault in a JSON document. */
const inDocument = (path: string, change: (document: Record<string, unknown>) => void): Fault =>
  at(path, (answer) => {
    const document = JSON.parse(answer.body) as Record<string, unknown>
    change(document)
    answer.body = JSON.stringify(document)
  })

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

const leadingTo = (change: (url: URL) => void): Fault =>
  at('/authorize', ({ headers }) => {
    const url = new URL(headers['location'] ?? ORIGIN)
    change(url)
    if (headers['location']) headers['location'] = url.href
  })

/** For each row, every way in which it is made to turn red. */
const FAULTS: Record<string, (Fault | (() => void))[]> = {
  answers: [
    at('/health', (answer) => page(answer, 502)),
    at('/health', (answer) => page(answer, 403, { 'cf-mitigated': 'challenge' })),
    at('/health', (answer) => {
      answer.status = 503
      answer.body = JSON.stringify({
        code: 'not_configured',
        detail: 'Not valid: X.',
        next_step: 'Mend X.',
      })
    }),
  ],
  health: [
    inDocument('/health', (health) => {
      Object.assign(health, { status: 'degraded', reasons: ['payment_provider_refuses'] })
    }),
  ],
  tls: [() => (validFor = 3), () => (validFor = -1)],
  http: [
    {
      after: ({ scheme }, answer) => {
        if (scheme === 'http') Object.assign(answer, { status: 200, headers: {} })
      },
    },
  ],
  clock: [
    at(
      '/health',
      ({ headers }) => (headers['date'] = new Date(Date.now() + 300_000).toUTCString()),
    ),
    at(
      '/health',
      ({ headers }) => (headers['date'] = new Date(Date.now() - 300_000).toUTCString()),
    ),
  ],
  bots: [
    at('/mcp', (answer, { headers }) => {
      if (headers['user-agent'] === 'Claude-User')
        page(answer, 403, { 'cf-mitigated': 'challenge' })
    }),
    at('/oauth/token', (answer, { headers }) => {
      if (headers['user-agent']?.startsWith('python')) page(answer, 503)
    }),
  ],
  public_url: [
    inDocument(
      '/openapi.json',
      (document) => (document['servers'] = [{ url: 'https://other.example' }]),
    ),
    inDocument('/openapi.json', (document) => (document['servers'] = [{ url: '/' }])),
  ],
  documents: [
    at('/llms.txt', (answer) => page(answer, 200)),
    at('/docs/errors', (answer) => (answer.status = 404)),
  ],
  resource: [
    inDocument(RESOURCE, (document) => (document['resource'] = ORIGIN)),
    at(RESOURCE, (answer) => (answer.status = 404)),
  ],
  resource_mcp: [
    inDocument(
      `${RESOURCE}/mcp`,
      (document) => (document['authorization_servers'] = ['https://other.example']),
    ),
    inDocument(`${RESOURCE}/mcp`, (document) => delete document['scopes_supported']),
  ],
  cors: [at(SERVER, ({ headers }) => delete headers['access-control-allow-origin'])],
  server: [
    inDocument(SERVER, (document) => (document['issuer'] = 'https://other.example')),
    inDocument(SERVER, (document) => (document['token_endpoint'] = 'https://other.example/token')),
    inDocument(SERVER, (document) => delete document['registration_endpoint']),
  ],
  pkce: [
    inDocument(SERVER, (document) => (document['code_challenge_methods_supported'] = ['plain'])),
    inDocument(
      SERVER,
      (document) => (document['token_endpoint_auth_methods_supported'] = ['client_secret_basic']),
    ),
    inDocument(SERVER, (document) => delete document['client_id_metadata_document_supported']),
  ],
  iss: [
    leadingTo((url) => url.searchParams.delete('iss')),
    leadingTo((url) => url.searchParams.set('iss', 'https://other.example')),
    inDocument(
      SERVER,
      (document) => delete document['authorization_response_iss_parameter_supported'],
    ),
  ],
  redirects: [
    at('/authorize', (answer, { path }) => {
      if (path.includes('chatgpt.com')) answer.status = 400
    }),
    at('/authorize', (answer, { path }) => {
      if (path.includes('doctor.invalid')) answer.status = 302
    }),
  ],
  registration: [
    at('/oauth/register', (answer) => page(answer, 404)),
    at('/oauth/register', (answer) => (answer.status = 201)),
  ],
  token: [at('/oauth/token', (answer) => page(answer, 502))],
  challenge: [
    at('/mcp', ({ headers }) => delete headers['www-authenticate']),
    at('/mcp', ({ headers }) => {
      if (headers['www-authenticate']) headers['www-authenticate'] = 'Bearer realm="x"'
    }),
    at('/mcp', (answer, { headers }) => {
      if (headers['authorization'] === undefined && headers['mcp-method'] !== undefined)
        answer.status = 200
    }),
  ],
  mcp_get: [
    at('/mcp', (answer, { method }) => {
      if (method === 'GET') answer.status = 401
    }),
    at('/mcp', ({ headers }, { method }) => {
      if (method === 'GET') delete headers['allow']
    }),
  ],
  mcp_head: [
    at('/mcp', (answer, { method }) => {
      if (method === 'HEAD') answer.status = 500
    }),
  ],
  origin: [
    { before: ({ headers }) => delete headers['origin'] },
    at('/mcp', (answer, { headers }) => {
      if (headers['origin'] !== undefined) answer.status = 403
    }),
  ],
  key: [at('/v1/me', (answer) => (answer.status = 401))],
  mcp_2025: [
    at('/mcp', (answer, { headers }) => {
      const isOurs = headers['authorization']?.endsWith(KEY) && headers['origin'] === undefined
      if (isOurs && headers['mcp-protocol-version'] === '2025-11-25') page(answer, 500)
    }),
  ],
  mcp_2026: [
    {
      before: ({ headers }) => {
        if (headers['authorization']?.endsWith(KEY)) delete headers['mcp-method']
      },
    },
  ],
  self_check: [
    at('/v1/doctor', (answer) => {
      answer.status = 503
      answer.body = JSON.stringify({ code: 'not_configured', detail: 'SIGNING_SECRET is not set.' })
    }),
    at('/v1/doctor', (answer) => page(answer, 500)),
  ],
}

const ROWS = [...PROBE_CHECKS.map(({ id }) => id), 'self_check']

describe('the doctor checks from outside', () => {
  test('find nothing wrong in a sound installation', async () => {
    const report = await examined()
    expect(withState(report, 'failed')).toEqual([])
    expect(withState(report, 'not_checked').map(({ id }) => id)).toEqual(['scheduling_page'])
    expect(report.ok).toBe(true)
  })

  test('check what the public can see without a key, and say what they left out', async () => {
    const report = await runDoctor(probeOf(new URL(ORIGIN), undefined, reach()))
    expect(report.ok).toBe(true)
    const left = withState(report, 'not_checked').map(({ id, found }) => [
      id,
      found.includes('CONNECTOR_API_KEY'),
    ])
    expect(left).toEqual([
      ['key', true],
      ['mcp_2025', true],
      ['mcp_2026', true],
      ['self_check', true],
    ])
  })

  test('register no app, and keep nothing', async () => {
    await examined()
    const kept = await Promise.all(
      ['OAUTH_KV', 'RECORDS_KV'].map(async (name) => (await local.kv(name)).list()),
    )
    expect(kept.flatMap(({ keys }) => keys)).toEqual([])
  })

  test('have a fault in this test for each of their rows', () => {
    expect(Object.keys(FAULTS).toSorted()).toEqual(ROWS.toSorted())
  })

  const breakBy = (fault: Fault | (() => void) | undefined): void => {
    if (typeof fault === 'function') fault()
    else front.break(fault ?? {})
  }

  test.each(ROWS)('turn only the row %s red, and say what to do', async (id) => {
    breakBy(FAULTS[id]?.[0])
    const report = await examined()
    const failed = withState(report, 'failed')
    expect(failed.map((finding) => finding.id)).toEqual([id])
    expect(failed[0]?.fix).toMatch(/^[A-Z].*\.$/)
    expect(report.ok).toBe(false)
  })

  const more = Object.entries(FAULTS).flatMap(([id, faults]) =>
    faults.slice(1).map((fault, i) => ({ id, number: i + 2, fault })),
  )
  test.each(more)('turn the row $id red by fault $number too', async ({ id, fault }) => {
    breakBy(fault)
    const probe = probeOf(new URL(ORIGIN), KEY, reach())
    const findings =
      id === 'self_check'
        ? withState(await runDoctor(probe), 'failed')
        : await runChecks(
            PROBE_CHECKS.filter((check) => check.id === id || check.id === 'answers'),
            probe,
          )
    expect(findings.filter(({ state }) => state === 'failed').map((finding) => finding.id)).toEqual(
      [id],
    )
  })
})
