// @module-tag slow

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { TO_BEGIN_WITH } from '../../src/practice/operations/house-rules.ts'
import { softAuthenticator } from '../support/authenticator.ts'
import { type Browser, type Page, browser, confirmed, unescaped } from '../support/browser.ts'
import { programWith } from '../support/console-walk.ts'
import { type FakeCalendly, fakeCalendly } from '../support/fakes/calendly.ts'
import { type FakeCloudflare, fakeCloudflare } from '../support/fakes/cloudflare.ts'
import { FAKE_KEY, type FakeStripe, fakeStripe } from '../support/fakes/stripe.ts'
import { enrol, offerPasskey } from '../support/passkeys.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'
import { type Clone, freshClone } from './clone.ts'
import { servedBy } from './served.ts'

const NAME = 'consult-connector'
const PUBLIC_URL = `https://${NAME}.the-practice.workers.dev`
const ENTER = '\r'

/** The commands of docs/operate/first-hour.md, from a clone to a connector that is live and backed up. */
const COMMANDS = commandsIn(new URL('../../docs/operate/first-hour.md', import.meta.url))
/** Those that only try something, on this computer or at the providers; other tests run them. */
const TRIALS = ['npm start', 'npm run demo -- --target live', 'npm run restore -- --drill']
const DOCUMENTED = COMMANDS.filter((command) => !TRIALS.includes(command))

function commandsIn(page: URL): string[] {
  const blocks = readFileSync(fileURLToPath(page), 'utf8').matchAll(/```sh\n([^]*?)```/g)
  return [...blocks].flatMap(([, text = '']) => text.trim().split('\n'))
}

