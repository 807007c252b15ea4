import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { terminalOn } from '../../src/cli/command.ts'
import { withoutSignIn } from '../../src/cli/deploy/dry-run.ts'
import { localState } from '../../src/cli/deploy/plan.ts'
import { deployOptions } from '../../src/cli/deploy/target.ts'
import { type FakeCloudflare, fakeCloudflare } from '../support/fakes/cloudflare.ts'
import { type Clone, freshClone } from './clone.ts'

let fake: FakeCloudflare
let clone: Clone
beforeAll(async () => {
  fake = await fakeCloudflare()
  clone = freshClone()
})
afterEach(() => rmSync(join(clone.root, '.deploy.env'), { force: true }))
afterAll(async () => {
  clone.remove()
  await fake.stop()
})

const dryRun = (...args: string[]) =>
  clone.run('deploy', ['--dry-run', ...args], { CLOUDFLARE_API_BASE_URL: fake.url })

test(
  'without a sign-in a dry run checks settings and bundle, says what it would make and what it could not check',
  { tags: 'slow' },
  async () => {
    writeFileSync(
      join(clone.root, '.deploy.env'),
      'PRACTICE_NAME=Planted Practice\nSCHEDULING_PROVIDER_TOKEN=planted-token\n',
    )
    const before = clone.read('.deploy.env')
    const { code, output } = await dryRun()
    expect(code, output).toBe(0)
    expect(output).toContain('✓ Settings   valid')
    expect(output).toMatch(
      /✓ Worker {5}it bundles: [\d,]+ KiB, \d+ KiB compressed; Cloudflare takes up to/,
    )
    expect(output).toContain('https://consult-connector.<your workers.dev name>.workers.dev')
    expect(output).toContain('would make consult-connector-oauth-kv, consult-connector-records')
    expect(output).toContain('would make: SIGNING_SECRET, OWNER_KEY_SHA256, OWNER_ENROLMENT_SHA256')
    expect(output).toContain('would move to Cloudflare: SCHEDULING_PROVIDER_TOKEN')
    expect(output).toMatch(/would set .*PRACTICE_NAME.*PUBLIC_URL/)
    expect(output).toMatch(/Not checked: You are not signed in to Cloudflare\.\n! Account/)
    expect(output).toContain('Nothing was done.')
    expect(output).not.toMatch(/planted|✗/i)
    expect(clone.read('.deploy.env')).toBe(before)
    expect(fake.requests).toEqual([])
  },
)

/** What a dry run with these options prints once the Worker was bundled, where no one is signed in. */
function printedFor(...args: string[]): string {
  let output = ''
  const terminal = terminalOn({ write: (text) => (output += text) })
  const options = deployOptions(args)
  const run = { options, root: clone.root, environment: {}, terminal, prompts: undefined }
  withoutSignIn(run, localState(run), { message: 'You are not signed in.' })
  return output
}

test('without a sign-in a dry run shows the address that the command line names', () => {
  const own = printedFor('--domain', 'connector.example.com')
  expect(own).toContain('→ Address    https://connector.example.com\n')
  expect(own).toContain('whether Cloudflare serves this domain')
  const named = printedFor('--name', 'front-desk', '--subdomain', 'my-practice')
  expect(named).toContain('→ Address    https://front-desk.my-practice.workers.dev\n')
  expect(named).toContain('would make front-desk-oauth-kv, front-desk-records')
})

test(
  'a Worker that cannot be bundled ends a dry run, signed in or not',
  { tags: 'slow' },
  async () => {
    const entry = join(clone.root, 'src/worker.ts')
    const source = clone.read('src/worker.ts') ?? ''
    appendFileSync(entry, "\nimport './not-there.ts'\n")
    const { code, output } = await dryRun()
    writeFileSync(entry, source)
    expect(code).toBe(1)
    expect(output).toContain('✗ The Worker could not be bundled.')
    expect(output).not.toContain('it bundles')
  },
)
