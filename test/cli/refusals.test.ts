import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { runCommand, terminalOn } from '../../src/cli/command.ts'
import { deploy } from '../../src/cli/deploy/run.ts'
import { deployOptions } from '../../src/cli/deploy/target.ts'
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { TOO_MANY } from '../support/fakes/cloudflare-bodies.ts'
import { type FakeCloudflare, fakeCloudflare } from '../support/fakes/cloudflare.ts'
import { answerBefore } from '../support/fakes/http.ts'
import { type Clone, freshClone } from './clone.ts'

let fake: FakeCloudflare
let clone: Clone
beforeAll(() => {
  clone = freshClone()
})
beforeEach(async () => {
  fake = await fakeCloudflare()
})
afterEach(async () => {
  await fake.stop()
  rmSync(join(clone.root, '.deploy.env'), { force: true })
  process.exitCode = 0
})
afterAll(() => clone.remove())

/** The command in this process: each of these ends before wrangler is started. */
async function refused(args: string[], environment: Record<string, string> = {}): Promise<string> {
  let output = ''
  const terminal = terminalOn({ write: (text) => (output += text) })
  await runCommand(
    '',
    async () =>
      deploy({
        options: deployOptions(args),
        root: clone.root,
        environment: {
          CLOUDFLARE_API_BASE_URL: fake.url,
          CLOUDFLARE_API_TOKEN: fake.state.token,
          ...environment,
        },
        terminal,
        prompts: undefined,
      }),
    terminal,
  )
  expect(process.exitCode, output).toBe(1)
  expect(
    fake.requests.filter(({ method }) => method === 'POST'),
    'nothing was made',
  ).toEqual([])
  return output
}

const settings = (text: string) => writeFileSync(join(clone.root, '.deploy.env'), text)

test('a wrong token is refused with how to make a right one', async () => {
  expect(await refused([], { CLOUDFLARE_API_TOKEN: 'wrong' })).toMatch(
    /✗ Cloudflare does not accept CLOUDFLARE_API_TOKEN.*\n {2}Make one from the template "Edit Cloudflare Workers"/,
  )
})

test('several accounts are listed with their ids, and how to choose one', async () => {
  fake.state.accounts.push({ id: 'f'.repeat(32), name: 'Another one' })
  const output = await refused([])
  expect(output).toContain(`${'f'.repeat(32)}  Another one`)
  expect(output).toContain('npm run deploy -- --account <id>')
})

test('a foreign Worker of that name is not touched', async () => {
  fake.state.workers.set('consult-connector', {
    script: 'export default {}',
    bindings: [{ name: 'GREETING', type: 'plain_text', text: 'hello' }],
    migrationTag: undefined,
    classes: [],
    onWorkersDev: true,
    versions: [],
    domains: [],
  })
  expect(await refused([])).toMatch(
    /not a consult connector\.\n {2}Choose another name: npm run deploy -- --name/,
  )
  expect(fake.worker('consult-connector').script).toBe('export default {}')
})

test('a missing workers.dev name has to be chosen, and a taken one replaced', async () => {
  fake.state.subdomain = undefined
  fake.state.takenSubdomains.push('smith')
  expect(await refused([])).toContain('Choose one: npm run deploy -- --subdomain my-practice')
  expect(await refused(['--subdomain', 'smith'])).toMatch(
    /another account may have it\.\n {2}Choose another/,
  )
  expect(await refused(['--subdomain', 'Dr Smith'])).toContain('small letters, digits and hyphens')
  expect(fake.state.subdomain).toBeUndefined()
})

test('too many calls are repeated a few times as asked, then the command says when to come back', async () => {
  fake.fault('accounts', answerBefore(429, TOO_MANY.body, { 'Retry-After': '0' }), 9)
  expect(await refused([])).toMatch(
    /asks to slow down\.\n {2}Wait five minutes, then run the same command again/,
  )
  expect(fake.requests).toHaveLength(3)
})

