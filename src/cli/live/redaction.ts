import { bookingStateSchema } from '../../core/domain/booking.ts'
import { isPaymentProvider } from '../../core/domain/providers.ts'
import type { Call, Exchange, Recording } from './recording.ts'

const named = (names: string) => new Set(names.trim().split(/\s+/))

/** Members whose value is a word of the provider's or of ours, never of a person. */
const WORDS = named(`
  status is code effect kind type object method mode currency collection_method
  billing_reason reconciliation effective timezone timeZone locale language time_notation
  resource_type integration booking_method scheduling_method pooling_type schedulingType
  canceler_type disabled_reason customer_tax_exempt account_country`)
const WORD = /^[A-Za-z][\w./:+-]{0,60}$/

/** Ours; an address has a state, too. */
const BOOKING_STATES: readonly string[] = bookingStateSchema.options

/** Numbers that say how something is set up. */
const COUNTS = named(`
  duration lengthInMinutes minutes slotInterval position status limit total active count
  attempt_count quantity notShown price seatsPerTimeSlot minimumBookingNotice
  beforeEventBuffer afterEventBuffer start end from to created due_date dueAt`)

/** The questions that every event type of Cal.com has. Those of a practice are named after what it asks. */
const SLUGS = named(`
  name email title notes guests location rescheduleReason attendeePhoneNumber`)

const AMOUNT = /amount|total|balance|price|charges/i
const ID = /^(?:id|uid|slug|username|customer|user|owner)$|(?:_id|Id|Uid|_token|Cursor)$/
const ID_OF_STRIPE =
  /^(?:in|plink|cus|acct|price|prod|pi|py|sub|ii|il|li|inpay|evt|req|ch|seti|pm|si)_\w+$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const DIGITS = /^\d{1,15}$/

/** Parts of the addresses of the providers' own API. Any other part is an id. */
const PARTS = named(`
  v1 v2 payment_links invoices invoice_payments lines line_items bookings slots event-types
  me cancel reschedule event_types users organizations teams organization_memberships
  event_type_available_times scheduled_events invitees cancellation event_type_memberships`)
const API_HOSTS = ['api.calendly.com', 'api.cal.com', 'api.stripe.com']
const OWN_HOSTS = /(?:^|\.)(?:calendly\.com|cal\.com|stripe\.com)$/

/** What an answer of ours derives from texts that are redacted, so that it would come out otherwise. */
const DERIVED = named(`
  maskedEmail initials payerInitials payerEmail payerLinks number title asks advice location
  detail next_step`)

export const REDACTED = 'redacted'
const STAND_IN = /^(?:[a-z]+_)?REDACTED\d{8}$/

const GONE = Symbol('left out')

interface Redacting {
  provider: Recording['provider']
  /** Texts that we made up, and that the provider repeats. */
  ours: readonly string[]
  eventTypeIds: readonly string[]
}

/**
 * What was said to a provider and what it answered, without what is anybody's own: only words,
 * moments and counts that are known to be harmless stay. The same id, address or amount always
 * becomes the same stand-in, so that it can be replayed.
 */
export function redacted(
  { exchanges, calls }: Pick<Recording, 'exchanges' | 'calls'>,
  about: Redacting,
): Pick<Recording, 'event_types' | 'exchanges' | 'calls'> {
  const redactor = redactorOf(about, namesIn(exchanges))
  const { whole, partial, path } = redactor
  const event_types = about.eventTypeIds.map((id) => redactor.eventTypeId(id))
  const answer = (response: Exchange['response']): Exchange['response'] => {
    if (response === 'no answer') return response
    const { status, body } = response
    if (typeof body === 'string') return { ...response, body: REDACTED }
    return { ...response, body: whole(body, status >= 400) }
  }
  return {
    event_types,
    exchanges: exchanges.map(({ request: { method, path: asked, body }, response }) => ({
      request: {
        method,
        path: path(asked),
        ...(body && { body: partial(body) as Record<string, unknown> }),
      },
      response: answer(response),
    })),
    calls: calls.map((one): Call => {
      const given = one.arguments.map((each) => whole(each ?? null))
      if (one.refusal) return { ...one, arguments: given }
      return { ...one, arguments: given, answer: partial(withoutDerived(one.answer) ?? null) }
    }),
  }
}

function withoutDerived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDerived)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !DERIVED.has(name))
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutDerived(one)]))
}

/** Every text that the provider calls a name. */
function namesIn(value: unknown, isName = false): string[] {
  if (typeof value === 'string') return isName && value.trim().length > 2 ? [value.trim()] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    namesIn(one, Array.isArray(value) ? isName : /name/i.test(name)),
  )
}

function standIn<Key, Value>(
  known: Map<Key, Value>,
  key: Key,
  make: (nth: number) => Value,
): Value {
  const value = known.get(key) ?? make(known.size + 1)
  known.set(key, value)
  return value
}

