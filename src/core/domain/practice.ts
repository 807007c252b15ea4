import type { BookingField } from './booking-asks.ts'
import { capitalised } from './name.ts'

/** A kind of consult: our name for it, and the provider's own id. */
export type EventType = { name: string; id: string }

/** The languages of the page of a client link. */
export type PageLanguage = 'en' | 'es'

/** What the settings say about the practice. */
export interface Practice {
  name: string
  /** The telephone number that clients call, as their pages show it. */
  phone: string | null
  /** IANA name of the default zone. */
  timezone: string
  schedulingPageUrl: string | null
  /** The text above the button on the page of a client link. */
  clientLinkNotice: string | null
  /** The same in Spanish. */
  clientLinkNoticeEs: string | null
  /** What a booking is subject to, in the practice's own words. */
  bookingTerms: string | null
  /** The same in Spanish, for clients who read the page of a client link in Spanish. */
  bookingTermsEs: string | null
  /** The fields of a booking that are offered, since a kind of consult asks for them. */
  bookingAsks: readonly BookingField[]
  /** At least one; the first is the default. */
  eventTypes: readonly [EventType, ...EventType[]]
}

/** What a practice is called whose settings give no name, in the language of a page. */
export const UNNAMED: Readonly<Record<PageLanguage, string>> = {
  en: 'the practice',
  es: 'la oficina',
}

/** The name of the practice in sentences of a language. */
export const nameIn = ({ name }: Pick<Practice, 'name'>, language: PageLanguage) =>
  name === UNNAMED.en ? UNNAMED[language] : name

/**
 * The same where a sentence begins with it, or where it is alone. A name of its own is never
 * changed.
 */
export const nameFirst = (name: string) =>
  Object.values(UNNAMED).includes(name) ? capitalised(name) : name

/** The same where a sentence ends with it, with the full stop, which `Tax, Inc.` has already. */
export const nameLast = (name: string) => `${name.replace(/\.$/, '')}.`

/** A text of the practice, and the language in which it is written. */
export interface OwnText {
  text: string
  language: PageLanguage
}

/** A text in the language of a page; in English where the practice has it in no other. */
function ownText(english: string | null, spanish: string | null, wanted: PageLanguage) {
  if (wanted === 'es' && spanish !== null) return { text: spanish, language: wanted }
  return english === null ? null : { text: english, language: 'en' as const }
}

/** The notice that a page in this language shows; null if there is none. */
export const noticeIn = (
  { clientLinkNotice, clientLinkNoticeEs }: Practice,
  language: PageLanguage,
): OwnText | null => ownText(clientLinkNotice, clientLinkNoticeEs, language)

/** The terms that a page in this language shows; null if there are none. */
export const termsIn = (
  { bookingTerms, bookingTermsEs }: Practice,
  language: PageLanguage,
): OwnText | null => ownText(bookingTerms, bookingTermsEs, language)
