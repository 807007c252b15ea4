import * as z from 'zod'

import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS, namesOf } from '../../core/domain/providers.ts'

const exchangeSchema = z.strictObject({
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'DELETE']),
    /** Without its query, which is not compared. */
    path: z.string().startsWith('/'),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
  /** `no answer`: the connection was lost, or the deadline passed. */
  response: z.union([
    z.strictObject({
      status: z.int().min(200).max(599),
      headers: z.record(z.string(), z.string()).default({}),
      /** JSON, or the text of a page. */
      body: z.unknown(),
    }),
    z.literal('no answer'),
  ]),
})

const callSchema = z.strictObject({
  call: z.string(),
  arguments: z.array(z.unknown()).default([]),
  answer: z.unknown().optional(),
  refusal: z.record(z.string(), z.unknown()).optional(),
})

/**
 * What a provider answered, and what an adapter made of it; test/support/recordings/README.md says
 * what each field means.
 */
export const recordingSchema = z.strictObject({
  provider: z.enum([...namesOf(SCHEDULING_PROVIDERS), ...namesOf(PAYMENT_PROVIDERS)]),
  source: z.string().min(20),
  now: z.iso.datetime(),
  event_types: z.array(z.string()).default([]),
  style: z.enum(['hosted_invoice', 'payment_link']).default('hosted_invoice'),
  exchanges: z.array(exchangeSchema).min(1),
  calls: z.array(callSchema).min(1),
})
export type Recording = z.infer<typeof recordingSchema>
export type Exchange = Recording['exchanges'][number]
export type Call = Recording['calls'][number]

/** What a recording may not hold: an address of a real person, or a credential. */
export const UNREDACTED =
  /[\w.+-]+@(?!(?:[\w-]+\.)*example(?:\.(?:com|org|net))?\b)[\w.-]+|\bcal_(?:live_)?\w{16,}|\beyJ[\w-]{10,}|\b[rs]k_(?:live|test)_\w|\bBearer \w/
