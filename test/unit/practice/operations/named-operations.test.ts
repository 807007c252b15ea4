import { globSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { RESOURCES } from '../../../../src/api/mcp/resources.ts'
import { forCaller, toolOf } from '../../../../src/api/mcp/tools.ts'
import { problem } from '../../../../src/core/domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES } from '../../../../src/core/domain/problem/problems.ts'
import type { Scope } from '../../../../src/core/domain/scopes.ts'
import { OPERATIONS, TOOLS, toolsFor } from '../../../../src/practice/operations/index.ts'
import {
  refusalFor,
  textFor,
  textNaming,
} from '../../../../src/practice/operations/named-operations.ts'

const NAMES = OPERATIONS.map(({ name }) => name)
const namesIn = (text: string): string[] =>
  NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(text))

/** Each of them alone, each two, and all but one: a text of one may need a second, and lack any other. */
const someOf = <T>(all: readonly T[]): T[][] => [
  [],
  ...all.flatMap((one, at) => [[one], ...all.slice(at + 1).map((other) => [one, other])]),
  ...all.map((left) => all.filter((one) => one !== left)),
  [...all],
]

/** The texts of a source file that name an operation among other words. */
function textsIn(source: string): string[] {
  const literal = `(?:'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)`
  const texts = source.match(new RegExp(`${literal}(?:\\s*\\+\\s*${literal})*`, 'g')) ?? []
  return texts
    .map((text) => text.replaceAll(/['`](?:\s*\+\s*['`])?/g, ''))
    .filter((text) => namesIn(text).length > 0 && /\w \w/.test(text))
}

/** Prompts are offered by the scopes of their tools; the sentences of the console are for the owner. */
const FOR_OTHERS = /operations\/prompts\.ts$|^src\/(?:owner|cli)\//

const written = globSync(['src/**/*.ts', 'durable-objects/**/*.ts'])
  .filter((file) => !FOR_OTHERS.test(file))
  .flatMap((file) => textsIn(readFileSync(file, 'utf8')))
const whole = [
  ...PROBLEM_CODES.flatMap((code) => [PROBLEMS[code].detail, PROBLEMS[code].next_step]),
  ...OPERATIONS.map(({ description }) => description),
  ...RESOURCES.map(({ description }) => description),
]

describe('a text names an operation only to a caller that has it', () => {
  test('whatever the text and whichever of its operations the caller has', () => {
    expect(written.length).toBeGreaterThan(20)
    for (const text of [...written, ...whole]) {
      for (const has of someOf(namesIn(text))) {
        const read = textNaming(new Set(has), true)(text)
        expect(has, read).toEqual(expect.arrayContaining(namesIn(read)))
        if (whole.includes(text)) expect(read, `with ${has.join()} of: ${text}`).not.toBe('')
      }
      expect(textNaming(new Set(NAMES))(text)).toBe(text)
    }
  })

  test('and the list of tools names no other tool, whatever the owner granted', () => {
    const scopes = [...new Set(TOOLS.map(({ scope }) => scope))]
    for (const granted of someOf<Scope>(scopes)) {
      const caller = { scopes: granted, granted }
      const names = toolsFor(caller).map(({ name }) => name)
      for (const operation of toolsFor(caller)) {
        const { description, inputSchema } = forCaller(toolOfOnce(operation), operation, caller)
        expect(names).toEqual(
          expect.arrayContaining(namesIn(description + JSON.stringify(inputSchema))),
        )
      }
    }
  })

  test('and a refusal says how to go on with what the caller has', () => {
    const next = (scopes: Scope[], isTool: boolean) => {
      const text = textFor({ scopes, granted: scopes }, isTool)
      const { refusal } = refusalFor(problem('booking_not_found'), 'commit', text)
      return refusal.next_step ?? PROBLEMS.booking_not_found.next_step
    }
    for (const isTool of [false, true]) {
      expect(next(['bookings:write'], isTool)).toBe('Check the booking_id; it starts with bk_.')
      expect(next(['bookings:write', 'bookings:read'], isTool)).toMatch(/\. find_bookings finds/)
    }
  })

  test('and a route is for callers over REST', () => {
    const text = 'It may change. get_booking (GET /v1/bookings/bk_1) has it.'
    const names = new Set(['get_booking'])
    expect(textNaming(names)(text)).toBe(text)
    expect(textNaming(names, true)(text)).toBe('It may change. get_booking has it.')
    expect(textNaming(new Set())(text)).toBe('It may change.')
  })

  test('and a quoted text stays whole, whatever it says', () => {
    const text = 'The terms: “Ask. find_bookings is ours. Pay.”. find_client has it. Go on.'
    expect(textNaming(new Set())(text)).toBe(
      'The terms: “Ask. find_bookings is ours. Pay.”. Go on.',
    )
  })
})

const made = new Map(TOOLS.map((one) => [one, toolOf(one)]))
const toolOfOnce = (operation: (typeof TOOLS)[number]) => made.get(operation)!
