import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { type AdminClient, adminClient } from '../../../src/cli/admin-client.ts'
import { CliError, terminalOn } from '../../../src/cli/command.ts'
import type { RemoteState } from '../../../src/cli/deploy/cloudflare.ts'
import { proposeRules, registerWebhooks, reviewAccess } from '../../../src/cli/deploy/deployed.ts'
import { type Wanted, deployPlan, newSecrets, sourceHash } from '../../../src/cli/deploy/plan.ts'
import { deployOptions, publicUrl } from '../../../src/cli/deploy/target.ts'
import { deployConfig, whyNot } from '../../../src/cli/deploy/upload.ts'
import { settingsFileIn, sortedSettings, withSettings } from '../../../src/cli/settings-file.ts'
import { NO_RULES } from '../../../src/core/domain/rules/house-rules.ts'
import { SOURCE_VAR } from '../../../src/core/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'connector-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const kv_namespaces = [{ binding: 'OAUTH_KV' }, { binding: 'RECORDS_KV' }]
const named = {
  name: 'consult-connector',
  accountId: undefined,
  raw: { kv_namespaces },
  isBuild: false,
}
const wanted: Wanted = {
  named,
  vars: { PUBLIC_URL: 'https://consult-connector.x.workers.dev' },
  source: 'abc',
  given: { secrets: {} },
  options: {},
}
const deployed: RemoteState = {
  vars: { PUBLIC_URL: 'https://consult-connector.x.workers.dev', [SOURCE_VAR]: 'abc.0011' },
  secrets: ['SIGNING_SECRET', 'OWNER_KEY_SHA256', 'OWNER_ENROLMENT_SHA256'],
  namespaces: { OAUTH_KV: 'id-1', RECORDS_KV: 'id-2' },
  bucket: undefined,
  isConnector: true,
}
const none = new Map<string, string>()

describe('the plan of a deployment', () => {
  test('makes everything on an empty account', () => {
    expect(deployPlan(wanted, undefined, none)).toMatchObject({
      isFirst: true,
      upload: true,
      make: ['SIGNING_SECRET', 'OWNER_KEY_SHA256', 'OWNER_ENROLMENT_SHA256'],
      namespaces: [
        { title: 'consult-connector-oauth-kv' },
        { title: 'consult-connector-records-kv' },
      ],
    })
  })

  test('is empty when all is as wanted', () => {
    expect(deployPlan(wanted, deployed, none)).toMatchObject({
      upload: false,
      make: [],
      give: [],
      vars: [],
    })
  })

  test.each<[string, Partial<Wanted>, Partial<RemoteState>, object]>([
    ['another source', { source: 'def' }, {}, { make: [] }],
    [
      'a setting',
      { vars: { ...wanted.vars, PRACTICE_NAME: 'Doe' } },
      {},
      { vars: ['PRACTICE_NAME'], make: [] },
    ],
    [
      'a secret that is given',
      { given: { secrets: { SCHEDULING_PROVIDER_TOKEN: 't' } } },
      {},
      { give: ['SCHEDULING_PROVIDER_TOKEN'] },
    ],
    [
      'a secret that is missing',
      {},
      { secrets: ['SIGNING_SECRET', 'OWNER_KEY_SHA256'] },
      { make: ['OWNER_ENROLMENT_SHA256'] },
    ],
    [
      'what is left after a rotation signs, and no first one is made again',
      { options: { 'new-link': true } },
      { secrets: ['SIGNING_SECRET_2', 'OWNER_KEY_SHA256', 'OWNER_ENROLMENT_SHA256'] },
      { make: ['OWNER_ENROLMENT_SHA256'] },
    ],
    ['a new key', { options: { 'new-key': true } }, {}, { make: ['OWNER_KEY_SHA256'] }],
    ['a new link', { options: { 'new-link': true } }, {}, { make: ['OWNER_ENROLMENT_SHA256'] }],
    ['storage that is not bound', {}, { namespaces: { OAUTH_KV: 'id-1' } }, { make: [] }],
  ])('has %s: that alone, and an upload', (_, want, find, expected) => {
    expect(deployPlan({ ...wanted, ...want }, { ...deployed, ...find }, none)).toMatchObject({
      upload: true,
      ...expected,
    })
  })

  test('makes no key in a build, since it would stay in the log', () => {
    expect(
      deployPlan({ ...wanted, named: { ...named, isBuild: true } }, undefined, none).make,
    ).toEqual(['SIGNING_SECRET', 'OWNER_ENROLMENT_SHA256'])
  })

  test('takes storage from the Worker, else the storage under its name', () => {
    const titles = new Map([['consult-connector-records-kv', 'id-3']])
    const { namespaces } = deployPlan(
      wanted,
      { ...deployed, namespaces: { OAUTH_KV: 'id-1' } },
      titles,
    )
    expect(namespaces.map(({ id, reused }) => [id, reused])).toEqual([
      ['id-1', false],
      ['id-3', true],
    ])
  })

  test('destroys nothing: not another Worker, and not the signing secret', () => {
    expect(() => deployPlan(wanted, { ...deployed, isConnector: false }, none)).toThrow(
      /not a consult connector/,
    )
    const another = { ...wanted, given: { secrets: { SIGNING_SECRET: 'x' } } }
    expect(() => deployPlan(another, deployed, none)).toThrow(/would void everything it signed/)
    const next = { ...wanted, given: { secrets: { SIGNING_SECRET_2: 'y' } } }
    expect(deployPlan(next, deployed, none).give).toEqual(['SIGNING_SECRET_2'])
  })
})

