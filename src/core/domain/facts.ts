import * as z from 'zod'

export const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
type Scalar = z.infer<typeof scalarSchema>

const none = z.null()

/** A value of this schema, or null. */
export const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, none])

/** Flat facts that are safe to store. The name of a keyed hash of personal data ends in `_mac`. */
export type Facts = Readonly<Record<string, Scalar>>

const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]/u
const ESCAPED = /[\u007f-\u009f\u2028\u2029]/g

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The text on one line: a text with a line break is quoted and escaped. */
const oneLine = (text: string) =>
  UNSAFE.test(text) ? JSON.stringify(text).replaceAll(ESCAPED, escaped) : text

/** The facts of an answer as lines, `name: value`, with paths for nested ones, without null and undefined. */
export function factLines(facts: object, path = ''): string[] {
  return Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if (value === null || value === undefined) return []
    if (typeof value === 'object') return factLines(value, `${path}${name}.`)
    return `${path}${name}: ${oneLine(String(value as string | number | boolean))}`
  })
}
