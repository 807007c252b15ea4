import type { Ledger } from './ledger.ts'

/** A question of somebody who changes nothing. */
export type Read =
  | { name: 'list_availability' | 'list_clients'; id?: undefined }
  | { name: 'get_booking' | 'get_client' | 'get_payment_link'; id: string }

export type Said = { is: 'shown'; body: Record<string, unknown> } | { is: 'refused'; code: string }

type Row = Record<string, string>

/** The clients whose profiles were committed. */
export const clientsMade = ({ generations }: Ledger): string[] =>
  [...generations.values()].flatMap(({ operation, end, pinned }) =>
    operation === 'create_client_profile' && end !== undefined ? [String(pinned['client_id'])] : [],
  )

/** A read begins; returns what judges its answer. */
export function onRead(ledger: Ledger, { name, id }: Read): (said: Said) => void {
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
          if (!ledger.starts.includes(Date.parse(start_time!))) wrong('a time that nobody offers')
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
        return
      }
      case 'get_payment_link':
        if (!ledger.linkNamed(id)) wrong('a link that there is not')
    }
  }
}