test('the page of a proxy, or half an answer, is called that, and never means that there is no Worker', async () => {
  const isNot = 'What answers in place of Cloudflare is not its API'
  for (const route of ['accounts', 'settings', 'namespaces'] as const)
    for (const [status, body] of [
      [403, '<html>'],
      [404, '<html>'],
      [200, '{"success":true,"res'],
      [200, { success: true, result: {} }],
    ] as const) {
      fake.fault(route, answerBefore(status, body, { 'Retry-After': '0' }), 9)
      expect(await refused([]), `${route} ${status}`).toContain(`${isNot} (${status})`)
      fake.calm()
    }
})

test('invalid, unknown or misplaced settings are refused with their line, and never their value', async () => {
  settings('PRACTICE_TIMEZONE=planted/zone\n')
  expect(await refused([])).toMatch(
    /Not valid:\n {2}PRACTICE_TIMEZONE[^]*Correct it in \.deploy\.env/,
  )
  settings('PRACTISE_NAME=planted\n')
  expect(await refused([])).toMatch(/holds PRACTISE_NAME, which is no setting/)
  settings('ALLOW_ANONYMOUS=true\n')
  const output = await refused([])
  expect(output).toContain('Delete the line ALLOW_ANONYMOUS')
  expect(output).not.toContain('planted')
  expect(fake.requests).toEqual([])
})

test('an API address that is neither Cloudflare nor this machine never gets the token', async () => {
  expect(await refused([], { CLOUDFLARE_API_BASE_URL: 'https://api.example.com' })).toContain(
    'Unset CLOUDFLARE_API_BASE_URL.',
  )
})

test('without a sign-in both ways to sign in are named', { tags: 'slow' }, async () => {
  const { code, output } = await clone.run('deploy', [], { CLOUDFLARE_API_BASE_URL: fake.url })
  expect(code).toBe(1)
  expect(output).toMatch(
    /not signed in to Cloudflare\.\n {2}Run npx wrangler login .*or set CLOUDFLARE_API_TOKEN/,
  )
})

test(
  'a dry run with the sign-in of wrangler also checks the account',
  { tags: 'slow' },
  async () => {
    const env = { CLOUDFLARE_API_BASE_URL: fake.url }
    const folder = join(clone.home, '.config/.wrangler/config')
    mkdirSync(folder, { recursive: true })
    const expires = new Date(Date.now() + HOUR).toISOString()
    writeFileSync(
      join(folder, 'default.toml'),
      `oauth_token = "${fake.state.token}"\nexpiration_time = "${expires}"\nrefresh_token = "none"\nscopes = ["account:read"]\n`,
    )
    fake.state.subdomain = undefined
    const signedIn = await clone.run('deploy', ['--dry-run'], env)
    expect(signedIn.output).toContain('✓ Account    The practice (wrangler login)')
    expect(signedIn.output).toContain('no workers.dev name yet')
    expect(signedIn.output).not.toContain(fake.state.token)
  },
)

test('a fault that can be found on this machine ends a dry run before any request, signed in or not', async () => {
  for (const CLOUDFLARE_API_TOKEN of ['', fake.state.token]) {
    const dryRun = (...args: string[]) => refused(['--dry-run', ...args], { CLOUDFLARE_API_TOKEN })
    expect(await dryRun('--name', 'Dr Smith')).toContain('The name of a Worker has small letters')
    expect(await dryRun('--domain', 'https://a.example.com')).toContain('A domain is a host name')
    expect(await dryRun('--account', 'mine')).toContain('An account id has 32 digits')
    expect(await dryRun('--subdomain', 'Dr Smith')).toContain('small letters, digits and hyphens')
    settings('PRACTICE_TIMEZONE=planted/zone\n')
    expect(await dryRun()).toMatch(/Not valid:\n {2}PRACTICE_TIMEZONE/)
    for (const [line, says] of [
      ['WORKER_NAME=Dr Smith', 'The name of a Worker has'],
      ['PUBLIC_URL=https://203.0.113.7', 'A domain is a host name'],
      ['PUBLIC_URL=https://a.example.com:8443', 'A domain is a host name'],
      ['BACKUP_BUCKET=My Bucket', 'The name of a bucket has'],
    ] as const) {
      settings(`${line}\n`)
      expect(await dryRun(), line).toContain(says)
    }
    rmSync(join(clone.root, '.deploy.env'))
  }
  expect(fake.requests).toEqual([])
})
