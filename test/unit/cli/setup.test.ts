import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { describe, expect, test } from 'vitest'

import { CliError, terminalOn } from '../../../src/cli/command.ts'
import { type Prompts, promptsAt } from '../../../src/cli/prompts.ts'
import { setupOptions } from '../../../src/cli/setup/arguments.ts'
import { chosen, eventTypesSetting, named, shortName } from '../../../src/cli/setup/event-types.ts'
import { interviewTypes } from '../../../src/cli/setup/interview.ts'
import { setup } from '../../../src/cli/setup/run.ts'
import { settingsFrom } from '../../../src/core/settings.ts'

const consult = {
  id: 'https://api.calendly.com/event_types/AA',
  title: 'First consult',
  minutes: 30,
}
const review = { id: 'https://api.calendly.com/event_types/BB', title: 'Tax review', minutes: 60 }

describe('the event types of a practice', () => {
  test.each([
    ['Tax review', 'tax-review'],
    ['  Erstgespräch (30 Min.) ', 'erstgesprach-30-min'],
    ['会議', 'consult'],
  ])('%j is called %j', (title, name) => expect(shortName(title)).toBe(name))

  test('a single one is the consult; several have names that differ', () => {
    expect(named([review]).map(({ name }) => name)).toEqual(['consult'])
    expect(named([consult, review, { ...review, id: 'CC' }]).map(({ name }) => name)).toEqual([
      'first-consult',
      'tax-review',
      'tax-review-2',
    ])
  })

  test('are chosen beforehand by title, id or the last part of it, the first being the default', () => {
    const picked = chosen(['tax REVIEW', 'hello=AA'], [consult, review])
    expect(picked.map(({ name, id }) => [name, id])).toEqual([
      ['tax-review', review.id],
      ['hello', consult.id],
    ])
    const { practice } = settingsFrom({ EVENT_TYPES: eventTypesSetting(picked) })
    expect(practice.eventTypes.map(({ name }) => name)).toEqual(['tax-review', 'hello'])
  })

  test('are chosen at a terminal one by one, and each gets a name that is its own', async () => {
    const intro = { id: 'CC', title: 'Intro', minutes: 15 }
    const picks = ['CC', consult.id, review.id]
    const names = ['', 'intro', 'First', 'first', 'tax']
    const refused: string[] = []
    const prompts: Prompts = {
      choose: async () => picks.shift() ?? '',
      pick: async () => [],
      async text(_question, check, initial) {
        for (;;) {
          const text = names.shift() || initial || ''
          const wrong = check(text)
          if (wrong === undefined) return text
          refused.push(wrong)
        }
      },
      secret: async () => '',
      confirm: async () => false,
    }
    const picked = await interviewTypes(prompts, [consult, review, intro])
    expect(refused).toEqual([
      'Another one is called so.',
      'The short name of an event type has small letters, digits, - and _.',
    ])
    const { practice } = settingsFrom({ EVENT_TYPES: eventTypesSetting(picked) })
    expect(practice.eventTypes).toEqual([
      { name: 'intro', id: 'CC' },
      { name: 'first', id: consult.id },
      { name: 'tax', id: review.id },
    ])
  })

  test('that do not exist or are ambiguous are refused with the list of all', () => {
    expect(() => chosen(['nothing'], [consult, review])).toThrow(
      /First consult, 30 minutes[^]*Tax review, 60/,
    )
    expect(() => chosen(['Tax review'], [review, { ...review, id: 'CC' }])).toThrow(/Several/)
    expect(() => chosen(['Not so=AA'], [consult])).toThrow(CliError)
    expect(() => chosen(['a=AA', 'a=BB'], [consult, review])).toThrow(/twice/)
  })
})

test('a token is never taken from the command line, and an empty one counts as none', () => {
  expect(() => setupOptions(['--token', 'secret'], {})).toThrow(
    expect.objectContaining({ code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' }),
  )
  expect(() => setupOptions(['--provider', 'another'], {})).toThrow(
    /takes calendly, calcom.* or none/,
  )
  expect(
    setupOptions(['--scheduling-page', 'none'], { SCHEDULING_PROVIDER_TOKEN: ' ' }).given,
  ).toEqual({
    eventTypes: [],
    texts: { SCHEDULING_PAGE_URL: '' },
  })
})

test('a provider that is left out is not called a mock while a deployed connector may use it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'setup-'))
  writeFileSync(join(root, '.deploy.env'), 'WORKER_NAME=practice-2\n')
  let said = ''
  const terminal = terminalOn({ write: (text) => (said += text) })
  await setup({
    given: { texts: {}, eventTypes: [], provider: 'none', payments: 'none' },
    root,
    terminal,
    prompts: undefined,
  })
  rmSync(root, { recursive: true })
  expect(said).toMatch(/Calendar .*mock\. .* npx wrangler secret delete SCHEDULING_PROVIDER_TOKEN/)
  expect(said).toMatch(
    /Payments .*mock\. .* npx wrangler secret delete PAYMENT_PROVIDER_SECRET_KEY --name practice-2/,
  )
  expect(said).toMatch(/Next: npm run deploy\.$/m)
})

describe('a question at a terminal', () => {
  function terminal() {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
    let shown = ''
    output.on('data', (chunk: Buffer) => (shown += chunk.toString()))
    const before = process.env['CI']
    delete process.env['CI']
    const prompts = promptsAt(input as never, output as never)
    if (before !== undefined) process.env['CI'] = before
    return { input, prompts: prompts!, shown: () => shown }
  }

  test('takes a pasted secret and never shows it', async () => {
    const { input, prompts, shown } = terminal()
    const answer = prompts.secret('Paste a token.', () => undefined)
    for (const key of 'planted') input.write(key)
    input.write('\r')
    expect(await answer).toBe('planted')
    expect(shown()).toContain('Paste a token.')
    expect(shown()).not.toMatch(/p.?l.?a.?n.?t/)
  })

  test('ends with a sentence on Ctrl+C', async () => {
    const { input, prompts } = terminal()
    const answer = prompts.text('What is the practice called?', () => undefined)
    input.write('\x03')
    await expect(answer).rejects.toThrow('You cancelled it')
  })

  test('is not asked without a terminal', () => {
    expect(promptsAt(new PassThrough() as never, new PassThrough() as never)).toBeUndefined()
  })
})
