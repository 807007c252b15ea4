import * as z from 'zod'

import { bareNumber } from './bare-numbers.ts'
import { documentPart } from './documents.ts'
import { labelledNumber } from './labelled-numbers.ts'
import { MappedText, type Span } from './mapped-text.ts'
import { decodedCopy, matchingCopy } from './matching-copy.ts'
import { nationalId } from './national-ids.ts'
import type { Part, SensitiveKind } from './part.ts'
import { composed, readable } from './readable.ts'

/** No request body is longer, so nothing can hide after it. */
const MOST_CHARACTERS = 32 * 1024

function partIn(text: MappedText): Part | undefined {
  const document = documentPart(text)
  if (document) return document
  const plain = matchingCopy(text)
  return nationalId(plain) ?? bareNumber(plain) ?? labelledNumber(plain)
}

/** The first part of the text that is refused, also if it is spelled out or encoded. Linear time. */
export function sensitivePart(text: string): Part | undefined {
  const looked = text.slice(0, MOST_CHARACTERS)
  const part = partIn(MappedText.of(looked))
  if (part) return part
  const decoded = decodedCopy(looked)
  return decoded.text === looked ? undefined : partIn(decoded)
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

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
const countOf = (text: string): number => Array.from(GRAPHEMES.segment(text)).length

const charactersOf = (text: string, { start, end }: Span): [first: number, last: number] => [
  countOf(text.slice(0, start)) + 1,
  Math.max(countOf(text.slice(0, start)) + 1, countOf(text.slice(0, end))),
]

/**
 * The fields that hold a text of a person: white space in it is theirs. Every other text has a
 * fixed form. Ask with `get`, which also knows the schemas that are made of one by a further check.
 */
export const freeTexts = z.registry<{ isFree: true }>()

/**
 * A text field as it is kept and sent (`readable`), that refuses sensitive data; the issue says
 * what and where.
 */
export const freeText = (max?: number) => {
  const text = z
    .string()
    .check((payload) => {
      const typed = composed(payload.value)
      const part = sensitivePart(typed)
      if (part === undefined) return
      const params: SensitiveIssue = { sensitive: part.kind, characters: charactersOf(typed, part) }
      const message = 'Expected text without identity, card or account numbers or documents.'
      payload.issues.push({ code: 'custom', params: { ...params }, message, input: payload.value })
    })
    .overwrite(readable)
  return (max === undefined ? text : text.max(max)).register(freeTexts, { isFree: true })
}
