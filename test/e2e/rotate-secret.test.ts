import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { runCommand } from '../support/command.ts'

/** The secrets of the Worker, as Cloudflare keeps them: it lists their names, and never gives a value back. */
const secrets = new Map([
  ['OWNER_KEY_SHA256', 'x'],
  ['SIGNING_SECRET', 'the first one'],
  ['SIGNING_SECRET_9', 'the ninth one'],
])

let cloudflare: Server
beforeAll(async () => {
  cloudflare = createServer((request, response) => {
    const body: Buffer[] = []
    request.on('data', (chunk: Buffer) => body.push(chunk))
    request.on('end', () => {
      const name = /\/scripts\/practice\/secrets\/(\w+)/.exec(request.url ?? '')?.[1]
      if (request.method === 'PUT') {
        const put = JSON.parse(Buffer.concat(body).toString()) as { name: string; text: string }
        secrets.set(put.name, put.text)
      }
      if (request.method === 'DELETE') secrets.delete(name ?? '')
      const result = [...secrets.keys()].map((one) => ({ name: one, type: 'secret_text' }))
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }))
    })
  })
  await new Promise<void>((resolve) => cloudflare.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => cloudflare.close(resolve)))

async function rotate(...given: string[]): Promise<string> {
  const { port } = cloudflare.address() as AddressInfo
  const api = {
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
    CLOUDFLARE_API_TOKEN: 'x',
    CLOUDFLARE_ACCOUNT_ID: 'account',
  }
  const { code, stdout, stderr } = await runCommand(
    'rotate-secret',
    ['--name', 'practice', ...given],
    api,
  )
  expect(code, stderr).toBe(0)
  return stdout
}

test('npm run rotate-secret adds a secret that signs without reading one, and removes old ones only with its flag', async () => {
  const said = await rotate()
  expect(secrets.get('SIGNING_SECRET_10')).toMatch(/^[\w-]{43}$/)
  expect(secrets.get('SIGNING_SECRET')).toBe('the first one')
  expect(said).toContain('SIGNING_SECRET_10 signs from now on')
  expect(said).not.toContain(secrets.get('SIGNING_SECRET_10'))

  expect(await rotate('--finish', '--yes')).toContain('Removed SIGNING_SECRET_9, SIGNING_SECRET.')
  expect([...secrets.keys()].toSorted()).toEqual(['OWNER_KEY_SHA256', 'SIGNING_SECRET_10'])
})
