import { DAY, HOUR, MINUTE } from '../../src/core/domain/time/duration.ts'
import type { Row } from './rows.ts'
import type { Fields, Transport } from './transports.ts'

/** How many keys a row of changes uses in each round, and how often each committed one is repeated. */
export interface Amounts {
  keys: number
  replays: number
  /** How long repeats are watched after their last answer, in milliseconds. */
  watched: number
}

/** Until the audit log has the entry of a repeat, in milliseconds. */
export const UNTIL_AUDITED = 50

interface Change {
  key: string
  fields: Fields
  token: string
}

interface Described {
  name: string
  path: string
}

const THIRTY_MINUTES = 30 * MINUTE
const FAR_AHEAD = 400 * DAY
/** In every season an hour of the day at which the mock practice is open: 14:00 to 20:30 UTC. */
const FIRST_HOUR = 14
const TIMES_A_DAY = 14

/** Free times of the mock calendar, each given once, more than a year ahead. */
export function freeTimes(now: number): () => string {
  const midnight = new Date(now + FAR_AHEAD).setUTCHours(0, 0, 0, 0)
  let day = midnight
  let time = -1
  return () => {
    time += 1
    if (time === TIMES_A_DAY) time = 0
    if (time === 0)
      do day += DAY
      while ([0, 6].includes(new Date(day).getUTCDay()))
    return new Date(day + FIRST_HOUR * HOUR + time * THIRTY_MINUTES)
      .toISOString()
      .replace('.000Z', 'Z')
  }
}

/** Another person each time: a preview names the other consults of its invitee, and no one has hundreds. */
let people = 0
const someone = () => `jordan.${(people += 1)}@example.com`

/** What a journey has made so far, for the operations that need it. */
interface Made {
  bookings: string[]
  moved: string[]
  clients: string[]
}

/** The fields of each mutation; one that is not named here stops the bench. */
const INPUTS: Record<string, (made: Made, time: () => string, index: number) => Fields> = {
  book_consult: (_made, time) => ({
    start_time: time(),
    timezone: 'America/New_York',
    invitee_email: someone(),
    invitee_name: 'Jordan Doe',
  }),
  reschedule_booking: (made, time, index) => ({
    booking_id: made.bookings[index],
    start_time: time(),
  }),
  cancel_booking: (made, _time, index) => ({
    booking_id: made.moved[index],
    reason: 'Travelling.',
  }),
  create_client_profile: () => ({
    entity_type: 'individual',
    display_name: 'Jordan Doe',
    contact_email: someone(),
  }),
  submit_intake_answers: (made, _time, index) => ({
    client_id: made.clients[index],
    answers: { primary_goal: 'retirement', household_members: 2, notes: 'Prefers mornings.' },
  }),
  create_payment_link: () => ({ invoice_id: 'in_mock_open' }),
  invite_client: () => ({ ask: ['details'] }),
}

/** Two changes of one invoice at the same time are refused, as they should be; so these go one after the other. */
const ONE_AT_A_TIME = 'create_payment_link'

/** The rows of every mutation over one transport: what one makes, the next one changes. */
export function changeRows(
  operations: readonly Described[],
  transport: Transport,
  { keys, replays, watched }: Amounts,
  time: () => string,
): Row[] {
  const made: Made = { bookings: [], moved: [], clients: [] }
  const rows: Row[] = []
  for (const operation of operations) {
    const input = INPUTS[operation.name]
    if (!input) throw new Error(`test/bench/changes.ts knows no input for ${operation.name}`)
    let changes: Change[] = []
    const commits = () =>
      changes.map(({ key, fields, token }) =>
        transport.request(operation, { ...fields, confirm: true, confirmation_token: token }, key),
      )
    const row = { server: `ours, ${transport.name}` }
    const id = `${transport.name} ${operation.name}`
    rows.push(
      {
        ...row,
        id: `${id}: preview`,
        kind: 'preview',
        stays: true,
        batch() {
          changes = Array.from({ length: keys }, (_, index) => ({
            key: crypto.randomUUID(),
            fields: input(made, time, index),
            token: '',
          }))
          return {
            requests: changes.map(({ key, fields }) =>
              transport.request(operation, { ...fields, confirm: false }, key),
            ),
            status: 200,
            contains: '"status":"preview"',
            onAnswer: (index, answer) => {
              changes[index]!.token = String(transport.read(answer)['confirmation_token'])
            },
          }
        },
      },
      {
        ...row,
        id: `${id}: commit`,
        kind: 'commit',
        stays: true,
        over: operation.name === ONE_AT_A_TIME ? 1 : undefined,
        batch: () => ({
          requests: commits(),
          status: 200,
          contains: '"status":"committed"',
          onAnswer: (index, answer) => {
            const result = transport.read(answer)['result'] as Record<string, string>
            if (operation.name === 'book_consult') made.bookings[index] = result['booking_id']!
            if (operation.name === 'reschedule_booking') made.moved[index] = result['booking_id']!
            if (operation.name === 'create_client_profile')
              made.clients[index] = result['client_id']!
          },
        }),
      },
      {
        ...row,
        id: `${id}: replay`,
        kind: 'replay',
        watched,
        batch: () => ({
          requests: Array.from({ length: replays }, commits).flat(),
          status: 200,
          contains: '"status":"committed"',
        }),
      },
    )
  }
  return rows
}
