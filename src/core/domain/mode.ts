import * as z from 'zod'

/** Whether an answer comes from the real provider or from the mock. */
export const modeSchema = z.enum(['mock', 'live']).meta({
  id: 'Mode',
  description: 'mock: from the mock provider; nothing real happened. live: from the real provider.',
})
export type Mode = z.infer<typeof modeSchema>

/** Whether an id is of what a mock made, which it says. */
export const isMockId = (id: string): boolean => /^[a-z]+_(?:in_)?mock_/.test(id)