/** What stands in for ids, people and amounts: for the same one always the same. */
function standIns() {
  const ids = new Map<string, string>()
  const people = new Map<string, string>()
  const amounts = new Map<number, number>()

  function id(text: string): string {
    if (text === '') return text
    const [, ourPrefix, rest] = /^(bk|pl)_(.+)$/.exec(text) ?? []
    if (ourPrefix !== undefined && rest !== undefined) return `${ourPrefix}_${id(rest)}`
    return standIn(ids, text, (nth) => {
      if (DIGITS.test(text)) return String(1000 + nth)
      const [prefix = ''] = ID_OF_STRIPE.test(text) ? (/^[a-z]+_/.exec(text) ?? []) : []
      return `${prefix}REDACTED${String(nth).padStart(8, '0')}`
    })
  }

  function amount(minor: number): number {
    if (minor === 0) return 0
    return standIn(amounts, minor, (nth) => Math.sign(minor) * (10_000 + 100 * nth))
  }

  const path = (text: string): string =>
    text
      .split('/')
      .map((part) => (part === '' || PARTS.has(part) ? part : id(decodeURIComponent(part))))
      .join('/')

  function address(url: URL): string {
    if (API_HOSTS.includes(url.hostname)) return `${url.origin}${path(url.pathname)}`
    const host = OWN_HOSTS.test(url.hostname) ? url.hostname : 'redacted.example'
    return `https://${host}/${REDACTED}`
  }

  return {
    id,
    isKnownId: (text: string): boolean => ids.has(text),
    person: (email: string): string =>
      standIn(people, email.toLowerCase(), (nth) => `person-${nth}@example.com`),
    amount,
    path,
    address,
  }
}

/** What is known to be no one's own, or its stand-in. `key` is the name of its member. */
function knownValues(
  { provider, ours }: Pick<Redacting, 'provider' | 'ours'>,
  { id, isKnownId, person, amount, path, address }: ReturnType<typeof standIns>,
) {
  const isAmount = (key: string): boolean => isPaymentProvider(provider) && AMOUNT.test(key)

  /** The text or its stand-in; undefined for one that is not known. */
  function text(value: string, key: string | undefined): string | undefined {
    if (value === '' || ours.includes(value) || MOMENT.test(value)) return value
    if (value === 'true' || value === 'false') return value
    if (isKnownId(value)) return id(value)
    if (key === 'slug' && SLUGS.has(value)) return value
    if (key === 'state' && BOOKING_STATES.includes(value)) return value
    if (key !== undefined && WORDS.has(key) && WORD.test(value)) return value
    if (/^[^\s@]+@[^\s@]+$/.test(value)) return person(value)
    if (/^https?:\/\//.test(value) && URL.canParse(value)) return address(new URL(value))
    if (/^\/v\d\//.test(value)) return path(value)
    if (/^bk_|^pl_in_/.test(value) || ID_OF_STRIPE.test(value)) return id(value)
    if (DIGITS.test(value)) return digits(value, key)
    return key !== undefined && ID.test(key) ? id(value) : undefined
  }

  function digits(value: string, key: string | undefined): string | undefined {
    if (key === undefined) return id(value)
    if (COUNTS.has(key)) return value
    if (isAmount(key)) return String(amount(Number(value)))
    return ID.test(key) ? id(value) : undefined
  }

  /** The number or its stand-in; undefined for one that is not known. */
  function number(value: number, key: string | undefined): number | undefined {
    // Only the arguments of a call have no name: times of ours.
    if (key === undefined) return value
    if (isAmount(key)) return amount(value)
    if (COUNTS.has(key)) return value
    return ID.test(key) ? Number(id(String(value))) : undefined
  }

  return { text, number }
}

interface Manner {
  /** Leaves out what is not known, rather than say of which type it was. */
  isPartial?: boolean
  /** The provider's words for a refusal stay, scrubbed, since an adapter may read them. */
  isRefusal?: boolean
}

function redactorOf(about: Redacting, names: readonly string[]) {
  const inPlaceOf = standIns()
  const { id, path, address } = inPlaceOf
  const known = knownValues(about, inPlaceOf)

  function leaf(value: unknown, key: string | undefined, manner: Manner): unknown {
    if (typeof value === 'number') return known.number(value, key) ?? (manner.isPartial ? GONE : 0)
    if (typeof value !== 'string') return value
    const text = known.text(value, key)
    if (text !== undefined) return text
    if (manner.isPartial) return GONE
    return manner.isRefusal ? scrubbed(value, names) : REDACTED
  }

  function rendered(value: unknown, key: string | undefined, manner: Manner): unknown {
    if (Array.isArray(value)) {
      const all = value.map((one) => rendered(one, key, manner))
      return all.includes(GONE) ? GONE : all
    }
    if (typeof value !== 'object' || value === null) return leaf(value, key, manner)
    const entries = Object.entries(value).map(
      ([name, one]) => [nameOf(name), rendered(one, lastPart(name), manner)] as const,
    )
    return Object.fromEntries(entries.filter(([, one]) => one !== GONE))
  }

  return {
    path,
    whole: (value: unknown, isRefusal = false) => rendered(value, undefined, { isRefusal }),
    partial: (value: unknown) => rendered(value, undefined, { isPartial: true }),
    eventTypeId: (named: string) => (URL.canParse(named) ? address(new URL(named)) : id(named)),
  }
}

/** The name of a member of a form: `metadata[invoice_id]` is an `invoice_id`. */
const lastPart = (name: string): string => /\[(\w+)\]$/.exec(name)?.[1] ?? name

const nameOf = (name: string): string => (/^[\w$.:[\]-]{1,80}$/.test(name) ? name : REDACTED)

/**
 * A provider's words for a refusal, without what it may repeat: names, addresses, quotations, ids
 * and long numbers.
 */
const scrubbed = (text: string, names: readonly string[]): string =>
  names
    .reduce((rest, name) => rest.replaceAll(name, REDACTED), text)
    .replaceAll(/https?:\/\/\S+/g, REDACTED)
    .replaceAll(/\S+@\S+/g, REDACTED)
    .replaceAll(/(["'“‘`])[^"'”’`]*["'”’`]/g, `$1${REDACTED}$1`)
    .replaceAll(/\b(?=\w*\d)\w{5,}\b/g, REDACTED)
    .replaceAll(/\w{24,}/g, REDACTED)

/** A part of a path that stands for an id. */
export const isStandIn = (part: string): boolean => STAND_IN.test(part) || DIGITS.test(part)
