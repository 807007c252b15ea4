import * as z from 'zod'

import { dateTimeSchema, instantOf } from '../../core/domain/time/time.ts'

/** A word such as a status, in any letter case. */
export const word = () => z.string().toLowerCase()
export const wordOf = <const Words extends readonly string[]>(words: Words) =>
  word().pipe(z.enum(words))

/** A number, also where it comes as a text. */
export const numeral = () =>
  z.union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}(?:\.\d+)?$/)
      .transform(Number),
  ])

/** A value that nothing depends on: one of another form is none. */
export const lenient = <S extends z.ZodType>(schema: S) => schema.nullish().catch(null)

/** A text of that kind. */
export const lenientText = z.lazy(() => lenient(z.string()))

/** How long a consult takes. */
export const minutesLong = () =>
  numeral().pipe(
    z
      .number()
      .positive()
      .max(24 * 60),
  )

/** A moment, in epoch milliseconds. Some programs leave out the colon of its offset. */
export const instant = z.lazy(() =>
  z
    .string()
    .transform((text) => text.replace(/(?=\d\d$)(?<=:.*[+-]\d\d)/, ':'))
    .pipe(dateTimeSchema)
    .transform(instantOf),
)

/** When something was made; null where that is not said. */
export const momentOrNull = z.lazy(() => instant.nullable().catch(null))

/** The entries of a list that have the known form, and how many have another. */
export interface ReadList<T> {
  read: T[]
  unread: number
}

/**
 * Whether lists say something: if no entry of them has the known form, they are of another form,
 * and not empty.
 */
export const isReadable = (lists: readonly ReadList<unknown>[]) =>
  lists.some(({ read }) => read.length > 0) || lists.every(({ unread }) => unread === 0)

/** A list of a provider, each entry parsed on its own: an odd one hides none of the others. */
export const lenientList = <T>(schema: z.ZodType<T>) =>
  z.array(z.unknown()).transform((list): ReadList<T> => {
    const read = list.flatMap((one) => {
      const entry = schema.safeParse(one)
      return entry.success ? [entry.data] : []
    })
    return { read, unread: list.length - read.length }
  })