describe('an owner, from the clone to a connector that is live, ruled, alerted and backed up', () => {
  let cloudflare: FakeCloudflare
  let calendly: FakeCalendly
  let stripe: FakeStripe
  let ntfy: Awaited<ReturnType<typeof webhookReceiver>>
  let served: Awaited<ReturnType<typeof servedBy>>
  let clone: Clone
  let env: Record<string, string>
  let web: Browser
  /** What was typed so far. A clone and its packages are there before the first test. */
  const typed = DOCUMENTED.slice(0, 2)

  beforeAll(async () => {
    cloudflare = await fakeCloudflare()
    // The owner has enabled R2 in the dashboard.
    cloudflare.state.buckets = new Map()
    calendly = await fakeCalendly()
    stripe = await fakeStripe()
    stripe.set('in_test1')
    ntfy = await webhookReceiver()
    served = await servedBy(cloudflare, NAME, {
      'api.calendly.com': calendly.url,
      'api.stripe.com': stripe.url,
      'ntfy.sh': ntfy.url,
    })
    clone = freshClone()
    env = {
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_API_TOKEN: cloudflare.state.token,
      DEPLOY_CHECK_URL: served.url,
      SCHEDULING_PROVIDER_BASE_URL: calendly.url,
      PAYMENT_PROVIDER_BASE_URL: stripe.url,
      TZ: 'America/Chicago',
    }
    web = browser(PUBLIC_URL, async (request) => {
      const { method, headers } = request
      const body = method === 'GET' ? undefined : await request.arrayBuffer()
      const { pathname, search } = new URL(request.url)
      return fetch(served.url + pathname + search, {
        method,
        headers,
        redirect: 'manual',
        ...(body && { body }),
      })
    })
  })
  afterAll(async () => {
    for (const one of [served, cloudflare, calendly, stripe, ntfy]) await one.stop()
    clone.remove()
  })

  /** Types a command at a terminal, with these answers to what it asks. It must succeed. */
  async function types(
    command: 'setup' | 'deploy' | 'backup',
    args: string[],
    answers: [question: string, keys: string][] = [],
  ): Promise<string> {
    typed.push(['npm run', command, ...(args.length > 0 ? ['--', ...args] : [])].join(' '))
    // The name of the deployed connector leads nowhere on this machine.
    const given = args.map((arg) => (arg === PUBLIC_URL ? served.url : arg))
    const first = await clone.run(command, given, env, { answers })
    // Deploy waits a minute for an upload to answer. On a machine that takes longer to start it, deploy says what an
    // owner does: run it again.
    const isSlow = first.output.includes('No answer')
    const { code, output } = isSlow ? await clone.run(command, given, env) : first
    expect(code, output).toBe(0)
    return first.output + output
  }

  const home = (): Promise<Page> => web.open('/owner')
  /** How many of the first steps have ticked themselves, and the words of the one that is next; nothing once they are gone. */
  async function firstSteps(): Promise<[done: string | undefined, next: string]> {
    const { html, status } = await home()
    expect(status).toBe(200)
    const [next = ''] = /<li class="now">[^]*?<\/li>/.exec(html) ?? []
    return [
      /(\d of \d) done/.exec(html)?.[1],
      unescaped(next.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' '),
    ]
  }
  /** Home says that so many are done, and what comes next; the log has what was done a moment later. */
  const nextIs = (done: string, words: string): Promise<void> =>
    expect.poll(firstSteps).toEqual([done, expect.stringContaining(words)])
  /** Presses the button of the next step, which is a form with this action. */
  async function presses(action: string): Promise<void> {
    const { status } = await web.submit(action, (await home()).form(action))
    expect(status).toBe(303)
  }

  test('types no more commands than docs/operate/first-hour.md counts', () => {
    expect(new Set(COMMANDS).size).toBe(8)
    expect(COMMANDS).toEqual(expect.arrayContaining(TRIALS))
    expect(typed[0]).toMatch(/^git clone/)
    expect(typed[1]).toBe('npm ci')
  })

  let key = ''
  test('answers what setup asks, which checks the tokens at the providers', async () => {
    const said = await types(
      'setup',
      [],
      [
        ['What is the practice called', `Harbor Tax & Books${ENTER}`],
        ['Which time zone', ENTER],
        ['Where is your calendar', ENTER],
        ['Paste a token', calendly.state.token + ENTER],
        ['Which of these is the consult', ENTER],
        ['Where are your invoices', ENTER],
        ['Paste a key', FAKE_KEY + ENTER],
        ['Where should alerts go', ENTER],
        ['public booking page', ENTER],
        ['Which number do clients call', `555-0142${ENTER}`],
      ],
    )
    expect(said).toContain('Next: npm run deploy.')
  })

  test('deploys: the connector is live with the real calendar, and its link makes a passkey', async () => {
    const deployed = await types('deploy', [])
    expect(deployed).toContain(`It is live: ${PUBLIC_URL}`)
    expect(deployed).not.toContain('Still a mock')
    key = /\bccn_[0-9A-Za-z]{49}\b/.exec(deployed)![0]
    const [, token = ''] = /\/owner\/enrol#(enr_[\w-]+)/.exec(deployed)!
    const health = (await (await fetch(`${served.url}/health`)).json()) as object
    expect(health).toMatchObject({ adapters: { scheduling: 'live', payments: 'live' } })

    expect((await enrol({ token }, web, softAuthenticator(PUBLIC_URL))).status).toBe(200)
    await nextIs('2 of 7', 'A second passkey')
  })

  test('makes a second passkey, and a program makes a payment link: the steps tick themselves', async () => {
    await confirmed(web, await offerPasskey(web, softAuthenticator(PUBLIC_URL)))
    await nextIs('3 of 7', 'A first call')
    const asked = await programWith(served.url, key).asks('/v1/payment-links', {
      invoice_id: 'in_test1',
    })
    const { body } = await asked.commit()
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'committed' })
    await nextIs('4 of 7', 'A rule for your agents')
  })

  test('turns on rules in one press, and sees an alert arrive on the phone in another', async () => {
    await presses('/owner/rules')
    const { body } = await programWith(served.url, key).send('/v1/me')
    const [above] = TO_BEGIN_WITH.rules.approval!
    expect(above).toMatchObject({ operation: 'create_payment_link', above: { usd: 50_000 } })
    expect(JSON.stringify(body['rules'])).toContain('$500.00')
    await nextIs('5 of 7', 'ntfy.sh')

    await presses('/owner/alerts/test')
    const topic = /ALERT_WEBHOOK_URL=https:\/\/ntfy\.sh(\/consult-\w+)/.exec(
      clone.read('.deploy.env')!,
    )![1]
    expect(ntfy.deliveries).toMatchObject([{ path: topic, headers: { title: expect.any(String) } }])
    await nextIs('6 of 7', `npm run backup -- --new-key --url ${PUBLIC_URL}`)
  })

  test('makes the key of the backups as Home says, deploys, and after a night nothing is left to do', async () => {
    const made = await types('backup', ['--new-key', '--url', PUBLIC_URL])
    expect(made).toContain('npm run deploy')
    await types('deploy', [], [['Keep a backup in this account each night', ENTER]])
    expect(cloudflare.state.buckets!.has(`${NAME}-backups`)).toBe(true)

    const connector = await served.miniflare()
    await (await connector.getWorker()).scheduled({ cron: '41 2 * * *' })
    const bucket = await connector.getR2Bucket('BACKUPS')
    const [file] = await vi.waitFor(async () => {
      const { objects } = await bucket.list()
      expect(objects).toHaveLength(1)
      return objects
    })
    const recipient = /BACKUP_RECIPIENT=(age1\w+)/.exec(clone.read('.deploy.env')!)![1]!
    expect(file!.key).toContain(recipient.slice(-8))

    await expect.poll(firstSteps).toEqual([undefined, ''])
    expect((await home()).html).toContain('Nothing needs you.')
  })

  test('has typed the commands of docs/operate/first-hour.md, in their order and no other', () => {
    const shown = typed.map((command) => command.replace(PUBLIC_URL, 'https://…'))
    expect(shown).toEqual(DOCUMENTED)
  })
})
