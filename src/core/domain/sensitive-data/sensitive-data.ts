import * as z from 'zod'

import { lazily } from '../lazy.ts'
import { redactContacts } from './contacts.ts'
import { DETECTORS, DOCUMENTS, type Part, type SensitiveKind } from './detectors.ts'
import {
  HOLDS_NUMBER,
  TextCopy,
  composed,
  decodedCopy,
  prepared,
  readable,
  tableCopies,
} from './prepared-text.ts'

/** No request body is longer, so nothing can hide after it. */
const MOST_CHARACTERS = 32 * 1024

/**
 * The first part of the text that is refused, also if it is spelled out, encoded or in a table.
 * Linear time.
 */
export function sensitivePart(text: string): Part | undefined {
  const typed = new TextCopy(text.slice(0, MOST_CHARACTERS))
  const decoded = decodedCopy(typed)
  const copies = [...tableCopies(decoded), ...(decoded === typed ? [] : [typed])]
  return copies.map(partIn).find((part) => part !== undefined)
}

function partIn(typed: TextCopy): Part | undefined {
  const copies = prepared(typed)
  const detectors = HOLDS_NUMBER.test(copies.plain.text) ? DETECTORS : DOCUMENTS
  for (const { reads, find } of detectors) {
    const part = find(copies[reads].text)
    if (part) return { kind: part.kind, ...copies[reads].source(part) }
  }
  return undefined
}

/** What a refusal says about a part: its kind, and where it stands, never the text. */
export interface SensitiveIssue {
  sensitive: SensitiveKind
  /**
   * The first and the last character, counted from 1 as a person counts: an emoji is one, a line
   * break is one.
   */
  characters: [first: number, last: number]
}

const GRAPHEMES = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))
const countOf = (text: string) => Array.from(GRAPHEMES().segment(text)).length

/**
 * The issue of a text that is refused; undefined for one that is not. It is read after what comes
 * before it: after `SSN: `, nine digits are one.
 */
export function sensitiveIssue(text: string, before = '') {
  const typed = composed(text)
  const part = sensitivePart(before + typed)
  if (part === undefined || part.end <= before.length) return undefined
  const start = Math.max(0, part.start - before.length)
  const first = countOf(typed.slice(0, start)) + 1
  const last = Math.max(first, countOf(typed.slice(0, part.end - before.length)))
  const params: SensitiveIssue = { sensitive: part.kind, characters: [first, last] }
  const message = 'Expected text without identity, card or account numbers or documents.'
  return { code: 'custom', params, message, input: text } as const
}

/**
 * The fields that hold a text of a person: white space in it is theirs. Every other text has a
 * fixed form. Ask with `get`, which also knows the schemas that are made of one by a further check.
 */
export const freeTexts = z.registry<{ isFree: true }>()

/**
 * A text field as it is kept and sent (`readable`), that refuses sensitive data; the issue says
 * what and where. `before` are words that the field itself says before its text.
 */
export const freeText = (max: number, before = '') =>
  z
    .string()
    .check(({ value, issues }) => {
      const issue = sensitiveIssue(value, before)
      if (issue) issues.push(issue)
    })
    .overwrite(readable)
    .max(max)
    .register(freeTexts, { isFree: true })

/**
 * A free text that is kept or sent with labels in place of email addresses and telephone numbers. A
 * label can be longer than what it replaces, so the limit holds with and without them.
 */
export const labelledText = (max: number) =>
  freeText(max).check((payload) => {
    if (payload.value.length > max || redactContacts(payload.value).length <= max) return
    const expected =
      `Expected at most ${max} characters, with labels in place of email addresses and phone ` +
      'numbers.'
    payload.issues.push({ code: 'custom', params: { expected }, input: payload.value })
  })
