// @module-tag slow

import { expect, test } from 'vitest'

import { runCommand } from '../support/command.ts'

// Deploy and setup read their own command line; all others are asked as `keys` is.
const COMMANDS = ['deploy', 'setup', 'keys']

async function run(command: string, args: string[], env?: Record<string, string>) {
  const { code, stdout, stderr } = await runCommand(command, args, env)
  return { code, text: stdout + stderr }
}

test.each(COMMANDS)('npm run %s explains itself when asked', async (name) => {
  const help = await run(name, ['--help'])
  expect([help.code, help.text]).toEqual([0, expect.stringContaining(`npm run ${name}`)])
})

test.each(['backup', 'forget', 'pause', 'resolve', 'webhooks'])(
  'npm run %s says which key it needs, and names --url, so that npm cannot keep that unseen',
  async (name) => {
    const { text } = await run(name, ['--help'])
    expect(text).toMatch(/--url https[^]*CONNECTOR_API_KEY[^]* scope/)
  },
)

test.each(COMMANDS)('npm run %s answers an unknown option in words, with its own', async (name) => {
  const unknown = await run(name, ['--no-such-thing'])
  expect(unknown.code).toBe(1)
  expect(unknown.text).toContain('There is no option --no-such-thing')
  expect(unknown.text).toContain(`npm run ${name}`)
})

test('npm start explains itself when asked, and says where a port is set if one is given as an option', async () => {
  const help = await run('serve', ['--help'])
  expect([help.code, help.text]).toEqual([0, expect.stringContaining('PORT=9000')])
  const option = await run('serve', ['--port', '9000'])
  expect([option.code, option.text]).toEqual([1, expect.stringContaining('PORT=9000')])
})

// All others ask for their address and key as `keys` does.
test.each([
  ['keys', 'list', '--url'],
  ['doctor', '--url'],
  ['demo', '--target', 'own', '--url'],
])('npm run %s never sends the API key over plain http to another machine', async (...given) => {
  const key = `ccn_${'k'.repeat(43)}`
  const [name = '', ...args] = given
  const address = 'http://connector.example.com'
  const { text, code } = await run(name, [...args, address], { CONNECTOR_API_KEY: key })
  expect(code).toBe(1)
  expect(text).toContain(
    'CONNECTOR_API_KEY is sent only over https, or to a connector on this machine',
  )
  expect(text).not.toContain(key)
})
