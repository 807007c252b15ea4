export type Scalar = string | number | boolean | null

/**
 * Flat facts that are pinned by a preview or learnt by a step; safe to store.
 * A keyed hash of something personal is named `*_mac`.
 */
export type Facts = Readonly<Record<string, Scalar>>
