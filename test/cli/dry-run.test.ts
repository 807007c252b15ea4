import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

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

test(
  'without a sign-in a dry run shows the address that the command line names',
  { tags: 'slow' },
  async () => {
    const own = await dryRun('--domain', 'connector.example.com')
    expect(own.output).toContain('→ Address    https://connector.example.com\n')
    expect(own.output).toContain('whether Cloudflare serves this domain')
    const named = await dryRun('--name', 'front-desk', '--subdomain', 'my-practice')
    expect(named.output).toContain('→ Address    https://front-desk.my-practice.workers.dev\n')
    expect(named.output).toContain('would make front-desk-oauth-kv, front-desk-records')
    expect([own.code, named.code]).toEqual([0, 0])
  },
)

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
