export const LOCATION_KINDS = ['video', 'phone', 'in_person', 'other'] as const

/** Where a kind of consult takes place. The text is for people, and does not let a reader join a meeting. */
export type Location = { kind: (typeof LOCATION_KINDS)[number]; text: string }

/** A kind of consult as the practice set it up at the provider. Null means that the provider does not say. */
export interface EventTypeDetails {
  title: string | null
  minutes: number
  location: Location | null
  /** What the provider itself charges at booking; the amount in minor units. */
  price: { amount: number; currency: string } | null
  /** Whether the API can book it as it is set up. */
  bookable: boolean
  /** Whether the practice accepts bookings by hand; missing where the provider has no such thing. */
  acceptance?: Acceptance
  /** When the practice allows no moves and no cancellations. */
  moves?: Closed
  cancellations?: Closed
}

/** `withinMs`: of bookings that begin so soon. */
export type Acceptance = 'none' | 'always' | { withinMs: number }
export type Closed = 'never' | 'always' | { withinMs: number }

/** A link, an email address, a code, or a number as long as a meeting's: it may let a reader in. */
const LETS_IN = /:\/\/|www\.|\S\.[a-z]{2,}\/|@|\b(pin|code|passcode|password)\b|(\d[\s.-]*){10}/iu
const LONGEST = 200

/** A text of the practice in one line; null if it is empty, long, or may let a reader into a meeting. */
export function publicText(text: string | null | undefined): string | null {
  const line = (text ?? '').replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return line === '' || line.length > LONGEST || LETS_IN.test(line) ? null : line
}

export const video = (app?: string): Location => ({
  kind: 'video',
  text: app === undefined ? 'video' : `video (${app})`,
})

/** A place to go to, without its address if `publicText` refuses it. */
export function inPerson(address: string | null | undefined): Location {
  const shown = publicText(address)
  return { kind: 'in_person', text: shown === null ? 'in person' : `in person: ${shown}` }
}

/** The other places. The provider's own messages tell telephone numbers. */
export const LOCATIONS = {
  inviteeCalls: { kind: 'phone', text: 'phone: the invitee calls the practice' },
  practiceCalls: { kind: 'phone', text: 'phone: the practice calls the invitee' },
  link: { kind: 'other', text: 'online: the provider sends the link' },
  byInvitee: { kind: 'other', text: 'where the invitee says' },
  arranged: { kind: 'other', text: 'as arranged by the practice' },
} as const satisfies Record<string, Location>