describe('the public address', () => {
  const dev = 'https://c.x.workers.dev'
  test.each<[string, Parameters<typeof publicUrl>, ReturnType<typeof publicUrl>]>([
    [
      'a domain that was set is attached',
      ['c', 'https://a.example.com', dev, 'x'],
      { url: 'https://a.example.com', domain: 'a.example.com' },
    ],
    [
      'a domain that the Worker has is kept',
      ['c', undefined, 'https://a.example.com', 'x'],
      { url: 'https://a.example.com' },
    ],
    ['else it is on workers.dev', ['c', undefined, dev, 'y'], { url: 'https://c.y.workers.dev' }],
    [
      'one on workers.dev that was written down gives way to the true one',
      ['c', dev, undefined, 'y'],
      { url: 'https://c.y.workers.dev' },
    ],
    ['without a workers.dev name there is none', ['c', undefined, undefined, undefined], undefined],
  ])('%s', (_, given, expected) => expect(publicUrl(...given)).toEqual(expected))
})

test('the configuration for wrangler has ids, vars and the domain, and keeps settings of the dashboard', () => {
  const raw = {
    name: 'a',
    main: 'src/worker.ts',
    kv_namespaces: [{ binding: 'RECORDS_KV' }],
    compatibility_date: 'd',
  }
  expect(
    deployConfig(raw, {
      name: 'b',
      vars: { X: '1' },
      ids: { RECORDS_KV: 'id-2' },
      domain: 'a.example.com',
    }),
  ).toEqual({
    name: 'b',
    main: 'src/worker.ts',
    kv_namespaces: [{ binding: 'RECORDS_KV', id: 'id-2' }],
    compatibility_date: 'd',
    vars: { X: '1' },
    keep_vars: true,
    routes: [{ pattern: 'a.example.com', custom_domain: true }],
  })
})

test('only hashes of the key and the link are stored', async () => {
  const made = await newSecrets(
    ['SIGNING_SECRET', 'OWNER_KEY_SHA256', 'OWNER_ENROLMENT_SHA256'],
    'https://connector.example.com',
  )
  expect(made.key).toMatch(/^ccn_/)
  expect(Object.values(made.stored).join(' ')).not.toContain(made.key)
  expect(made.stored.OWNER_KEY_SHA256).toMatch(/^[0-9a-f]{64}$/)
  expect(await newSecrets([], 'https://connector.example.com')).toEqual({ stored: {} })
})

test('the hash of the source moves with the Worker, and not with the commands or the line ends', () => {
  for (const part of ['src/core/domain', 'src/cli', 'durable-objects'])
    mkdirSync(join(folder, part), { recursive: true })
  for (const file of ['package-lock.json', 'wrangler.toml']) cpSync(file, join(folder, file))
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  write('src/core/domain/a.ts', 'one\ntwo\n')
  write('src/cli/b.ts', 'b')
  const first = sourceHash(folder)
  write('src/cli/b.ts', 'c')
  write('src/core/domain/a.ts', 'one\r\ntwo\r\n')
  expect(sourceHash(folder)).toBe(first)
  write('src/core/domain/a.ts', 'one\nthree\n')
  expect(sourceHash(folder)).not.toBe(first)
})

