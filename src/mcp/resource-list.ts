import { clientKey } from '../domain/client.ts'
import { dayAround, isoUtc } from '../domain/time.ts'
import type { Ports } from '../ports/index.ts'
import { getBooking } from '../operations/get-booking.ts'
import { getClient } from '../operations/get-client.ts'
import { getPaymentLink } from '../operations/get-payment-link.ts'
import { listBookings } from '../operations/list-bookings.ts'
import { listClients } from '../operations/list-clients.ts'
import { practiceMode } from '../operations/operation.ts'
import type { Request } from '../operations/perform.ts'
import type { View } from '../operations/view.ts'

/** A view under an address of its own, `consult://…`, for MCP. */
export interface Resource {
  /** An address, or an RFC 6570 template with one variable. */
  address: string
  name: string
  title: string
  description: string
  view: View
  /** What the view is asked for; `value` fills the variable. */
  request(value: string, ports: Ports): Request
  /** Values of the variable that begin so; none where that would be a guess. */
  complete?(beginning: string, ports: Ports): Promise<Completed>
}

/** Values of a variable; `more` where there may be others that were not looked for. */
export interface Completed {
  values: string[]
  more: boolean
}

const MOST_IDS = 20

interface Listed {
  bookings: { booking_id: string }[]
  next_cursor: string | null
}

const bookingIds = async (beginning: string, ports: Ports): Promise<Completed> => {
  const { bookings, next_cursor } = (await listBookings.run({}, ports)) as Listed
  const values = bookings.map(({ booking_id }) => booking_id).filter((id) => id.startsWith(beginning))
  return { values, more: next_cursor !== null }
}

const idsIn =
  (kind: 'client' | 'payment_link', before: string) =>
  async (beginning: string, ports: Ports): Promise<Completed> => {
    const mode = kind === 'client' ? practiceMode(ports) : ports.payments.mode
    const keys = await ports.register.keysLike(kind, mode, before + beginning, MOST_IDS + 1)
    const values = keys.slice(0, MOST_IDS).map((key) => key.slice(before.length))
    return { values, more: keys.length > MOST_IDS }
  }

/** All resources: those with an address, and the templates, in the order in which they are listed. */
export const RESOURCES: readonly Resource[] = [
  {
    address: 'consult://today',
    name: 'today',
    title: "Today's consults",
    description: 'The consults that begin today in the zone of the practice, soonest first.',
    view: listBookings,
    request(_value, { practice, now }) {
      const { from, to } = dayAround(now(), practice.timezone)
      return { fields: { from: isoUtc(from), to: isoUtc(to) } }
    },
  },
  {
    address: 'consult://bookings',
    name: 'bookings',
    title: 'Upcoming consults',
    description:
      'The consults of the next 14 days, soonest first: the first page. The next one is consult://bookings?cursor=, followed by the next_cursor.',
    view: listBookings,
    request: () => ({ fields: {} }),
  },
  {
    address: 'consult://clients',
    name: 'clients',
    title: 'Clients',
    description:
      'The clients, newest first: the first page. The next one is consult://clients?cursor=, followed by the next_cursor.',
    view: listClients,
    request: () => ({ fields: {} }),
  },
  {
    address: 'consult://bookings/{booking_id}',
    name: 'booking',
    title: 'A booking',
    description: getBooking.description,
    view: getBooking,
    request: (booking_id) => ({ fields: {}, path: { booking_id } }),
    complete: bookingIds,
  },
  {
    address: 'consult://bookings{?cursor}',
    name: 'more_bookings',
    title: 'More upcoming consults',
    description: 'The next page of a list of consults, by its next_cursor.',
    view: listBookings,
    request: (cursor) => ({ fields: { cursor } }),
  },
  {
    address: 'consult://clients/{client_id}',
    name: 'client',
    title: 'A client',
    description: getClient.description,
    view: getClient,
    request: (client_id) => ({ fields: {}, path: { client_id } }),
    complete: idsIn('client', clientKey('')),
  },
  {
    address: 'consult://clients{?cursor}',
    name: 'more_clients',
    title: 'More clients',
    description: 'The next page of the list of clients, by its next_cursor.',
    view: listClients,
    request: (cursor) => ({ fields: { cursor } }),
  },
  {
    address: 'consult://payment-links/{payment_link_id}',
    name: 'payment_link',
    title: 'A payment link',
    description: getPaymentLink.description,
    view: getPaymentLink,
    request: (payment_link_id) => ({ fields: {}, path: { payment_link_id } }),
    complete: idsIn('payment_link', 'payment_link:'),
  },
]

export const isTemplate = ({ address }: Resource): boolean => address.includes('{')

/** A template of the pages after the first. */
export const isLaterPage = ({ address }: Resource): boolean => address.includes('{?')

/** The variable of a template. */
export const variableOf = ({ address }: Resource): string | undefined => /\{\??(\w+)\}/.exec(address)?.[1]

const PATTERNS = RESOURCES.map((resource) => {
  const pattern = resource.address.replace(/\{\?(\w+)\}/, '\\?$1=([^/?#&]+)').replace(/\{\w+\}/, '([^/?#]+)')
  return { resource, pattern: new RegExp(`^${pattern}$`) }
})

/** The resource under an address, and the value of its variable; undefined if there is none. */
export function resourceAt(uri: string): { resource: Resource; value: string } | undefined {
  for (const { resource, pattern } of PATTERNS) {
    const found = pattern.exec(uri)
    if (found) return { resource, value: decoded(found[1] ?? '') }
  }
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
