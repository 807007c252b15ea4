// @module-tag slow

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { HOUR } from '../../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../../src/owner/access/passkey-enrolment.ts'
import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log(
    'No Chromium on this machine: approval under npm start is not tried in a real browser.',
  )

/** The very command of `npm start`, with an enrolment link for its owner; the address that it prints. */
async function npmStart(token: string) {
  const storage = await mkdtemp(join(tmpdir(), 'consult-connector-start-'))
  const node = [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    'src/cli/serve.ts',
  ]
  const command: ChildProcess = spawn(process.execPath, node, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      STORAGE_DIR: storage,
      OWNER_ENROLMENT_SHA256: createHash('sha256').update(token).digest('hex'),
    },
  })
  let url: string | undefined
  for await (const line of createInterface({ input: command.stdout! })) {
    url = /is running on (\S+)/.exec(line)?.[1]
    if (url !== undefined) break
  }
  command.stdout!.resume()
  if (url === undefined) throw new Error('npm start did not begin')
  return {
    url,
    async stop() {
      command.kill('SIGINT')
      if (command.exitCode === null) await once(command, 'exit')
      await rm(storage, { recursive: true, force: true })
    },
  }
}

describe.runIf(executable !== undefined)('a change under `npm start`, in a real browser', () => {
  let connector: Awaited<ReturnType<typeof npmStart>>
  let chromium: Window
  let page: Page

  beforeAll(async () => {
    const token = newEnrolmentToken(Date.now() + HOUR, randomBytes(32))
    connector = await npmStart(token)
    chromium = await openChromium(executable!)
    page = await chromium.context.newPage()
    await addAuthenticator(page)
    await page.goto(`${connector.url}/owner/enrol#${token}`)
    // The link was opened at the address; the hint leads to the name, with all that the link brings.
    await page.getByRole('link', { name: /^http:\/\/localhost/ }).click()
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.waitForURL(/\/owner$/)
  })
  afterAll(async () => {
    await chromium.close()
    await connector.stop()
  })

  /** An agent whose host opens the page of the approval and waits; the person approves there, with the keyboard alone. */
  async function commitOfAHostThatWaits() {
    const key = crypto.randomUUID()
    const client = new Client(
      { name: 'host', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
    )
    let asked = { url: '' }
    let approving: Promise<void> | undefined
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked = params as unknown as { url: string }
      await page.goto(asked.url)
      await page.getByRole('heading', { name: /this .*\?$/ }).waitFor()
      // The host answers that the page is open, and its call waits; then the person decides.
      approving = sleep(500).then(() => pressWithTheKeyboard('Approve with your passkey'))
      return { action: 'accept' as const }
    })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', connector.url)))
    const call = async (more: object) => {
      const fields = { invoice_id: 'in_mock_open', idempotency_key: key, ...more }
      return (await client.callTool({ name: 'create_payment_link', arguments: fields }))
        .structuredContent
    }
    try {
      const { confirmation_token } = (await call({ confirm: false })) as {
        confirmation_token: string
      }
      const answer = await call({ confirm: true, confirmation_token })
      await approving
      return { answer, asked }
    } finally {
      await client.close()
    }
  }
  async function pressWithTheKeyboard(name: string): Promise<void> {
    const button = page.getByRole('button', { name })
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      if (await button.evaluate((one) => one === document.activeElement)) break
    }
    await page.keyboard.press('Enter')
  }
  const onAPhone = async () => page.setViewportSize({ width: 360, height: 740 })

  test('is asked for by a rule of the owner, approved with a passkey at the link of the agent, and its page tells the end', async () => {
    await page.goto(`${connector.url.replace('127.0.0.1', 'localhost')}/owner/settings`)
    await page.getByText('Change the rules for all callers').click()
    await page.getByLabel('A person approves: Create a payment link').selectOption('Always')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await page.getByText('The rules are saved').waitFor()

    await onAPhone()
    const { answer, asked } = await commitOfAHostThatWaits()
    expect(new URL(asked.url).hostname).toBe('localhost')
    expect(answer).toMatchObject({ status: 'committed', approval: { level: 'person' } })
    // What the person pressed led to the end of the change, since its commit was waiting for them.
    await page.getByText('Made at ').waitFor()
    expect(await page.locator('main').innerText()).toMatch(/Approved\s+by you/)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status')
    // So does the link in the chat from then on.
    await page.goto(asked.url)
    await page.getByRole('link', { name: 'The entries of this change' }).click()
    await page.getByText(/made a payment link/).waitFor()
  })
})
