import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { startLocal } from '../../src/cli/local.ts'
import { SCOPES } from '../../src/core/domain/scopes.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { withMovedClock } from '../support/moved-clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const YEAR = 365 * DAY

const LONGEST = 'docs/journey.md'
/** The pages whose shell blocks with curl run as they stand, block by block in one shell, as a reader pastes them. */
const PAGES = [
  'README.md',
  'docs/reading.md',
  'docs/audit.md',
  'docs/operate/house-rules.md',
  LONGEST,
]
/** Pages with such blocks that ask for a passkey, a grant, a receiver elsewhere, a deployed Worker, a provider's own API, or a booking that the reader chooses. */
const NOT_RUN = [
  'docs/client-link.md',
  'docs/connect/rest.md',
  'docs/operate/local.md',
  'docs/operate/upgrades-and-backup.md',
  'docs/providers/calendly.md',
]

const folder = temporaryFolder()
let connector: Awaited<ReturnType<typeof startLocal>>
let key: string

beforeAll(async () => {
  const vars = {
    ALLOW_ANONYMOUS: 'true',
    SIGNING_SECRET: 'the signing secret of the shell blocks, 32 bytes',
    // As docs/journey.md starts it.
    EVENT_TYPES: JSON.stringify({
      consult: { id: 'mock_consult' },
      'tax-call': { id: 'mock_tax_call' },
    }),
    BOOKING_ASKS: 'answers,phone',
  }
  const script = await withMovedClock(inject('workerScript'), join(folder.path, 'bundle'), YEAR)
  connector = await startLocal({ script, vars, onLog: () => {} })
  const made = await fetch(new URL('/v1/keys', connector.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Shell', scopes: Object.keys(SCOPES) }),
  })
  key = ((await made.json()) as { key: string }).key
  const bin = join(folder.path, 'bin')
  await mkdir(bin)
  // The curl of the blocks, which also says on file what each request was answered.
  const statuses = join(folder.path, 'statuses')
  const curl = `#!/bin/sh\nexec ${await which('curl')} -w '%{stderr}STATUS %{http_code}\\n' "$@" 2>> ${statuses}\n`
  await writeFile(join(bin, 'curl'), curl)
  await chmod(join(bin, 'curl'), 0o755)
})
afterAll(async () => {
  await connector?.stop()
  folder.remove()
})

const which = async (command: string) => (await run(`command -v ${command}`)).output.trim()

/** Runs a script in a plain POSIX shell, and stops at the first command that fails. */
async function run(script: string): Promise<{ code: number | null; output: string }> {
  const env = {
    PATH: `${join(folder.path, 'bin')}:${process.env['PATH'] ?? ''}`,
    URL: connector.url,
    CONNECTOR_API_KEY: key,
  }
  const child = spawn('sh', ['-eu'], { cwd: folder.path, env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(script)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output += String(text)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

/** The shell blocks of a page that ask the connector, with its address in them. */
async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, block = '']) => block)
    .filter((block) => /\b(curl|api) /.test(block))
    .map((block) => block.replaceAll(/http:\/\/127\.0\.0\.1:8787|<PUBLIC_URL>/g, connector.url))
}

interface Documented {
  parameters?: { name: string; in: string; example?: string; schema: { examples?: string[] } }[]
  requestBody?: { content: Record<string, { examples?: { preview?: { value: object } } }> }
}

// Before the pages: on one of them the invoice of the example is paid.
test('the examples that tools send as they stand in /openapi.json are sound requests, a year from now too', async () => {
  const { paths } = (await (await fetch(new URL('/openapi.json', connector.url))).json()) as {
    paths: Record<string, { post?: Documented }>
  }
  const answers: Record<string, number> = {}
  for (const [path, { post }] of Object.entries(paths)) {
    const example = post?.requestBody?.content['application/json']?.examples?.preview
    if (!example) continue
    const given = (name: string) => {
      const parameter = post?.parameters?.find((one) => one.name === name)
      return parameter?.example ?? parameter?.schema.examples?.[0] ?? ''
    }
    const sent = await fetch(
      new URL(
        path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => given(name)),
        connector.url,
      ),
      {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': given('Idempotency-Key'),
        },
        body: JSON.stringify(example.value),
      },
    )
    answers[path] = sent.status
  }
  expect(answers).toEqual({
    '/v1/bookings': 200,
    '/v1/bookings/{booking_id}/reschedule': 404,
    '/v1/bookings/{booking_id}/respond': 403,
    '/v1/bookings/{booking_id}/cancel': 404,
    '/v1/client-links': 403,
    '/v1/clients': 200,
    '/v1/clients/{client_id}/intake': 404,
    '/v1/payment-links': 200,
    '/v1/payment-links/{payment_link_id}/end': 403,
  })
})

async function blocksRun(page: string): Promise<void> {
  const statuses = join(folder.path, 'statuses')
  await writeFile(statuses, '')
  const blocks = await blocksOf(page)
  expect(blocks).not.toEqual([])
  const { code, output } = await run(blocks.join('\n'))
  const answered = (await readFile(statuses, 'utf8')).match(/(?<=STATUS )\d+/g)
  expect({ code, answered, output }).toMatchObject({ code: 0 })
  expect(answered?.length).toBeGreaterThanOrEqual(blocks.length)
  expect(
    answered?.filter((status) => status !== '200'),
    output,
  ).toEqual([])
  if (page !== 'README.md') return
  const [, committedAt = ''] = /"status":"committed".*"committed_at":"([^"]+)"/.exec(output) ?? []
  expect(Date.parse(committedAt)).toBeGreaterThan(Date.now() + YEAR / 2)
}
const RUN = 'the shell blocks of %s run, a year from now too'
test.each(PAGES.filter((page) => page !== LONGEST))(RUN, blocksRun)
test.each([LONGEST])(RUN, { tags: 'slow' }, blocksRun)

test('no page with such a block is left out', async () => {
  const { output } = await run(`cd ${ROOT} && grep -rl --include=*.md 'curl ' README.md docs`)
  const pages: string[] = []
  for (const page of output.trim().split('\n'))
    if ((await blocksOf(page)).length > 0) pages.push(page)
  expect(pages.toSorted()).toEqual([...PAGES, ...NOT_RUN].toSorted())
})
