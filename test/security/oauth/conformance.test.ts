// @module-tag slow

import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

import { expect, test } from 'vitest'

import { decide, returnAddress } from '../../support/browser.ts'
import { ownerBrowser } from '../../support/owner-connector.ts'
import { practiceForTest } from '../../support/started.ts'
import { app } from './app.ts'

const CLI = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

/** The suite wants to know its port beforehand: one that was free a moment ago. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

test.each(['2025-11-25', '2026-07-28'])(
  'the conformance suite for authorization servers passes (%s)',
  async (revision) => {
    const practice = await practiceForTest()
    const web = await ownerBrowser(practice)
    const port = await freePort()
    const clientId = await app(practice.url).registered({
      redirect_uris: [`http://127.0.0.1:${port}/callback`, `http://localhost:${port}/callback`],
    })
    const target = [
      '--url',
      practice.url,
      '--client-id',
      clientId,
      '--resource',
      `${practice.url}/mcp`,
    ]
    const child = spawn(
      process.execPath,
      [CLI, 'authorization', ...target, '--port', String(port), '--spec-version', revision],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    let answered: Promise<unknown> | undefined
    const read = (chunk: Buffer) => {
      output += stripVTControlCharacters(chunk.toString())
      const asked = /^http\S+\/authorize\?\S+$/m.exec(output)?.[0]
      if (asked !== undefined) answered ??= answer(new URL(asked))
    }
    const answer = async ({ pathname, search }: URL): Promise<void> => {
      const page = await web.open(pathname + search)
      // The suite asks for no scope, so the owner chooses.
      await fetch(returnAddress(await decide(web, page, 'allow', ['availability:read'])))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    const exit = await new Promise((resolve) => child.once('close', resolve))
    await answered
    expect(output).not.toMatch(/SKIPPED|FAILURE|WARNING/)
    expect(output).toContain('authorization-code-grant')
    expect(exit).toBe(0)
  },
)
