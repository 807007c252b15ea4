import { createHash, randomBytes } from 'node:crypto'

import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest'

import { KEY_FILE } from '../../src/cli/backup/key.ts'
import { PROBES, probeOf } from '../../src/cli/doctor/probes.ts'
import { type Report, runDoctor } from '../../src/cli/doctor/run.ts'
import { startLocal } from '../../src/cli/local.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import type { Finding } from '../../src/owner/health/check-runner.ts'
import { backupKeyAt } from '../support/backup-key.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ORIGIN = 'https://connector.example'
const KEY = newApiKey(randomBytes(32))

let local: Awaited<ReturnType<typeof startLocal>>
let fault: Fault = {}

/** A request on its way to the connector, and what came back; the names of headers are in lower case. */
interface Passing {
  path: string
  headers: Record<string, string>
}
interface Answered {
  status: number
  headers: Record<string, string>
  body: string
}

/** One thing that is wrong with the way to the connector: it changes the request or the answer. */
interface Fault {
  before?(request: Passing): void
  after?(request: Passing, answer: Answered): void
}

/** Reaches the connector under its public name, by a way on which `fault` breaks one thing. */
const reach: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const { method, url } = request
  const passing = { path: new URL(url).pathname, headers: Object.fromEntries(request.headers) }
  fault.before?.(passing)
  const body = method === 'GET' ? null : await request.text()
  const sent = { method, headers: passing.headers, body, redirect: 'manual' } as const
  const back = await local.miniflare.dispatchFetch(url, sent)
  const headers = Object.fromEntries(back.headers)
  const answer = { status: back.status, headers, body: await back.text() }
  fault.after?.(passing, answer)
  return new Response(answer.body, answer)
}

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
})
afterAll(() => local.stop())
afterEach(() => {
  fault = {}
})

const examined = (key: string | undefined = KEY): Promise<Report> =>
  runDoctor(probeOf(new URL(ORIGIN), key, reach))

const withState = ({ findings }: Report, state: Finding['state']): Finding[] =>
  findings.filter((finding) => finding.state === state)

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
    if (request.path === path) change(answer, request)
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
const RESOURCE = '/.well-known/oauth-protected-resource/mcp'

/** For each row, every way in which it is made to turn red. */
const FAULTS: Record<string, Fault[]> = {
  address: [
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
    inDocument(
      '/openapi.json',
      (document) => (document['servers'] = [{ url: 'https://other.example' }]),
    ),
    inDocument('/openapi.json', (document) => (document['servers'] = [{ url: '/' }])),
  ],
  health: [
    inDocument('/health', (health) => {
      Object.assign(health, { status: 'degraded', reasons: ['payment_provider_refuses'] })
    }),
  ],
  sign_in: [
    inDocument(RESOURCE, (document) => (document['resource'] = ORIGIN)),
    inDocument(
      RESOURCE,
      (document) => (document['authorization_servers'] = ['https://other.example']),
    ),
    inDocument(SERVER, (document) => (document['issuer'] = 'https://other.example')),
    at(SERVER, (answer) => page(answer, 403)),
  ],
  agents: [
    at('/mcp', (answer, { headers }) => {
      if (headers['user-agent'] === 'Claude-User')
        page(answer, 403, { 'cf-mitigated': 'challenge' })
    }),
    at('/mcp', (answer, { headers }) => {
      if (headers['user-agent']?.startsWith('python')) page(answer, 503)
    }),
    at('/mcp', ({ headers }) => delete headers['www-authenticate']),
    at('/mcp', ({ headers }) => {
      if (headers['www-authenticate']) headers['www-authenticate'] = 'Bearer realm="x"'
    }),
    at('/mcp', (answer, { headers }) => {
      if (headers['authorization'] === undefined) answer.status = 200
    }),
    at('/mcp', (answer, { headers }) => {
      if (headers['authorization']?.endsWith(KEY)) answer.status = 401
    }),
    at('/mcp', (answer, { headers }) => {
      const isOurs = headers['authorization']?.endsWith(KEY)
      if (isOurs && headers['mcp-protocol-version'] === '2025-11-25') page(answer, 500)
    }),
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

const ROWS = [...PROBES.map(({ id }) => id), 'self_check']

describe('the doctor checks from outside', () => {
  test('find nothing wrong in a sound installation', async () => {
    const report = await examined()
    expect(withState(report, 'failed')).toEqual([])
    expect(withState(report, 'not_checked').map(({ id }) => id)).toEqual(['scheduling_page'])
    // It works, but no fault is told to the owner, and nothing is kept outside.
    expect(withState(report, 'missing').map(({ id }) => id)).toEqual(['alerts', 'backup'])
    expect(report.ok).toBe(true)
  })

  test('check what the public can see without a key, and say what they left out', async () => {
    const report = await runDoctor(probeOf(new URL(ORIGIN), undefined, reach))
    expect(report.ok).toBe(true)
    const left = withState(report, 'not_checked').map(({ id, found }) => [
      id,
      found.includes('CONNECTOR_API_KEY'),
    ])
    expect(left).toEqual([
      ['agents', true],
      ['self_check', true],
    ])
  })

  const silentAt = (silent: string) =>
    probeOf(new URL(ORIGIN), KEY, async (input, init) => {
      if ((input as URL).pathname === silent) throw new DOMException('too late', 'TimeoutError')
      return reach(input, init)
    })

  test('report all else where the connector begins its own checks and does not end them', async () => {
    const [own, ...others] = withState(await runDoctor(silentAt('/v1/doctor')), 'failed')
    expect(own).toMatchObject({ id: 'self_check', found: 'No answer: too late.' })
    expect(others).toEqual([])
  })

  test('ask for no new key of the backups where the keys of the log are not answered', async () => {
    const folder = temporaryFolder()
    const before = process.cwd()
    onTestFinished(() => {
      process.chdir(before)
      folder.remove()
    })
    process.chdir(folder.path)
    await (await backupKeyAt(KEY_FILE)).pinTo(local.url)
    const { findings } = await runDoctor(silentAt('/audit/keys'))
    expect(findings.find(({ id }) => id === 'backup_key')).toMatchObject({ state: 'not_checked' })
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

  test.each(ROWS)('turn only the row %s red, and say what to do', async (id) => {
    fault = FAULTS[id]?.[0] ?? {}
    const report = await examined()
    const failed = withState(report, 'failed')
    expect(failed.map((finding) => finding.id)).toEqual([id])
    expect(failed[0]?.fix).toMatch(/^[A-Z].*\.$/)
    expect(report.ok).toBe(false)
  })

  const more = Object.entries(FAULTS).flatMap(([id, faults]) =>
    faults.slice(1).map((fault, i) => ({ id, number: i + 2, fault })),
  )
  test.each(more)(
    'turn the row $id red by fault $number too',
    { tags: 'slow' },
    async ({ id, fault: another }) => {
      fault = another
      const failed = withState(await examined(), 'failed')
      expect(failed.map((finding) => finding.id)).toEqual([id])
    },
  )
})
