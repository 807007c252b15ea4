// @module-tag slow

import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { BAD_TOKEN } from '../support/fakes/cloudflare-bodies.ts'
import { type FakeCloudflare, fakeCloudflare } from '../support/fakes/cloudflare.ts'
import { answerBefore, resetAfter, resetBefore, slowBefore } from '../support/fakes/http.ts'
import { type Clone, freshClone } from './clone.ts'
import { servedBy } from './served.ts'

const NAME = 'consult-connector'
const URL_OF_IT = 'https://consult-connector.the-practice.workers.dev'
const KEY = /\bccn_[0-9A-Za-z]{49}\b/g
const LINK = /https:\/\/\S+\/owner\/enrol#(enr_\S+)/

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** An account, a clone, and the uploaded Worker served on this machine. */
async function stage(name = NAME) {
  const fake = await fakeCloudflare()
  const clone = freshClone()
  const served = await servedBy(fake, name)
  const env = {
    CLOUDFLARE_API_BASE_URL: fake.url,
    CLOUDFLARE_API_TOKEN: fake.state.token,
    DEPLOY_CHECK_URL: served.url,
  }
  return {
    fake,
    clone,
    served,
    env,
    async stop() {
      await served.stop()
      await fake.stop()
      clone.remove()
    },
  }
}

const textOf = (fake: FakeCloudflare, binding: string): string | undefined =>
  fake.worker(NAME).bindings.find(({ name }) => name === binding)?.text
const uploads = (fake: FakeCloudflare): number =>
  fake.requests.filter(
    ({ method, path }) =>
      (method === 'PUT' && path.endsWith(`/scripts/${NAME}`)) ||
      (method === 'POST' && path.endsWith('/versions')),
  ).length

/** Wrangler's own note that it counts nothing; all else must be gone. */
const nothingLeft = (clone: Clone, ...kept: string[]) =>
  expect(clone.leftBehind().filter((file) => !file.startsWith('home/.config/.wrangler/'))).toEqual(
    kept,
  )

