import type { Said } from '../../../core/domain/booking.ts'
import { type Asked, LOCATIONS } from '../../../core/domain/event-type.ts'

/** The mock kind that asks questions and a number, by the id that EVENT_TYPES may name. */
export const MOCK_TAX_CALL = 'mock_tax_call'

const TAX_CALL: Asked = {
  questions: [
    { id: 'about', question: 'What is it about?', required: true, kind: 'text' },
    {
      id: 'entity',
      question: 'Who is it for?',
      required: true,
      kind: 'choice',
      choices: ['Myself', 'My business'],
    },
    { id: 'returns', question: 'How many returns?', required: false, kind: 'number' },
  ],
  places: [{ id: 'phone', location: LOCATIONS.practiceCalls, needs: 'phone' }],
}

/** What a mock kind asks; undefined for all but one. */
export const mockAsks = (eventTypeId: string): Asked | undefined =>
  eventTypeId === MOCK_TAX_CALL ? TAX_CALL : undefined

/** Stands for what an invitee said, of which the mock keeps nothing: a booking of the kind had all of it. */
export function standInSaid({ questions, places }: Asked): Said {
  const required = questions.filter((one) => one.required)
  return {
    answers: required.map(({ id, choices }) => ({ id, answer: choices?.[0] ?? 'kept by no mock' })),
    place: places[0] ? { id: places[0].id, words: 'kept by no mock' } : null,
    phone: null,
  }
}
