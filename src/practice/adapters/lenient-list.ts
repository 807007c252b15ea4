import * as z from 'zod'

/** The entries of a list that have the known form, and how many have another. */
export interface ReadList<T> {
  read: T[]
  unread: number
}

/**
 * Whether lists say something: if no entry of them has the known form, they are of another form,
 * and not empty.
 */
export const isReadable = (lists: readonly ReadList<unknown>[]): boolean =>
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
