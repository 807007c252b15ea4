import * as z from 'zod'

/** Whether an answer comes from the real provider or from the mock. */
export const modeSchema = z.enum(['mock', 'live']).meta({
  description: 'mock: a rehearsal, nothing real happened. live: the real provider was used.',
})
export type Mode = z.infer<typeof modeSchema>
