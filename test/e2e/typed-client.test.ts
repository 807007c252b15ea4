// @module-tag slow

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { sharedConnector } from '../support/started.ts'

const FOLDER = fileURLToPath(new URL('../typed-client', import.meta.url))
const packages = createRequire(join(FOLDER, 'package.json'))
const run = promisify(execFile)

/** Runs a program of a package of the client, and fails with all that it printed. */
async function runProgram(name: string, program: string, ...args: string[]): Promise<void> {
  const path = join(dirname(packages.resolve(`${name}/package.json`)), program)
  try {
    await run(process.execPath, [path, ...args], { cwd: FOLDER })
  } catch (thrown) {
    const { stdout = '', stderr = '' } = thrown as { stdout?: string; stderr?: string }
    throw new Error(`${name}: ${stdout}${stderr}`, { cause: thrown })
  }
}

const connector = sharedConnector()

test('a client made by openapi-typescript compiles under strict rules, and does the whole journey without a cast', async () => {
  await runProgram(
    'openapi-typescript',
    'bin/cli.js',
    `${connector.url}/openapi.json`,
    '-o',
    'openapi.d.ts',
  )
  await runProgram('typescript', 'bin/tsc', '-p', 'tsconfig.json')
  const source = await readFile(join(FOLDER, 'journey.ts'), 'utf8')
  expect(source.match(/\bas (?!const\b)\w+|\bany\b|\w!\.|@ts-/g)).toBe(null)

  // Not part of this program: without the generated types it does not compile.
  const path = join(FOLDER, 'journey.ts')
  const { journey } = (await import(/* @vite-ignore */ path)) as {
    journey(baseUrl: string, pay: () => Promise<void>): Promise<Record<string, unknown>>
  }
  const { moved_to, wanted, ...others } = await journey(connector.url, async () => {
    const act = { act: 'pay', invoice_id: 'in_mock_open', how: 'paid' }
    expect((await connector.rest('/v1/admin/mock-acts', { body: act })).status).toBe(200)
  })
  expect(moved_to).toBe(wanted)
  expect(others).toEqual({
    state: 'cancelled',
    intake: 'submitted',
    url: `${connector.url}/mock/checkout/in_mock_open`,
    again: `${connector.url}/mock/checkout/in_mock_open`,
    due: '2030-01-15',
    payment: 'unpaid',
    paid: 25_000,
    refusal: 'validation_failed',
  })
})
