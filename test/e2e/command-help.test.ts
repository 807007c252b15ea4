// @module-tag slow

import { spawnSync } from 'node:child_process'

import { expect, test } from 'vitest'

// Deploy and setup read their own command line; all others are asked as `keys` is.
const COMMANDS = ['deploy', 'setup', 'keys']

function run(command: string, ...given: string[]): { text: string; code: number | null } {
  return runWith({}, command, ...given)
}

function runWith(
  environment: Record<string, string>,
  command: string,
  ...given: string[]
): { text: string; code: number | null } {
  const node = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...node, `src/cli/${command}.ts`, ...given],
    { encoding: 'utf8', input: '', env: { ...process.env, ...environment } },
  )
  return { text: stdout + stderr, code: status }
}

test.each(COMMANDS)('npm run %s explains itself when asked', (name) => {
  const help = run(name, '--help')
  expect([help.code, help.text]).toEqual([0, expect.stringContaining(`npm run ${name}`)])
})

test.each(['backup', 'forget', 'pause', 'resolve', 'webhooks'])(
  'npm run %s says which key it needs, and names --url, so that npm cannot keep that unseen',
  (name) => {
    const { text } = run(name, '--help')
    expect(text).toMatch(/--url https[^]*CONNECTOR_API_KEY[^]* scope/)
  },
)

test.each(COMMANDS)('npm run %s answers an unknown option in words, with its own', (name) => {
  const unknown = run(name, '--no-such-thing')
  expect(unknown.code).toBe(1)
  expect(unknown.text).toContain('There is no option --no-such-thing')
  expect(unknown.text).toContain(`npm run ${name}`)
})

test('npm start explains itself when asked, and says where a port is set if one is given as an option', () => {
  const help = run('serve', '--help')
  expect([help.code, help.text]).toEqual([0, expect.stringContaining('PORT=9000')])
  const option = run('serve', '--port', '9000')
  expect([option.code, option.text]).toEqual([1, expect.stringContaining('PORT=9000')])
})

// All others ask for their address and key as `keys` does.
test.each([
  ['keys', 'list', '--url'],
  ['doctor', '--url'],
  ['demo', '--target', 'own', '--url'],
])('npm run %s never sends the API key over plain http to another machine', (...given) => {
  const key = `ccn_${'k'.repeat(43)}`
  const [name = '', ...args] = given
  const { text, code } = runWith(
    { CONNECTOR_API_KEY: key },
    name,
    ...args,
    'http://connector.example.com',
  )
  expect(code).toBe(1)
  expect(text).toContain(
    'CONNECTOR_API_KEY is sent only over https, or to a connector on this machine',
  )
  expect(text).not.toContain(key)
})