describe('the settings file', () => {
  test('sorts secrets from settings, and says where the Worker is', () => {
    const text = `# a comment\nPRACTICE_NAME="Jordan's"\nSCHEDULING_PROVIDER_TOKEN=t\nSCHEDULING_PAGE_URL= \nWORKER_NAME=w\nPAYMENT_PROVIDER_SECRET_KEY=\n`
    expect(sortedSettings(text)).toEqual({
      vars: { PRACTICE_NAME: "Jordan's", SCHEDULING_PAGE_URL: '' },
      secrets: { SCHEDULING_PROVIDER_TOKEN: 't' },
      target: { WORKER_NAME: 'w' },
    })
  })

  test('refuses a setting without an equals sign, which would count as left out', () => {
    for (const text of ['PRACTICE_NAME: Harbor', 'export PRACTICE_NAME Harbor', 'PRACTICE_NAME'])
      expect(() => sortedSettings(text)).toThrow(/PRACTICE_NAME .* no equals sign/)
    expect(() => sortedSettings('WORKER_NAME: w')).toThrow(/WORKER_NAME .* no equals sign/)
    const notice = 'CLIENT_LINK_NOTICE="one\nPRACTICE_NAME: ours"\nPRACTICE_NAME = Harbor'
    expect(sortedSettings(notice).vars['PRACTICE_NAME']).toBe('Harbor')
  })

  test('refuses a setting that stands twice, of which only the last would count', () => {
    for (const text of ['PRACTICE_NAME=One\nPRACTICE_NAME=Two', 'A_B=1\n export A_B = 2'])
      expect(() => sortedSettings(text)).toThrow(/ twice, and only the last/)
  })

  test('refuses a value that would lose its end, but not a comment behind one', () => {
    for (const value of [
      `'Jordan's Tax'`,
      '"Tax" LLC',
      'Tax #2',
      '#1 Tax',
      'https://tax.example/#top',
    ])
      expect(() => sortedSettings(`PRACTICE_NAME = ${value}`)).toThrow(/would end at/)
    for (const value of ["'Tax", '"Tax\nPAYMENT_PROVIDER=`stripe`', "'Tax\nWORKER_NAME='w'\nA_B=1"])
      expect(() => sortedSettings(`PRACTICE_NAME=${value}`)).toThrow(/PRACTICE_NAME .* not closed/)
    for (const value of ['Tax # ours', '"Tax" #ours', "'Tax'\r"])
      expect(sortedSettings(`PRACTICE_NAME=${value}`).vars['PRACTICE_NAME']).toBe('Tax')
  })

  test('gives back every value as it was written, and leaves other lines alone', () => {
    const values = {
      PRACTICE_NAME: `Jordan's "best" #1 & co`,
      EVENT_TYPES: '{"consult":{"id":"1"}}',
    }
    const text = withSettings('# mine\nPRACTICE_TIMEZONE=Europe/Berlin\n', values)
    expect(text).toMatch(/^# mine\nPRACTICE_TIMEZONE=Europe\/Berlin\n/)
    expect(sortedSettings(text).vars).toEqual({ PRACTICE_TIMEZONE: 'Europe/Berlin', ...values })
    expect(withSettings(text, { PRACTICE_NAME: undefined })).not.toContain('Jordan')
    expect(() => withSettings('', { PRACTICE_NAME: `'"\`` })).toThrow(CliError)
  })

  test('keeps a notice of several lines whole, and replaces it whole', () => {
    const notice = "Jordan's\nPRACTICE_PHONE is below."
    const text = withSettings('PRACTICE_PHONE=555-0142\n', { CLIENT_LINK_NOTICE: notice })
    expect(sortedSettings(text).vars['CLIENT_LINK_NOTICE']).toBe(notice)
    const other = withSettings(text, { CLIENT_LINK_NOTICE: 'short', PRACTICE_PHONE: undefined })
    expect(other).toBe('CLIENT_LINK_NOTICE=short\n')
  })

  test.each(['\r', '\r\r\n'])('whose lines end in %j loses none', (end) => {
    const lines = ['WORKER_NAME=one', 'PRACTICE_NAME="Harbor"', 'PRACTICE_PHONE=', '']
    writeFileSync(join(folder, '.deploy.env'), lines.join(end))
    expect(settingsFileIn(folder).read()).toMatchObject({
      target: { WORKER_NAME: 'one' },
      vars: { PRACTICE_NAME: 'Harbor', PRACTICE_PHONE: '' },
    })
    settingsFileIn(folder).write({ PRACTICE_NAME: 'Quay' })
    expect(settingsFileIn(folder).read().target).toEqual({ WORKER_NAME: 'one' })
    rmSync(join(folder, '.deploy.env'))
  })

  test('that a crash filled with nothing is refused, and not taken for an empty one', () => {
    writeFileSync(join(folder, '.deploy.env'), '\0'.repeat(99))
    expect(() => settingsFileIn(folder).read()).toThrow('.deploy.env is damaged')
    rmSync(join(folder, '.deploy.env'))
  })

  test('is for its owner only, and is not written without need', () => {
    const file = settingsFileIn(folder)
    file.write({ PRACTICE_NAME: undefined })
    expect(file.exists()).toBe(false)
    file.write({ SCHEDULING_PROVIDER_TOKEN: 't' })
    expect(statSync(join(folder, '.deploy.env')).mode & 0o777).toBe(0o600)
    expect(file.read().secrets).toEqual({ SCHEDULING_PROVIDER_TOKEN: 't' })
    // As an editor of Windows keeps it.
    writeFileSync(join(folder, '.deploy.env'), '\uFEFFPRACTICE_PHONE=555-0142\r\n')
    expect(file.read().vars).toEqual({ PRACTICE_PHONE: '555-0142' })
    // As PowerShell writes it.
    writeFileSync(join(folder, '.deploy.env'), '\uFEFFPRACTICE_PHONE=555-0143\r\n', 'utf16le')
    expect(file.read().vars).toEqual({ PRACTICE_PHONE: '555-0143' })
  })
})

test.each([
  ['✘ [ERROR] fetch failed\n', /connection.*lost/],
  [
    'Total Upload: 429.12 KiB\n✘ [ERROR] A request failed.\n  Too many requests [code: 10429]',
    /slow down/,
  ],
  ['✘ [ERROR] A request failed.\n  Authentication error [code: 10000]', /sign-in/],
  [
    'Total Upload: 429.12 KiB\n✘ [ERROR] Something of its own',
    /The upload failed: Something of its own$/,
  ],
  ['', /gave no reason/],
])('a failure of wrangler becomes a sentence: %j', (output, expected) => {
  expect(whyNot(output).message).toMatch(expected)
  expect(whyNot(output).nextStep).toMatch(/npm run deploy again/)
})

test('an unknown or malformed command line is refused', () => {
  expect(deployOptions(['--dry-run', '--name', 'a-b'])).toMatchObject({
    'dry-run': true,
    name: 'a-b',
  })
  for (const [code, ...args] of [
    ['ERR_PARSE_ARGS_UNKNOWN_OPTION', '--key', 'secret'],
    ['ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', 'surplus'],
    ['ERR_PARSE_ARGS_INVALID_OPTION_VALUE', '--name'],
  ])
    expect(() => deployOptions(args)).toThrow(expect.objectContaining({ code }))
})

test('the output has colours only at a terminal, and honours NO_COLOR', () => {
  const written = (isTTY: boolean, noColor?: string) => {
    let text = ''
    const before = process.env['NO_COLOR']
    if (noColor === undefined) delete process.env['NO_COLOR']
    else process.env['NO_COLOR'] = noColor
    terminalOn({ isTTY, write: (more) => (text += more) }).done('Address', 'https://a')
    if (before === undefined) delete process.env['NO_COLOR']
    else process.env['NO_COLOR'] = before
    return text
  }
  expect(written(false)).toBe('✓ Address    https://a\n')
  expect(written(true)).toContain('\x1b[32m')
  expect(written(true, '1')).toBe('✓ Address    https://a\n')
})

describe('the webhooks at the end of a deployment', () => {
  const registered = async (url: string): Promise<string> => {
    let text = ''
    const terminal = terminalOn({ write: (more) => (text += more) })
    await registerWebhooks(adminClient(url, 'ccn_key'), terminal)
    return text
  }

  test('are asked for with the key of the owner, and each is printed with what to change', async () => {
    const webhooks = [
      { provider: 'calendly', state: 'active' },
      { provider: 'stripe', state: 'not permitted', detail: 'Give the key a permission.' },
    ]
    let asked: string | undefined
    const server = createServer((request, response) => {
      response.setHeader('Request-Id', randomUUID())
      asked = [request.method, request.url, request.headers.authorization].join(' ')
      response.end(JSON.stringify({ webhooks }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const printed = await registered(`http://127.0.0.1:${port}`)
    server.close()
    expect(asked).toBe('POST /v1/admin/provider-webhooks Bearer ccn_key')
    expect(printed).toBe(
      '✓ Webhooks   calendly reports changes at once\n! Webhooks   stripe: Give the key a permission.\n',
    )
  })

  test('do not keep it from ending well where they cannot be registered', async () => {
    expect(await registered('http://127.0.0.1:1')).toMatch(/^! Webhooks   not registered/)
  })
})

test('the changes of a day are limited once, also where the first deploy had ended before it', async () => {
  const proposed = async (rows?: Record<string, object[]>) => {
    const said: unknown[] = []
    const list = async (path: string) => ({ rows: rows![path]! })
    const put = async (...given: unknown[]) => said.push(given)
    const terminal = terminalOn({ write: (text) => said.push(text.match(/no daily limit/)?.[0]) })
    await proposeRules({ list, put } as unknown as AdminClient, terminal)
    return said.filter((one) => one !== undefined)
  }
  const set = { ...NO_RULES, caller: '*', paused_at: null, allows: [] }
  const limit = ['/v1/rules/*', { ...NO_RULES, changes_a_day: 100 }]
  expect(await proposed({ '/v1/rules': [set], '/v1/audit': [] })).toEqual([limit])
  // Someone has set a rule since, and may have lifted it.
  expect(await proposed({ '/v1/rules': [set], '/v1/audit': [{ event: 'rules' }] })).toEqual([])
  // The log has dropped that entry.
  const ruled = { ...set, allows: ['It cannot cancel.'] }
  expect(await proposed({ '/v1/rules': [ruled], '/v1/audit': [] })).toEqual([])
  expect(await proposed()).toEqual(['no daily limit'])
})

describe('who was let in before a provider was live, at the end of a deployment', () => {
  const unreviewed = [
    { kind: 'key', id: 'k', name: 'Front desk', created_at: '2026-11-20T10:00:00Z' },
    { kind: 'app', id: 'g', name: 'Claude (claude.ai)', created_at: '2026-11-21T10:00:00Z' },
  ]

  /** Reviews against a connector that answers like this; what was printed, and what was asked of it. */
  async function reviewed(pick?: (labels: string[]) => string[], refusal?: object) {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      response.setHeader('Request-Id', randomUUID())
      let text = ''
      request.on('data', (part) => (text += part))
      request.on('end', () => {
        const body = JSON.parse(text) as object
        asked.push(body)
        const isDecision = Object.keys(body).length > 0
        response.statusCode = isDecision && refusal ? 403 : 200
        response.end(JSON.stringify(isDecision ? (refusal ?? { unreviewed: [] }) : { unreviewed }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    let text = ''
    const neverAsked = () => Promise.reject(new Error('no one asks this'))
    await reviewAccess(
      adminClient(`http://127.0.0.1:${port}`, 'ccn_key'),
      terminalOn({ write: (more) => (text += more) }),
      pick && {
        choose: neverAsked,
        text: neverAsked,
        secret: neverAsked,
        confirm: neverAsked,
        pick: async (_question, options) => pick(options.map(({ label }) => label)),
      },
    ).finally(() => server.close())
    return { text, asked }
  }

  test('is named, and whom the person at the terminal does not know is ended', async () => {
    const { text, asked } = await reviewed((labels) => {
      expect(labels).toEqual([
        'key “Front desk”, since 2026-11-20',
        'app “Claude (claude.ai)”, since 2026-11-21',
      ])
      return ['g']
    })
    expect(text).toContain('key “Front desk”, since 2026-11-20\n')
    expect(text).toContain('✓ Access     1 ended, 1 kept\n')
    expect(asked).toEqual([{}, { end: ['g'], keep: ['k'] }])
  })

  test('is named where no one is at a terminal, and nothing is decided', async () => {
    const { text, asked } = await reviewed()
    expect(text).toContain('app “Claude (claude.ai)”')
    expect(text).toContain('! Access     end those that you do not recognize')
    expect(asked).toEqual([{}])
  })

  test('says why it could not be decided', async () => {
    const refusal = { detail: 'This key was made in a trial.', next_step: 'Use another.' }
    const { text } = await reviewed(() => [], refusal)
    expect(text).toContain(
      '! Access     not reviewed: This key was made in a trial. Use another.\n',
    )
  })
})
