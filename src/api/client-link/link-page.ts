import { parseAccept } from 'hono/utils/accept'

import type { Asked } from '../../core/domain/event-type.ts'
import { LOCATIONS } from '../../core/domain/location.ts'
import type { OwnText, PageLanguage } from '../../core/domain/practice.ts'
import type { KeptLink } from '../../practice/operations/invite-client.ts'
import type { Html } from '../http/html.ts'
import type { TypedForm, Wrong } from './fields.ts'
import { type Named, type Words, english } from './words-en.ts'
import { spanish } from './words-es.ts'

/** What is said in each language, and what each calls itself. */
export const LANGUAGES: Readonly<
  Record<PageLanguage, { wordsOf: (named: Named) => Words; name: string }>
> = {
  en: { wordsOf: english, name: 'English' },
  es: { wordsOf: spanish, name: 'Español' },
}

export const isLanguage = (text: string | undefined): text is PageLanguage =>
  text !== undefined && Object.hasOwn(LANGUAGES, text)

/**
 * The language of ours that an Accept-Language header wants most (RFC 9110, section 12.5.4);
 * otherwise English.
 */
export function wantedLanguage(header = ''): PageLanguage {
  for (const { type: range, q: weight } of parseAccept(header)) {
    const [language] = range.toLowerCase().split('-')
    if (isLanguage(language) && weight > 0) return language
  }
  return 'en'
}

/** What every page of a link has. */
export interface LinkPage {
  practice: string
  /** What a booking is subject to, in the words of the practice. */
  terms: OwnText | null
  /** The path of the link; what was chosen on its pages stands behind it. */
  path: string
  chosen: { language?: PageLanguage | undefined; zone?: string | undefined }
  language: PageLanguage
  words: Words
  /** The zone in which times are shown. */
  zone: string
  isMock: boolean
  /** Stands before the rest. */
  said?: Html | string | undefined
}

const VIDEO = /^video( \(.+\))?$/
const IN_PERSON = /^in person(: .+)?$/
const OTHER_PLACES = Object.keys(LOCATIONS) as (keyof typeof LOCATIONS)[]

/** Where a consult takes place, for a client; in the words of the provider where we have none. */
export function placeOf(text: string, { places }: Words): string {
  const video = VIDEO.exec(text)
  if (video) return places.video + (video[1] ?? '')
  const inPerson = IN_PERSON.exec(text)
  if (inPerson) return places.inPerson + (inPerson[1] ?? '')
  const known = OTHER_PLACES.find((one) => LOCATIONS[one].text === text)
  return known === undefined ? text : places[known]
}

/** A consult of which the page tells how long it takes and where. */
export interface About {
  title: string | null
  minutes: number | null
  place: string | null
}

/** What the page has on which a client types. */
export interface DetailsView extends LinkPage {
  link: KeptLink
  about: About
  /** What the maker of the link may do. */
  makersScopes: readonly string[]
  /** The owner's notice, if there is one. */
  notice: OwnText | null
  errors: ReadonlyMap<string, Wrong>
  /** What the kind of consult asks besides; undefined where that is nothing. */
  asks: Asked | undefined
  /** What was typed before, in the answer to that form alone. */
  form: TypedForm
  /** The time that was pressed, in epoch ms; undefined for a link that asks for none. */
  pressed: number | undefined
}
