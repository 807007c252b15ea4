import { sha256Base64url } from './encoding.ts'

/** The id of an event: a hash of the fact, so that a fact that arrives again is the same event. It says whether it is a mock. */
export const eventId = async (fact: string, mode: 'mock' | 'live'): Promise<string> =>
  `evt_${mode === 'mock' ? 'mock_' : ''}${(await sha256Base64url(fact)).slice(0, 22)}`
