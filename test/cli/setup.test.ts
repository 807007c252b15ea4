import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { runCommand, terminalOn } from '../../src/cli/command.ts'
import type { Prompts } from '../../src/cli/prompts.ts'
import { setupOptions } from '../../src/cli/setup/arguments.ts'
import { setup } from '../../src/cli/setup/run.ts'
import { type FakeCalcom, fakeCalcom } from '../support/fakes/calcom.ts'
import { type FakeCalendly, fakeCalendly } from '../support/fakes/calendly.ts'
import { FAKE_KEY, type FakeStripe, fakeStripe } from '../support/fakes/stripe.ts'
import { type Clone, freshClone } from './clone.ts'

let clone: Clone
let calendly: FakeCalendly
let calcom: FakeCalcom
let stripe: FakeStripe
beforeAll(() => {
  clone = freshClone()
})
beforeEach(async () => {
  calendly = await fakeCalendly()
  calcom = await fakeCalcom()
  stripe = await fakeStripe()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const fake of [calendly, calcom, stripe]) await fake.stop()
  rmSync(join(clone.root, '.deploy.env'), { force: true })
  process.exitCode = 0
})
afterAll(() => clone.remove())

/** The command in this process, with the answers of a person or without anybody. */
async function run(
  args: string[],
  environment: Record<string, string> = {},
  { prompts, at = 'calendly' }: { prompts?: Prompts; at?: 'calendly' | 'calcom' } = {},
) {
  process.exitCode = 0
  let output = ''
  const terminal = terminalOn({ write: (text) => (output += text) })
  vi.stubEnv('SCHEDULING_PROVIDER_BASE_URL', at === 'calendly' ? calendly.url : calcom.url)
  vi.stubEnv('PAYMENT_PROVIDER_BASE_URL', stripe.url)
  await runCommand(
    '',
    async () =>
      setup({
        given: setupOptions(args, environment).given,
        root: clone.root,
        terminal,
        prompts,
      }),
    terminal,
  )
  return { code: process.exitCode, output }
}

/** Someone at a terminal who gives these answers, by a word of the question. */
function person(answers: Record<string, string | string[]>) {
  const asked: string[] = []
  const hidden: string[] = []
  const reply = (question: string): string => {
    asked.push(question)
    const word = Object.keys(answers).find((one) => question.includes(one))
    const answer = word === undefined ? undefined : answers[word]
    if (word === undefined || answer === undefined) throw new Error(`no one expected: ${question}`)
    return Array.isArray(answer) ? (answer.shift() ?? '') : answer
  }
  const prompts: Prompts = {
    async choose(question, options) {
      const wanted = reply(question)
      const option = options.find(
        ({ value, label }) => value === wanted || label.startsWith(wanted),
      )
      if (!option)
        throw new Error(
          `no such choice: ${wanted} of ${options.map(({ label }) => label).join(', ')}`,
        )
      return option.value
    },
    pick: async () => [],
    async text(question, check, initial) {
      const answer = reply(question) || initial || ''
      const wrong = check(answer)
      if (wrong !== undefined) throw new Error(wrong)
      return answer
    },
    async secret(question, check) {
      hidden.push(question)
      const answer = reply(question)
      expect(check(answer)).toBeUndefined()
      return answer
    },
    confirm: async () => false,
  }
  return { prompts, asked, hidden }
}

const another = () => ({
  ...calendly.eventType,
  id: 'TYPE0000000000BB',
  name: 'Tax review, 60 minutes',
  duration: 60,
})

