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
  clientLinkNotice: OwnTexts
  /** What a booking is subject to, in the practice's own words. */
  bookingTerms: OwnTexts
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

/** A text of the practice in each language; null where there is none. */
export type OwnTexts = Readonly<Record<PageLanguage, string | null>>

/** A text of the practice, and the language in which it is written. */
export interface OwnText {
  text: string
  language: PageLanguage
}

/** A text as a page in this language shows it: in English where it is in no other; null if there is none. */
export function textIn({ en, es }: OwnTexts, wanted: PageLanguage): OwnText | null {
  if (wanted === 'es' && es !== null) return { text: es, language: wanted }
  return en === null ? null : { text: en, language: 'en' }
}
