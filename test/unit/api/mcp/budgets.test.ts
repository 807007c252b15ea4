import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'

import { INSTRUCTIONS } from '../../../../src/api/mcp/protocol.ts'
import { problemText } from '../../../../src/api/mcp/tool-calls.ts'
import { forCaller, toolOf } from '../../../../src/api/mcp/tools.ts'
import { problemBody } from '../../../../src/core/domain/problem/problem.ts'
import { DEFAULT_SCOPES } from '../../../../src/core/domain/scopes.ts'
import { bookConsult } from '../../../../src/practice/operations/book-consult.ts'
import { MUTATIONS, SEED, TOOLS } from '../../../../src/practice/operations/index.ts'
import { listAvailability } from '../../../../src/practice/operations/list-availability.ts'
import type { MutationOperation } from '../../../../src/practice/operations/operation.ts'
import {
  NEXT_STEP,
  committedText,
  previewText,
} from '../../../../src/practice/operations/perform.ts'

/** What a host keeps in view all the time, and what each answer adds to it: in characters, and in tokens of o200k. */
const size = (text: string) => ({ characters: text.length, tokens: countTokens(text) })

function expectWithin(text: string, characters: number, tokens: number): void {
  const is = size(text)
  expect(
    is.characters,
    `characters: ${is.characters - characters} too many, with ${is.tokens} tokens; say it in fewer words`,
  ).toBeLessThanOrEqual(characters)
  expect(
    is.tokens,
    `tokens: ${is.tokens - tokens} too many, with ${is.characters} characters; say it in fewer words`,
  ).toBeLessThanOrEqual(tokens)
}

describe('the list of tools', () => {
  test.each(TOOLS)('takes at most 6,000 characters for $name', (operation) => {
    expectWithin(JSON.stringify(toolOf(operation)), 6_000, 1_500)
  })

  test('takes at most 2,500 tokens for the seven that every caller is listed, without what hosts leave out', () => {
    const caller = { scopes: DEFAULT_SCOPES, granted: [] }
    const shown = SEED.map((one) => forCaller(toolOf(one), one, caller))
      .map(({ name, description, inputSchema }) =>
        JSON.stringify({ name, description, inputSchema }),
      )
      .join()
    expectWithin(shown, 11_500, 2_500)
  })

  test('comes with instructions that one host repeats in each tool, so they are short', () => {
    expectWithin(INSTRUCTIONS, 950, 200)
  })
})

/** An answer as a host that shows text and structure both gives it to the model. */
const shownBoth = (text: string, body: object): string => text + JSON.stringify(body)

describe('an answer, text and structure together,', () => {
  test('with a week of 80 free times fits where hosts cut, at 7,500 characters', () => {
    const slots = [23, 24, 25, 26, 27].flatMap((day) =>
      Array.from({ length: 16 }, (_, half) => ({
        start_time: `2026-11-${day}T${String(9 + Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}:00-05:00`,
      })),
    )
    const body = { ...listAvailability.example.result, slots }
    expect(slots).toHaveLength(80)
    expectWithin(shownBoth(listAvailability.text!(body, String), body), 5_000, 2_450)
    expectWithin(listAvailability.text!(body, String), 1_000, 500)
  })

  const frame = {
    mode: 'mock' as const,
    warnings: [],
    summary: 'What happens, in a sentence of about this length.',
  }

  const previewOf = ({ name, example }: MutationOperation) => ({
    status: 'preview',
    operation: name,
    ...frame,
    preview: { ...example.preview },
    confirmation_token: 'ct_07k0oq8O-M8szpEYb3YzOg.t63V2E9efIfli3uLhfG1MYUqqdTexBu4ubdRLUkqqS8',
    expires_at: '2026-11-23T14:15:00Z',
    next_step: NEXT_STEP,
  })
  const textOf = (preview: ReturnType<typeof previewOf>) =>
    previewText(preview, 'Monday, 9:15 AM EST')

  test('of a booking, as text, is a preview of at most 210 tokens', () => {
    const summary =
      'Book a 30-minute consult on Tuesday, November 24, 2037 at 10:00 AM EST for j***@***.com.'
    expectWithin(textOf({ ...previewOf(bookConsult), summary }), 700, 210)
  })

  test.each(MUTATIONS)(
    'of $name is a preview of at most 1,800 characters and a commit of at most 1,300',
    (operation) => {
      const { result } = operation.example
      const previewed = previewOf(operation)
      expectWithin(shownBoth(textOf(previewed), previewed), 1_800, 700)
      const committed = { status: 'committed', operation: operation.name, ...frame, result }
      expectWithin(shownBoth(committedText(committed, true), committed), 1_300, 600)
    },
  )

  test.each(MUTATIONS)('of $name, as text, has no amount in minor units', (operation) => {
    const { result } = operation.example
    const committed = { status: 'committed', operation: operation.name, ...frame, result }
    expect(textOf(previewOf(operation)) + committedText(committed, false)).not.toContain('25000')
  })

  test('that refuses takes at most 1,900 characters', () => {
    const errors = ['/start_time', '/timezone', '/invitee_email'].map((pointer) => ({
      pointer,
      detail:
        'Expected an RFC 3339 date-time with an offset, in the form YYYY-MM-DDThh:mm:ss-05:00.',
    }))
    const refused = problemBody(
      { code: 'validation_failed', effect: 'none', errors },
      '7b0ad5e2-4d5e-4c39-9a3b-0b8f6f6f2f10',
      'https://connector.example.com',
    )
    expectWithin(shownBoth(problemText(refused), refused), 1_900, 450)
  })
})
