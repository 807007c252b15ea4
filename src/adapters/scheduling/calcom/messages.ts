/** What the owner has to do, in our words; nothing of what Cal.com said, and nothing of what a caller sent. */
export const ADVICE = {
  key: 'Cal.com does not accept the key in SCHEDULING_PROVIDER_TOKEN: it is mistyped, expired or revoked. Make a new API key in Cal.com under Settings, Developer, API keys, and set it.',
  eventTypeId:
    'The id of an event type in EVENT_TYPES is not a Cal.com event type id. It is the number in the address of the event type in Cal.com, such as 123456.',
  eventTypeGone:
    'Cal.com knows no event type with the id in EVENT_TYPES under this key. Check the id, and that the key belongs to the owner or a host of the event type.',
  form: 'Cal.com answered in a form that this version does not know. Check CALCOM_BOOKINGS_VERSION, CALCOM_SLOTS_VERSION and CALCOM_EVENT_TYPES_VERSION.',
  refused:
    'Cal.com refused the request because of how the event type or the API version is set. Check the booking questions, the locations, the limits and the cancellation rules of the event type, and CALCOM_BOOKINGS_VERSION.',
  blocked:
    'Cal.com does not let this invitee book: the address is on a blocklist, or has to be verified first. Check the booking restrictions in Cal.com.',
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

/** The setting that holds the API version of a group of endpoints. */
export type VersionSetting = 'CALCOM_BOOKINGS_VERSION' | 'CALCOM_SLOTS_VERSION' | 'CALCOM_EVENT_TYPES_VERSION'

export const wrongVersion = (setting: VersionSetting): string =>
  `Cal.com has no such endpoint in the API version asked for. Correct ${setting}, or remove it to use the default.`

/** Why the API cannot book an event type honestly, and what to change. */
export const OBSTACLES = {
  price: 'It has a price: remove the price, or take bookings on its page.',
  seats: 'It offers seats: turn off "Offer seats".',
  recurring: 'It is recurring: turn off "Recurring event".',
  verification: 'It verifies mail addresses by a code: turn off "Requires booker email verification".',
  managed:
    'It is the template of a managed event type: put the id of the event type of one member into EVENT_TYPES.',
  location:
    'Its first location is one that the attendee has to supply, or that is not known here: put a location first that needs nothing from the attendee.',
  question: (slug: string | undefined) =>
    `It requires an answer to ${slug === undefined ? 'a booking question' : `the booking question "${slug}"`}: make it optional, or remove it.`,
}

export const cannotBook = (id: number, obstacles: string[]): string =>
  `Cal.com event type ${id} cannot be booked through the API as it is. ${obstacles.join(' ')}`
