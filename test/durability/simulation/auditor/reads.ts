import { BOOKINGS_ON_PAGE } from '../../../../src/core/domain/booking.ts'
import { type Ledger, stateOfTrue, type TrueBooking } from './ledger.ts'
import { othersOn } from './moves.ts'

/** A question of someone who changes nothing. */
export type Read =
  | { name: 'list_availability' | 'list_clients'; id?: undefined }
  /** By the email address of a person. */
  | { name: 'find_bookings'; id: string }
  | { name: 'get_booking' | 'get_client' | 'get_payment_link'; id: string }

export type Said = { is: 'shown'; body: Record<string, unknown> } | { is: 'refused'; code: string }

type Row = Record<string, string>

/** The clients whose profiles were committed. */
export const clientsMade = ({ generations }: Ledger): string[] =>
  [...generations.values()].flatMap(({ operation, end, pinned }) =>
    operation === 'create_client_profile' && end !== undefined ? [String(pinned['client_id'])] : [],
  )

const isOf = ({ invitee }: TrueBooking, email: string): boolean =>
  invitee.email.toLowerCase() === email.toLowerCase()

/** The bookings of a person that a list has to show if nothing changes meanwhile. */
const listedOf = (ledger: Ledger, email: string, now: number): Set<TrueBooking> =>
  new Set(
    ledger
      .bookings()
      .filter((one) => isOf(one, email) && !one.over && one.listedFrom <= now && one.start > now),
  )

/** Judges the bookings that were shown of a person; `listed` are those that were listed when the read began. */
function judgeFound(
  ledger: Ledger,
  email: string,
  listed: ReadonlySet<TrueBooking>,
  body: Record<string, unknown>,
  wrong: (what: string) => void,
): void {
  const rows = body['bookings'] as Row[]
  const ids = rows.map(({ booking_id }) => booking_id!)
  if (rows.length > BOOKINGS_ON_PAGE) wrong('more than a page')
  if (new Set(ids).size < ids.length) wrong('a booking twice')
  const starts = rows.map(({ start_time }) => Date.parse(start_time!))
  if (starts.some((start, at) => start < (starts[at - 1] ?? start))) wrong('a later booking first')
  for (const { booking_id, start_time, end_time } of rows) {
    const there = ledger.bookingNamed(booking_id!)
    if (!there) continue
    if (!isOf(there, email)) wrong('the booking of another person')
    if (there.start !== Date.parse(start_time!) || there.end !== Date.parse(end_time!))
      wrong('other times than the booking has')
  }
  for (const one of listed) {
    const isThere = !one.over && ledger.bookingNamed(one.id) === one
    if (isThere && body['complete'] === true && !ids.includes(one.id))
      wrong('not all of the bookings, and says that these are all')
  }
}

/** A read begins; returns what judges its answer. */
export function onRead(ledger: Ledger, { name, id }: Read, now: number): (said: Said) => void {
  const listed = name === 'find_bookings' ? listedOf(ledger, id, now) : new Set<TrueBooking>()
  const gone = new Set(
    [...ledger.deletions].flatMap(([client, state]) => (state === 'decided' ? [client] : [])),
  )
  const wrong = (what: string) => ledger.report('I28', `${name} shows ${what}`)
  return (said) => {
    if (said.is === 'refused') return
    const rows = (field: string) => (said.body[field] as Row[] | undefined) ?? []
    const effects = new Set(
      [...ledger.generations.values()].flatMap((of) => of.effects.map((one) => one.id)),
    )
    switch (name) {
      case 'list_availability':
        for (const { start_time } of rows('slots'))
          if (!ledger.starts.includes(Date.parse(start_time!))) wrong('a time that no one offers')
        return
      case 'list_clients': {
        const made = clientsMade(ledger)
        for (const { client_id } of rows('clients')) {
          if (gone.has(client_id!)) wrong('a client that had been deleted')
          if (!made.includes(client_id!)) wrong('a client that was never made')
        }
        return
      }
      case 'get_client':
        if (gone.has(id)) wrong('a client that had been deleted')
        for (const { booking_id } of rows('bookings'))
          if (!effects.has(booking_id!)) wrong('a booking that was never made here')
        for (const { payment_link_id } of rows('payment_links'))
          if (!ledger.linkNamed(payment_link_id!)) wrong('a link that there is not')
        return
      case 'get_booking': {
        const shown = said.body['booking'] as Row
        const there = ledger.bookingNamed(id)
        const [start, end] = [Date.parse(shown['start_time']!), Date.parse(shown['end_time']!)]
        if (there && (there.start !== start || there.end !== end))
          wrong('other times than the booking has')
        if (there && !there.othersChanged && Number(shown['other_people'] ?? 0) !== othersOn(there))
          wrong('another number of people than the booking has')
        if (there && there.changedAt < now && shown['state'] !== stateOfTrue(there))
          wrong('another state than the booking has')
        return
      }
      case 'find_bookings':
        return judgeFound(ledger, id, listed, said.body, wrong)
      case 'get_payment_link':
        if (!ledger.linkNamed(id)) wrong('a link that there is not')
    }
  }
}