describe('npm run deploy, with real wrangler against an account of this machine', () => {
  let on: Awaited<ReturnType<typeof stage>>
  let key = ''
  let signingSecret: string | undefined
  beforeAll(async () => {
    on = await stage()
  })
  afterAll(() => on.stop())

  test('a dry run says what it would do, and does nothing', async () => {
    const { code, output } = await on.clone.run('deploy', ['--dry-run'], on.env)
    expect(output).toContain('would make consult-connector-oauth-kv, consult-connector-records-kv')
    expect(output).toContain('would make: SIGNING_SECRET, OWNER_KEY_SHA256, OWNER_ENROLMENT_SHA256')
    expect(output).toContain('it bundles')
    expect(output).toContain('Nothing was done.')
    expect(output).not.toMatch(KEY)
    expect(code).toBe(0)
    expect(on.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(on.clone.read('.deploy.env')).toBeUndefined()
  })

  test('the first run ends with a live connector that its key opens and strangers do not', async () => {
    const before = on.clone.read('wrangler.toml')
    const { code, output } = await on.clone.run('deploy', [], on.env)
    expect(code, output).toBe(0)
    expect(output).toContain(URL_OF_IT)
    const keys = output.match(KEY) ?? []
    expect(keys).toHaveLength(1)
    key = keys[0]!
    const link = LINK.exec(output)
    expect(link?.[0]).toContain(`${URL_OF_IT}/owner/enrol#`)
    for (const line of [
      `claude mcp add --transport http consult ${URL_OF_IT}/mcp`,
      `"consult": { "url": "${URL_OF_IT}/mcp" }`,
      'Still a mock: scheduling and payments',
    ])
      expect(output).toContain(line)

    expect(textOf(on.fake, 'PUBLIC_URL')).toBe(URL_OF_IT)
    expect(textOf(on.fake, 'OWNER_KEY_SHA256')).toBe(sha256(key))
    expect(textOf(on.fake, 'OWNER_ENROLMENT_SHA256')).toBe(sha256(link?.[1] ?? ''))
    signingSecret = textOf(on.fake, 'SIGNING_SECRET')
    expect(signingSecret).toMatch(/^[\w-]{43}$/)
    expect(output).not.toContain(signingSecret)
    expect(on.fake.worker(NAME)).toMatchObject({
      onWorkersDev: true,
      migrationTag: expect.stringMatching(/^v\d/),
    })
    expect(uploads(on.fake)).toBe(1)

    const me = (token: string) =>
      fetch(`${on.served.url}/v1/me`, {
        headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
      })
    expect((await me('')).status).toBe(401)
    const rules = ['At most 100 changes a day in total, for all callers together.']
    expect(output).toContain('at most 100 changes a day')
    expect(await (await me(key)).json()).toMatchObject({
      caller: 'owner',
      rules,
      changes_left_today: 100,
    })

    expect(on.clone.read('wrangler.toml')).toBe(before)
    expect(on.fake.requests.some(({ text }) => text.includes(key))).toBe(false)
    nothingLeft(on.clone)
  })

  test('the second run uploads nothing, and says so', async () => {
    const { code, output } = await on.clone.run('deploy', [], on.env)
    expect(code, output).toBe(0)
    expect(output).toContain('unchanged since the last upload')
    expect(output).not.toMatch(KEY)
    expect(output).not.toMatch(LINK)
    expect(uploads(on.fake)).toBe(1)
  })

  test('a changed setting and a new secret go up; what was made stays, and the secret leaves the clone', async () => {
    const byHand = { name: 'CONFIRMATION_TTL_SECONDS', type: 'plain_text', text: '60' }
    on.fake.worker(NAME).bindings.push(byHand)
    const file = join(on.clone.root, '.deploy.env')
    writeFileSync(file, `PRACTICE_NAME='Doe & Partners'\nSCHEDULING_PROVIDER_TOKEN=planted-token\n`)
    const { code, output } = await on.clone.run('deploy', [], on.env)
    expect(code, output).toBe(0)
    expect(output).toContain('✓ Settings   PRACTICE_NAME\n')
    expect(output).toContain('✓ Secrets    moved to Cloudflare: SCHEDULING_PROVIDER_TOKEN\n')
    expect(output).not.toContain('planted-token')
    expect(output).toContain('Still a mock: payments')
    expect(output).toContain('earlier keys and apps cannot be reviewed without your key')
    const declared = on.fake.worker(NAME).bindings.find(({ type }) => type === 'version_metadata')
    expect(declared?.name).toBe('DEPLOYED_VERSION')
    expect(textOf(on.fake, 'PRACTICE_NAME')).toBe('Doe & Partners')
    expect(textOf(on.fake, byHand.name), 'set in the dashboard').toBe('60')
    expect(textOf(on.fake, 'SCHEDULING_PROVIDER_TOKEN')).toBe('planted-token')
    expect(textOf(on.fake, 'SIGNING_SECRET')).toBe(signingSecret)
    expect(textOf(on.fake, 'OWNER_KEY_SHA256')).toBe(sha256(key))
    expect(on.clone.read('.deploy.env')).toBe(`PRACTICE_NAME='Doe & Partners'\n`)
    expect(uploads(on.fake)).toBe(2)
    nothingLeft(on.clone, 'connector/.deploy.env')
  })

  test('a domain of one’s own is attached and becomes the address; a lost key is replaced when that is asked for', async () => {
    const { code, output } = await on.clone.run(
      'deploy',
      ['--domain', 'connector.example.com', '--new-key'],
      on.env,
    )
    expect(code, output).toBe(0)
    expect(output).toContain('✓ Address    https://connector.example.com\n')
    expect(textOf(on.fake, 'PUBLIC_URL')).toBe('https://connector.example.com')
    expect(on.fake.worker(NAME)).toMatchObject({
      domains: ['connector.example.com'],
      onWorkersDev: false,
    })
    expect(on.clone.read('.deploy.env')).toContain('PUBLIC_URL=https://connector.example.com\n')
    const [other] = output.match(KEY) ?? []
    expect(other).not.toBe(key)
    expect(textOf(on.fake, 'OWNER_KEY_SHA256')).toBe(sha256(other ?? ''))
    expect(textOf(on.fake, 'SIGNING_SECRET')).toBe(signingSecret)
  })

  test('a disk that refuses the settings file costs no key: it is shown before', async () => {
    const token = 'PAYMENT_PROVIDER_SECRET_KEY=planted-key\n'
    appendFileSync(join(on.clone.root, '.deploy.env'), token)
    mkdirSync(join(on.clone.root, '.deploy.env.new'))
    const { code, output } = await on.clone.run('deploy', ['--new-key'], on.env)
    expect(code).toBe(1)
    const [other] = output.match(KEY) ?? []
    expect(textOf(on.fake, 'OWNER_KEY_SHA256')).toBe(sha256(other ?? ''))
    expect(output).toMatch(/✗ A file could not be read or written\. EISDIR.*\n {2}Check that/)
    expect(on.clone.read('.deploy.env')).toContain(token)
  })
})

describe('npm run deploy, interrupted', () => {
  let on: Awaited<ReturnType<typeof stage>>
  beforeAll(async () => {
    on = await stage()
  })
  beforeEach(() => on.fake.calm())
  afterAll(() => on.stop())

  test('after the storage was made: the next run finds it again', async () => {
    on.fake.fault('makeNamespace', resetAfter)
    const { code, output } = await on.clone.run('deploy', [], on.env)
    expect(code).toBe(1)
    expect(output).toMatch(/could not be reached\.\n.*run the same command again/)
    expect(output).not.toMatch(KEY)
    expect(on.fake.state.namespaces).toHaveLength(1)
  })

  test('before the upload was accepted: nothing is deployed, no key is shown, no secret is left', async () => {
    on.fake.fault('upload', resetBefore, 10)
    const { code, output } = await on.clone.run('deploy', [], on.env)
    expect(code).toBe(1)
    expect(output).toContain('already there, contents kept: consult-connector-oauth-kv')
    expect(output).toMatch(/The connection to Cloudflare was lost.*\n.*Run npm run deploy again/)
    expect(output).not.toMatch(KEY)
    expect(on.fake.state.workers.size).toBe(0)
    nothingLeft(on.clone, 'connector/.deploy.wrangler.json')
    expect(on.clone.read('.deploy.wrangler.json')).not.toMatch(/SIGNING|SHA256/)
  })

  test('after the upload was accepted: the key is shown all the same, and it is the stored one', async () => {
    on.fake.fault('workerSubdomain', resetBefore, 10)
    const { code, output } = await on.clone.run('deploy', [], on.env)
    expect(code).toBe(1)
    const keys = output.match(KEY) ?? []
    expect(keys).toHaveLength(1)
    expect(output).toContain('The Worker was uploaded, and the key above is valid for it.')
    expect(textOf(on.fake, 'OWNER_KEY_SHA256')).toBe(sha256(keys[0]!))
    expect(on.fake.worker(NAME).onWorkersDev).toBe(false)
  })

  test('the next run completes what was begun, and makes no other key', async () => {
    const stored = textOf(on.fake, 'OWNER_KEY_SHA256')
    const { code, output } = await on.clone.run('deploy', [], on.env)
    expect(code, output).toBe(0)
    expect(output).not.toMatch(KEY)
    expect(textOf(on.fake, 'OWNER_KEY_SHA256')).toBe(stored)
    expect(on.fake.worker(NAME).onWorkersDev).toBe(true)
    nothingLeft(on.clone)
  })

  test('by Ctrl+C during an upload: it ends with a sentence, and no secret is left', async () => {
    on.fake.fault('uploadVersion', slowBefore(20_000), 10)
    writeFileSync(join(on.clone.root, '.deploy.env'), 'SCHEDULING_PROVIDER_TOKEN=planted-token\n')
    const before = uploads(on.fake)
    const { code, output } = await on.clone.run('deploy', [], on.env, {
      started: (interrupt) => {
        const waiting = setInterval(() => {
          if (uploads(on.fake) === before) return
          clearInterval(waiting)
          interrupt()
        }, 50)
      },
    })
    expect(code, output).toBe(1)
    expect(output).toMatch(/You cancelled it during the upload\.\n.*Run npm run deploy again/)
    expect(output).not.toContain('planted-token')
    // The bundle that wrangler made; whether it gets to removing it depends on the moment.
    const bundle = on.clone
      .leftBehind()
      .filter((file) => file.startsWith('connector/.wrangler/tmp/'))
    nothingLeft(on.clone, 'connector/.deploy.env', 'connector/.deploy.wrangler.json', ...bundle)
    for (const file of ['connector/.deploy.wrangler.json', ...bundle])
      expect(on.clone.read(file.slice('connector/'.length)), file).not.toContain('planted-token')
  })
})

test('a build by the deploy button writes the link in its log, no key, under the name it was given', async () => {
  const on = await stage('my-fork')
  try {
    const placeholder = {
      script: '',
      bindings: [],
      migrationTag: undefined,
      classes: [],
      onWorkersDev: false,
    }
    on.fake.state.workers.set('my-fork', { ...placeholder, versions: [], domains: [] })
    on.fake.fault('accounts', answerBefore(403, BAD_TOKEN.body))
    const { code, output } = await on.clone.run('deploy', [], {
      ...on.env,
      CI: 'true',
      WORKERS_CI: '1',
      WRANGLER_CI_OVERRIDE_NAME: 'my-fork',
      CLOUDFLARE_ACCOUNT_ID: on.fake.state.accounts[0]!.id,
    })
    expect(code, output).toBe(0)
    expect(LINK.exec(output)?.[0]).toContain(
      'https://my-fork.the-practice.workers.dev/owner/enrol#',
    )
    expect(output).not.toMatch(KEY)
    const secrets = on.fake.worker('my-fork').bindings.filter(({ type }) => type === 'secret_text')
    expect(secrets.map(({ name }) => name)).toEqual(['SIGNING_SECRET', 'OWNER_ENROLMENT_SHA256'])
    expect(on.fake.state.namespaces.map(({ title }) => title)).toEqual([
      'my-fork-oauth-kv',
      'my-fork-records-kv',
    ])
  } finally {
    await on.stop()
  }
})
