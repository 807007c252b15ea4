import * as z from 'zod'

export const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
type Scalar = z.infer<typeof scalarSchema>

/**
 * Flat facts that are pinned by a preview or learnt by a step; safe to store.
 * A keyed hash of something personal is named `*_mac`.
 */
export type Facts = Readonly<Record<string, Scalar>>
