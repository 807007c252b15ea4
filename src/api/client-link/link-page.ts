import type { Asked } from '../../core/domain/event-type.ts'
import type { OwnText, PageLanguage } from '../../core/domain/practice.ts'
import type { KeptLink } from '../../practice/operations/invite-client.ts'
import type { Html } from '../http/html.ts'
import type { TypedForm, Wrong } from './fields.ts'
import type { Words } from './words-en.ts'

/** What every page of a link has. */
export interface LinkPage {
  practice: string
  /** Whom to call; null where the settings do not say. */
  phone: string | null
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

/** A consult of which the page tells how long it takes and where. */
export interface About {
  title: string | null
  minutes: number | null
  place: string | null
}

/** A page that speaks of the calendar. */
export interface ConsultPage extends LinkPage {
  /** The calendar of the practice, as people call it. */
  provider: string
}

/** What the page has on which a client types. */
export interface DetailsView extends ConsultPage {
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
