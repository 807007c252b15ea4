import type { Invitee, Said } from '../../../../src/core/domain/booking.ts'
import { type Asked, unsaid } from '../../../../src/core/domain/event-type.ts'
import { LOCATIONS, video } from '../../../../src/core/domain/location.ts'
import { CANARIES } from '../auditor/canaries.ts'
import type { RunSettings } from './world.ts'

/** What the kind of consult asks: two questions, and where it is held; a call needs the number of the invitee. */
const ASKS: Asked = {
  questions: [
    { id: 'q_about', question: 'What is it about?', required: true, kind: 'text' },
    {
      id: 'q_known',
      question: 'Are you a client?',
      required: false,
      kind: 'choice',
      choices: ['Yes', 'No'],
    },
  ],
  places: [
    { id: 'l_video', location: video('Zoom') },
    { id: 'l_call', location: LOCATIONS.practiceCalls, needs: 'phone' },
  ],
}

/** Once the practice has changed its questions. */
const ASKS_MORE: Asked = {
  ...ASKS,
  questions: ASKS.questions.map((one) => ({ ...one, required: true })),
}

/** The name by which a request chooses the call. */
export const CALL = 'practice_calls'

const BY_HAND: Said = {
  answers: [
    { id: 'q_about', answer: `A letter to ${CANARIES.name}, ${CANARIES.phone}` },
    { id: 'q_known', answer: 'Yes' },
  ],
  place: { id: 'l_call', words: CANARIES.phone },
  phone: null,
}

/** The questions of the kind of consult at the provider; none in a run without. */
export function questions({ asks }: Pick<RunSettings, 'asks'>) {
  let asked = asks ? ASKS : undefined
  return {
    now: (): Asked | undefined => asked,
    change: (): void => {
      if (asked) asked = asked === ASKS ? ASKS_MORE : ASKS
    },
    /** What someone said who booked on the provider's own page. */
    saidByHand: (): Pick<Invitee, 'said'> => (asks ? { said: BY_HAND } : {}),
    /** Whether the provider refuses a booking of this invitee, since it lacks what is asked. */
    lacks: ({ said }: Invitee): boolean => asked !== undefined && unsaid(asked, said).length > 0,
  }
}
