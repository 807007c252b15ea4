import { unknownForm } from '../../refusals.ts'

/** What the owner has to do. Neither Cal.com's words nor a caller's values get into these texts. */
export const ADVICE = {
  key: 'Cal.com does not accept the key in SCHEDULING_PROVIDER_TOKEN: it is mistyped, expired or revoked. Make a new API key in Cal.com under Settings, Developer, API keys, and set it.',
  eventTypeId:
    'The id of an event type in EVENT_TYPES is not a Cal.com event type id. It is the number in the address of the event type in Cal.com, such as 123456.',
  eventTypeGone:
    'Cal.com knows no event type with the id in EVENT_TYPES under this key. Check the id, and that the key belongs to the owner or a host of the event type.',
  form: unknownForm('Cal.com'),
  noEndpoint:
    'Cal.com no longer serves an endpoint in the API version that this version of the connector uses. Update the connector; if there is no newer version, tell whoever maintains it.',
  refused:
    'Cal.com refused the request because of how the event type is set up. Check the booking questions, the locations, the limits and the cancellation rules of the event type.',
  blocked:
    'Cal.com does not let this invitee book: the email address is on a blocklist, or has to be verified first. Check the booking restrictions in Cal.com.',
  uncancellable:
    'The event type of this booking does not allow cancellations. Allow them in Cal.com, or cancel the booking there.',
  series:
    'This booking is one of a series. The connector handles single bookings only; change it in Cal.com.',
  seats:
    'This booking has seats for several people. The connector handles bookings of one person only; change it in Cal.com.',
  orphan: 'The event type of this booking was deleted in Cal.com. Change the booking in Cal.com.',
} as const

/** The right an OAuth access token must have for an action. */
export type Right = 'EVENT_TYPE_READ' | 'BOOKING_READ' | 'BOOKING_WRITE' | 'SCHEDULE_READ'

export const missingRight = (right: Right): string =>
  `Cal.com refuses this action to the key in SCHEDULING_PROVIDER_TOKEN. An API key must belong to the owner or a host of the event type; an OAuth access token needs the scope ${right}.`

/** Why the API cannot book an event type honestly, and what to change. */
export const OBSTACLES = {
  price: 'It has a price: remove the price, or take bookings on its page.',
  seats: 'It offers seats: turn off "Offer seats".',
  recurring: 'It is recurring: turn off "Recurring event".',
  verification: 'It verifies email addresses by a code: turn off "Requires booker email verification".',
  managed:
    'It is the template of a managed event type: put the id of the event type of one member into EVENT_TYPES.',
  location:
    'Its first location is one that the attendee has to supply, or that is not known here: put a location first that needs nothing from the attendee.',
  question: (slug: string | undefined) =>
    `It requires an answer to ${slug === undefined ? 'a booking question' : `the booking question "${slug}"`}: make it optional, or remove it.`,
}

export const cannotBook = (id: number, obstacles: string[]): string =>
  `Cal.com event type ${id} cannot be booked through the API as it is. ${obstacles.join(' ')}`
