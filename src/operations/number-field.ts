import * as z from 'zod'

const inQuery = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value

/** A whole number in a request; in a query it arrives as digits. */
export const numberField = (least: number, most: number) =>
  z.preprocess(inQuery, z.int().min(least).max(most))