describe('npm run setup', () => {
  test('asks, shows the event types by name, checks everything, and writes a file that git ignores', async () => {
    calendly.state.eventTypes.push(another())
    const { prompts, hidden } = person({
      called: "Jordan's “Doe & Partners”",
      'time zone': 'Another',
      'Type its name': 'Europe/Berlin',
      'booking page': 'https://calendly.com/doe',
      'clients call': '(555) 555-0142',
      calendar: 'Calendly',
      'Paste a token': calendly.state.token,
      'the consult': 'Consult',
      'another one': ['Tax review'],
      'agents call “Consult': '',
      'agents call “Tax': 'tax-review',
      invoices: 'Stripe',
      'Paste a key': FAKE_KEY,
      'alerts go': 'To Slack',
      'incoming webhook': 'https://hooks.slack.com/services/T/B/x',
    })
    const { code, output } = await run([], {}, { prompts })
    expect(code, output).toBe(0)
    expect(hidden).toHaveLength(2)
    expect(output).toMatch(/✓ Calendar {3}Calendly accepts the token; it shows 2 event types/)
    expect(output).toMatch(/✓ Consult {4}tax-review: Tax review, 60 minutes, \d+ free times/)
    expect(output).toMatch(/✓ Payments {3}Stripe accepts the key; it reads invoices \(test mode\)/)
    expect(output).toMatch(/Webhooks {3}optional, .*lacks the scope webhooks:write/)
    for (const secret of [calendly.state.token, FAKE_KEY]) expect(output).not.toContain(secret)
    const file = clone.read('.deploy.env')
    expect(file).toContain(`PRACTICE_NAME="Jordan's “Doe & Partners”"\n`)
    expect(file).toContain('PRACTICE_TIMEZONE=Europe/Berlin\n')
    expect(file).toContain('SCHEDULING_PROVIDER=calendly\n')
    expect(file).toContain(`SCHEDULING_PROVIDER_TOKEN=${calendly.state.token}\n`)
    expect(file).toContain('ALERT_WEBHOOK_URL=https://hooks.slack.com/services/T/B/x\n')
    expect(file).not.toContain('TIMESTAMP_URL')
    expect(file).toContain(`PAYMENT_PROVIDER_SECRET_KEY=${FAKE_KEY}\n`)
    expect(file).toContain(
      `EVENT_TYPES='{"consult":{"id":"https://api.calendly.com/event_types/TYPE0000000000AA"},"tax-review":{"id":"https://api.calendly.com/event_types/TYPE0000000000BB"}}'`,
    )
    expect(clone.leftBehind()).toEqual(['connector/.deploy.env'])

    const kept = { calendar: 'Leave it', invoices: 'Leave it', 'alerts go': 'Leave it' }
    const about = { called: '', 'time zone': 'Europe/Berlin', 'booking page': '' }
    const again = person({ ...kept, ...about, 'clients call': '(555) 555-0199' })
    expect((await run([], {}, { prompts: again.prompts })).code).toBe(0)
    expect(again.hidden).toEqual([])
    expect(clone.read('.deploy.env')).toBe(file?.replace('0142', '0199'))
  })

  test('can go on with the mock, and offers the earlier answers the second time', async () => {
    const first = person({
      called: 'Doe',
      'time zone': 'Eastern',
      'booking page': '',
      'clients call': '',
      calendar: 'Not yet',
      invoices: 'Not yet',
      'alerts go': 'To my phone',
    })
    expect((await run([], {}, { prompts: first.prompts })).output).toContain('✓ Settings')
    const again = person({
      called: '',
      'time zone': 'Eastern',
      'booking page': '',
      'clients call': '',
      calendar: 'Not yet',
      invoices: 'Not yet',
      'alerts go': 'Leave it',
    })
    expect((await run([], {}, { prompts: again.prompts })).code).toBe(0)
    const file = clone.read('.deploy.env')
    expect(file).toContain('PRACTICE_NAME=Doe\n')
    expect(file).toContain('PRACTICE_TIMEZONE=America/New_York\n')
    expect(file).toMatch(/ALERT_WEBHOOK_URL=https:\/\/ntfy\.sh\/consult-[0-9a-f]{24}\n/)
  })

  test('asks for a token and a key again where one was refused, and says nothing of settings', async () => {
    const { prompts } = person({
      called: 'Doe',
      'time zone': 'Central',
      calendar: 'Calendly',
      'Paste a token': 'planted-wrong',
      'Paste another token': ['planted-too', calendly.state.token],
      'the consult': 'Consult',
      invoices: 'Stripe',
      'Paste a key': 'rk_planted',
      'Paste another key': FAKE_KEY,
      'alerts go': 'Nowhere',
      'booking page': '',
      'clients call': '',
    })
    const { code, output } = await run([], {}, { prompts })
    expect(code, output).toBe(0)
    expect(output.match(/does not accept the token/g)).toHaveLength(2)
    expect(output).not.toMatch(/planted|SCHEDULING_PROVIDER_TOKEN|PAYMENT_PROVIDER_SECRET_KEY/)
    expect(clone.read('.deploy.env')).toContain(
      `SCHEDULING_PROVIDER_TOKEN=${calendly.state.token}\n`,
    )
  })

  test('says which zone was meant, and warns of the zone of a server', async () => {
    const meant = await run(['--timezone', 'Eastern Time'])
    expect(meant.output).toContain('did you mean America/New_York?'.replace('d', 'D'))
    const server = await run(['--timezone', 'UTC'])
    expect(server.code).toBe(0)
    expect(server.output).toContain('UTC is the zone of servers')
  })

  test('runs from scripts with flags and the environment, also with Cal.com', async () => {
    const { code, output } = await run(
      [
        '--practice-name',
        'Doe',
        '--timezone',
        'America/Chicago',
        '--provider',
        'calcom',
        '--event-type',
        '4711',
        '--payments',
        'none',
      ],
      { SCHEDULING_PROVIDER_TOKEN: calcom.state.token },
      { at: 'calcom' },
    )
    expect(code, output).toBe(0)
    expect(clone.read('.deploy.env')).toMatch(
      /SCHEDULING_PROVIDER=calcom\n[^]*EVENT_TYPES='\{"consult":\{"id":"4711"\}\}'/,
    )
  })

  test('notes what the chosen kinds ask, so that booking offers it, and takes it back', async () => {
    const given = ['--practice-name', 'Doe', '--timezone', 'America/Chicago', '--payments', 'none']
    const secrets = { SCHEDULING_PROVIDER_TOKEN: calendly.state.token }
    const again = () => run([...given, '--provider', 'calendly'], secrets)
    calendly.eventType.questions = [{ name: 'What about?', enabled: true, required: true }]
    calendly.eventType.locations = [{ kind: 'outbound_call' }]
    const { code, output } = await again()
    expect(code, output).toBe(0)
    expect(output).toMatch(/free times in the next 7 days; a booking needs answers, phone/)
    expect(clone.read('.deploy.env')).toMatch(/^BOOKING_ASKS=["']?answers,phone["']?$/m)
    calendly.eventType.questions = []
    calendly.eventType.locations = [{ kind: 'zoom_conference' }]
    await again()
    expect(clone.read('.deploy.env')).not.toContain('BOOKING_ASKS')
  })

  test('refuses a token that the provider rejects with what to do, and writes nothing', async () => {
    for (const at of ['calendly', 'calcom'] as const) {
      const { code, output } = await run(
        ['--provider', at],
        { SCHEDULING_PROVIDER_TOKEN: 'planted-wrong' },
        { at },
      )
      expect(code).toBe(1)
      expect(output).toMatch(/does not accept the (token|key)[^]*Make a new[^]*nothing was written/)
      expect(output).not.toContain('planted-wrong')
    }
    expect(clone.read('.deploy.env')).toBeUndefined()
  })

  test('refuses a Stripe key that may not read invoices with the missing permission, and writes nothing', async () => {
    stripe.forbid('rak_invoice_read')
    const { code, output } = await run(['--practice-name', 'Doe', '--payments', 'stripe'], {
      PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY,
    })
    expect(code).toBe(1)
    expect(output).toMatch(/Invoices: Read[^]*nothing was written/)
    expect(clone.read('.deploy.env')).toBeUndefined()
  })

  test('refuses an event type that cannot be booked with what to change in it', async () => {
    calendly.eventType.is_paid = true
    const { code, output } = await run(['--provider', 'calendly'], {
      SCHEDULING_PROVIDER_TOKEN: calendly.state.token,
    })
    expect(code).toBe(1)
    expect(output).toContain('take off its price')
  })

  test('lists several event types with their ids if no one can be asked, and how to choose one', async () => {
    calendly.state.eventTypes.push(another())
    const { output } = await run(['--provider', 'calendly'], {
      SCHEDULING_PROVIDER_TOKEN: calendly.state.token,
    })
    expect(output).toContain(
      'Tax review, 60 minutes, 60 minutes  https://api.calendly.com/event_types/TYPE0000000000BB',
    )
    expect(output).toContain('--event-type "<title or id>"')
  })

  test('refuses an unknown zone before it asks anything', async () => {
    const { output } = await run(['--timezone', 'planted/zone', '--provider', 'calendly'], {
      SCHEDULING_PROVIDER_TOKEN: 'x',
    })
    expect(output).toMatch(/PRACTICE_TIMEZONE[^]*nothing was written/)
    expect(output).not.toContain('planted')
    expect(calendly.requests).toEqual([])
  })

  test('refuses a token on the command line, and accepts it on standard input', async () => {
    const env = {
      SCHEDULING_PROVIDER_BASE_URL: calendly.url,
      PAYMENT_PROVIDER_BASE_URL: stripe.url,
    }
    const wrong = await clone.run('setup', ['--token', calendly.state.token], env)
    expect(wrong.code).toBe(1)
    expect(wrong.output).toContain('Tokens are never given on the command line')
    expect(wrong.output).not.toContain(calendly.state.token)
    const right = await clone.run(
      'setup',
      ['--provider', 'calendly', '--secrets-from-stdin'],
      env,
      {
        stdin: `SCHEDULING_PROVIDER_TOKEN=${calendly.state.token}\n`,
      },
    )
    expect(right.output).toContain('Next: npm run deploy')
    expect(right.code).toBe(0)
    expect(clone.read('.deploy.env')).toContain(
      `SCHEDULING_PROVIDER_TOKEN=${calendly.state.token}\n`,
    )
    const stray = await clone.run('setup', ['--secrets-from-stdin'], env, {
      stdin: 'SIGNING_SECRET=planted\n',
    })
    expect(stray.output).toMatch(
      /no token of a provider; nothing was written\.\n {2}It takes SCHED/,
    )
    const silent = await clone.run('setup', [], env)
    expect(silent.output).toContain('No answers were given, and there is no terminal to ask at.')
  })
})
