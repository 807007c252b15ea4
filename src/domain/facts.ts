import * as z from 'zod'

export const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
type Scalar = z.infer<typeof scalarSchema>

/** Flat facts that a preview pins or a step learns; safe to store. A keyed hash of personal data is named `*_mac`. */
export type Facts = Readonly<Record<string, Scalar>>

const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]/u
const ESCAPED = /[\u007f-\u009f\u2028\u2029]/g

/** One line, whatever it holds: a text that could begin a line of its own is quoted and escaped. */
const oneLine = (text: string): string =>
  UNSAFE.test(text)
    ? JSON.stringify(text).replaceAll(
        ESCAPED,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : text

/** The facts of an answer as text: `name: value`, one a line, nested ones with their path. Null and missing are left out. */
export function factLines(facts: object, path = ''): string[] {
  return Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if (value === null || value === undefined) return []
    if (typeof value === 'object') return factLines(value, `${path}${name}.`)
    return `${path}${name}: ${oneLine(String(value as string | number | boolean))}`
  })
}
