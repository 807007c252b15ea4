import { describe, expect, test } from 'vitest'

import { settingsOf } from '../../src/cli/settings-file.ts'
import { Problem } from '../../src/core/domain/problem/problem.ts'
import { isSecret, isSetting, settingsFrom, settingsOrNone } from '../../src/core/settings.ts'

const secret = (name: string) => `the ${name} signing secret of 32 characters or more`

// The runtime logs the whole of a header that is not ASCII.
test.each(['sk_test_\u201cabc\u201d', 'two\nlines', 'two words', 'x\u200b'])(
  'a token that no header carries is refused by its name: %j',
  (token) => {
    expect(() => settingsFrom({ PAYMENT_PROVIDER_SECRET_KEY: token })).toThrow(Problem)
    expect(() => settingsFrom({ SCHEDULING_PROVIDER_TOKEN: token })).toThrow(Problem)
  },
)

test('a token is used without the blanks around it, and one of blanks is none', () => {
  const { SCHEDULING_PROVIDER_TOKEN, modes } = settingsFrom({
    SCHEDULING_PROVIDER_TOKEN: ' token\u00a0\n',
    PAYMENT_PROVIDER_SECRET_KEY: ' ',
  })
  expect(SCHEDULING_PROVIDER_TOKEN).toBe('token')
  expect(modes).toEqual({ scheduling: 'live', payments: 'mock' })
})

describe('of the signing secrets', () => {
  test.each([
    [{ SIGNING_SECRET: secret('1st') }, ['1st']],
    [{ SIGNING_SECRET: secret('1st'), SIGNING_SECRET_2: secret('2nd') }, ['2nd', '1st']],
    [{ SIGNING_SECRET_2: secret('2nd') }, ['2nd']],
    [{ SIGNING_SECRET_9: secret('9th'), SIGNING_SECRET_10: secret('10th') }, ['10th', '9th']],
    [{ SIGNING_SECRET: '', SIGNING_SECRET_2: secret('2nd'), SIGNING_SECRET_3: '' }, ['2nd']],
    [{}, []],
  ])('the one with the highest number signs, the others verify: %#', (env, names) => {
    expect(settingsFrom(env).signingSecrets).toEqual(names.map(secret))
  })

  test.each(['SIGNING_SECRET', 'SIGNING_SECRET_2', 'SIGNING_SECRET_42'])(
    'a short one is refused by its name: %s',
    (name) => {
      expect(() => settingsFrom({ [name]: 'too short' })).toThrow(
        expect.objectContaining({
          refusal: expect.objectContaining({
            detail: `Not valid: ${name}. See docs/reference/settings.md.`,
            next_step: expect.stringContaining('correct them'),
          }),
        }),
      )
    },
  )

  test('any number is passed on, and no setting that only looks like one', () => {
    const env = {
      SIGNING_SECRET_7: 'x',
      SIGNING_SECRET_1: 'x',
      SIGNING_SECRET_07: 'x',
      SIGNING_SECRET_100: 'x',
    }
    expect(settingsOf(env)).toEqual({ SIGNING_SECRET_7: 'x' })
    expect(isSetting('SIGNING_SECRET_99')).toBe(true)
    expect(isSecret('SIGNING_SECRET_99')).toBe(true)
    expect(isSetting('SIGNING_SECRET_PREVIOUS')).toBe(false)
  })
})

test('a kind of consult that stands twice is refused, and not the last one taken', () => {
  const EVENT_TYPES = '{"consult":{"id":"1"},"consult":{"id":"2"}}'
  expect(() => settingsFrom({ EVENT_TYPES })).toThrow('not_configured')
})

test('the page on which clients book by hand is one over https, but on this machine', () => {
  const pageOf = (SCHEDULING_PAGE_URL: string) =>
    settingsOrNone({ SCHEDULING_PAGE_URL })?.practice.schedulingPageUrl
  expect(pageOf('http://book.example/consult')).toBeUndefined()
  for (const page of ['https://book.example/consult', 'http://localhost:8787/book'])
    expect(pageOf(page)).toBe(page)
})
