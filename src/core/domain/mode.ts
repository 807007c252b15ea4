import * as z from 'zod'

/** Whether an answer comes from the real provider or from the mock. */
export const modeSchema = z.enum(['mock', 'live']).meta({
  id: 'Mode',
  description: 'mock: from the mock provider; nothing real happened. live: from the real provider.',
})
export type Mode = z.infer<typeof modeSchema>

/** In which mode an id was made: that of a mock says so. */
export const modeOfId = (id: string): Mode => (/^[a-z]+_(?:in_)?mock_/.test(id) ? 'mock' : 'live')
