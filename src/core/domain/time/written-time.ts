import { trimmed } from '../name.ts'
import { DAY } from './duration.ts'
import {
  DATE_TIME_WANTED,
  NOWHERE,
  boundOf,
  instantOf,
  isDate,
  isoInZone,
  isoUtc,
  whyNoMoment,
  zoneClock,
  zoneSchema,
  zoneWantedFor,
} from './time.ts'
import { usZoneMeant } from './us-zones.ts'

const CLOCK = String.raw`(?<clock>\d\d:\d\d)(?<seconds>:\d\d(?:\.\d+)?)?(?: ?(?<half>[ap])(?:\. ?)?m\b\.?)?`
const OFFSET = String.raw`(?<gap> ?)(?<offset>Z\b|(?:UTC|GMT)(?:[+-]\d\d:?\d\d\b|(?![a-z+-]))|[+-](?:\d\d(?::?\d\d)?|\d(?::\d\d)?))`
const ZONE = String.raw`(?:\[!?(?<zone>[^[\]=]{1,64})\]| ?\(?(?<place>[a-z][a-z_/. ]{1,40})\)?)?`
/** Such as `[u-ca=gregory]`: the date before it is that of ISO 8601 all the same (RFC 9557, section 5). */
const TAGS = String.raw`(?:\[[a-z_][a-z\d_-]*=[a-z\d-]{1,64}\])*`

/**
 * What people and models write for a moment, written out: ISO 8601 with or without seconds and offset,
 * RFC 9557 with a zone, the clock of twelve hours and the name of a zone behind it. In a query a blank
 * arrives as a plus.
 */
const MOMENT = new RegExp(
  String.raw`^(?<date>\d{4}-\d\d-\d\d)(?<between>T|[ +])${CLOCK}(?:${OFFSET})?${ZONE}${TAGS}$`,
  'i',
)

interface Written {
  date: string
  between: string
  clock: string
  /** It was on a clock of twelve hours. */
  isOfHalfDay: boolean
  /** With its colon, `:00`; missing where there are none. */
  seconds: string | undefined
  /** What comes before the offset. */
  gap: string
  /** As it is written: `Z`, `-05:00`, `-0500` or `-05`. */
  offset: string | undefined
  /** The zone in brackets, or the one that a name behind the time means. */
  zone: string | undefined
  /** That name, such as `EST`. */
  place: string | undefined
  /** Its date, its clock or its signs were written otherwise. */
  isOtherForm: boolean
}

/**
 * The text with the signs of word processors as plain ones, and its date and its clock as in RFC 3339:
 * `20261201T1000`, `2026/12/1`, `9:05`, `10 am`, `noon`, `10:00:00,5`. Only a date that begins with the year
 * has one order.
 */
const writtenOut = (text: string) =>
  text
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/(?<=^\d{4}[-/.]\d\d?[-/.]\d\d?)(?:, ?| )(?:at )?/i, ' ')
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/i, '$1-$2-$3T$4:$5')
    .replace(/(?<=^\d{4}-\d\d-\d\dT\d\d:\d\d)(?=\d\d)/i, ':')
    .replace(
      /^(\d{4})([-/.])(\d\d?)\2(\d\d?)(?=[T ])/i,
      (_date, year: string, _sign, month: string, day: string) =>
        `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    )
    .replace(/(?<=[T ]\d\d?)(?= ?[ap](?:\. ?)?m\b)/i, ':00')
    .replace(/(?<=[T ])(?:12(?::00)? ?)?noon\b/i, '12:00')
    .replace(/(?<=[T +])(?=\d:)/i, '0')
    .replace(/(?<=:\d\d),(?=\d)/, '.')

/** The hour of a clock of twelve hours on one of 24; undefined for one that it does not have. */
function clockOf(clock: string, half: string | undefined): string | undefined {
  if (half === undefined) return clock
  const [hour = '', minute = ''] = clock.split(':')
  if (Number(hour) < 1 || Number(hour) > 12) return undefined
  return `${two((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0))}:${minute}`
}

/** What the clocks of a zone show, of a time that is written out. */
type WallTime = Pick<Written, 'date' | 'clock' | 'seconds'>

/**
 * The zone that a name behind a time means: the one beside it, if its clocks are called so then,
 * as `CST` in Mexico City; an IANA name of a place, or an American name. `CET` has the hours of
 * winter by its letters, and those of summer in the IANA database.
 */
function zoneBehind(place: string, wall: WallTime, beside: unknown) {
  const own = zoneOf(beside)
  if (own !== undefined) {
    const local = localTimeIn(wall, own)
    // `MST` for Mountain Standard Time, as browsers in Arizona write it.
    const letters = place.includes(' ') ? place.replaceAll(/\B\w|\W/g, '') : place
    if (local?.is === 'once' && zoneClock(local.instant, own).name === letters.toUpperCase())
      return own
  }
  return (place.includes('/') ? zoneOf(place) : undefined) ?? usZoneMeant(place)
}

/** In Britain and Ireland people also call the clocks of summer `GMT`. */
const BRITISH_GMT =
  /^gmt (?:europe\/(?:london|dublin|belfast|jersey|guernsey|isle_of_man)|gb|gb-eire|eire)$/i

function partsOf(text: string, beside?: unknown): Written | undefined {
  const written = trimmed(text)
  const out = writtenOut(written)
  const groups = MOMENT.exec(out)?.groups
  if (!groups) return undefined
  const { date = '', between = '', seconds, gap = '', offset, half } = groups
  const clock = clockOf(groups['clock'] ?? '', half)
  if (clock === undefined) return undefined
  const place = BRITISH_GMT.test(`${offset} ${zoneOf(beside)}`) ? offset : groups['place']
  const zone = groups['zone'] ?? (place && zoneBehind(place, { date, clock, seconds }, beside))
  if (place !== undefined && zone === undefined) return undefined
  const isOfHalfDay = half !== undefined
  const isOtherForm = isOfHalfDay || out !== written
  return { date, between, clock, isOfHalfDay, seconds, gap, offset, zone, place, isOtherForm }
}

const two = (n: number) => String(n).padStart(2, '0')

/** The offset of a zone at a moment: `-05:00`. */
const offsetAt = (ms: number, zone: string) => isoInZone(ms, zone).slice(-'-05:00'.length)

const withColon = (offset: string) => {
  const digits = offset.replace(/^[a-z]+/i, '')
  if (digits === '') return 'Z'
  const [hour = '', minute = ''] = digits.includes(':')
    ? digits.slice(1).split(':')
    : [digits.slice(1, 3), digits.slice(3)]
  return `${digits[0]}${hour.padStart(2, '0')}:${minute.padEnd(2, '0')}`
}

const rfc3339 = ({ date, clock, seconds = ':00' }: WallTime, offset: string) =>
  `${date}T${clock}${seconds}${offset}`

/**
 * The moment of an RFC 3339 text in epoch ms; undefined for a day, a clock time or an offset that
 * does not exist.
 */
const momentOf = (text: string) => (whyNoMoment(text) === undefined ? instantOf(text) : undefined)

/**
 * What the clocks of a zone make of a local time; the offsets are in the order in which they are in
 * force.
 */
type LocalTime =
  | { is: 'once'; instant: number }
  | { is: 'twice' | 'never'; offsets: readonly string[] }

function localTimeIn(written: WallTime, zone: string): LocalTime | undefined {
  const asUtc = momentOf(rfc3339(written, 'Z'))
  if (asUtc === undefined) return undefined
  // The clocks of a zone change by less than a day, and not twice in two days.
  const around = [asUtc - DAY, asUtc + DAY]
  const instants = new Set(around.map((ms) => asUtc - zoneClock(ms, zone).offset))
  const [instant, second] = [...instants].filter((ms) => ms + zoneClock(ms, zone).offset === asUtc)
  if (instant !== undefined && second === undefined) return { is: 'once', instant }
  const offsets = around.map((ms) => offsetAt(ms, zone))
  return { is: instant === undefined ? 'never' : 'twice', offsets }
}

/** A zone in brackets, or that of the field beside the time, if it is one that requests may name. */
const zoneOf = (name: unknown): string | undefined => {
  const parsed = zoneSchema.safeParse(name)
  return parsed.success ? parsed.data : undefined
}

/**
 * A moment in RFC 3339 that a text names without doubt: with an offset in any spelling, in the zone
 * in its brackets, or in `zone`. Undefined for every other text.
 */
export function readTime(text: string, zone: unknown): string | undefined {
  const written = partsOf(text, zone)
  // A plus in place of T came from a query, which takes the form of the specification alone.
  if (!written || written.between === '+') return undefined
  const { offset, zone: named } = written
  if (offset !== undefined) {
    const read = rfc3339(written, withColon(offset))
    if (mayBeRange(written, zone)) return undefined
    return named === undefined || agree(read, written) ? read : undefined
  }
  const known = zoneOf(named ?? zone)
  const local = known === undefined ? undefined : localTimeIn(written, known)
  if (local?.is !== 'once' || isOfTwoTimes(written, zone, local.instant)) return undefined
  return isoUtc(local.instant)
}

/**
 * Whether the clocks show what the name behind a time says: `EST` in July could be an hour of winter
 * time, or what New York's clocks show.
 */
function hasName({ place = '', zone = '' }: Written, instant: number) {
  const [, short, long] = /^[a-z]{1,3}([sd])t$|\b(s|d)(?:tandard|aylight)\b/i.exec(place) ?? []
  const said = (short ?? long)?.toUpperCase()
  return said === undefined || zoneClock(instant, zone).name.at(-2) === said
}

/**
 * Whether the zone beside an offset has it then. `Z` before brackets says nothing of the local offset
 * (RFC 9557, section 2.2); before a name, as in `10:00Z EST`, it contradicts it.
 */
function agree(text: string, written: Written) {
  const zone = zoneOf(written.zone)
  const instant = momentOf(text)
  if (zone === undefined || instant === undefined || !hasName(written, instant)) return false
  const offset = offsetAt(instant, zone)
  if (text.endsWith('Z')) return written.place === undefined || offset === '+00:00'
  return text.endsWith(offset)
}

/**
 * Whether an offset may be the end of a time: `11:00-12:00`, `11:00-1:00`, `2:00 PM-3:00`. It is none
 * with seconds, nor where the zone beside it has the offset then.
 */
function mayBeRange(written: Written, zone: unknown) {
  const { seconds, offset = '', clock, isOfHalfDay, gap } = written
  if (seconds !== undefined || !offset.startsWith('-')) return false
  const read = withColon(offset)
  const beside = written.zone ?? zoneOf(zone)
  if (agree(rfc3339(written, read), { ...written, zone: beside })) return false
  const start = isOfHalfDay ? two(parseInt(clock, 10) % 12) + clock.slice(2) : clock
  // No program writes an hour of one digit, and an end with it may be past noon.
  if (/^-\d(?!\d)/.test(offset) && start < '13') return true
  const isOffset = isOfHalfDay ? gap !== '' && /^-0\d/.test(offset) : clock < '06:00'
  return !isOffset && read.slice(1) > start
}

/**
 * Whether the name behind a time may mean two: one that its clocks do not show then, or one that is
 * also used where the zone beside it is: `CST` in Shanghai, `Central Time` in Mexico City in July.
 */
function isOfTwoTimes(written: Written, beside: unknown, instant: number) {
  if (!hasName(written, instant)) return true
  const { place = '', zone = '' } = written
  const other = zoneOf(beside)
  if (place === '' || place.includes('/') || other === undefined) return false
  const [meant, own] = [zoneClock(instant, zone), zoneClock(instant, other)]
  if (meant.offset !== own.offset && nameOf(meant) === nameOf(own)) return true
  return ALSO_NAMED_SO.some((names) => names.test(`${place} ${other}`))
}

/** An American name and a zone whose people call their clocks so, too, though `Intl` does not. */
const ALSO_NAMED_SO = [
  // Standard time of Arabia, China, Malaysia and the Philippines
  /^[acmp][sd]t (?:asia\/|prc$|roc$)/i,
  /^(?:c[dest]|e).* australia\//i,
  /^c[dest].* (?:america\/havana|cuba)$/i,
  /^(?:m[dost]|p[adst]).* (?:america\/(?:dawson|hermosillo|mazatlan|whitehorse)|mexico\/bajasur|canada\/yukon)$/i,
]

/** `C` of `CST` and `CDT`. */
const nameOf = ({ name }: { name: string }) => name.replace(/[SD]T$/, '')

/** A date as a bound of a window: its first moment in the zone, or as `to` its last one. */
export function readDate(text: string, zone: string, side: 'from' | 'to'): string | undefined {
  const date = trimmed(text)
  if (!isDate(date) || momentOf(`${date}T12:00:00Z`) === undefined) return undefined
  return isoUtc(boundOf(date, zone, side))
}

/** How a refused time can be made clear. `zoneField` is the field that a tool reads a local time with. */
export interface Beside {
  zone: unknown
  zoneField: string | undefined
}

/** `Tuesday, December 1, 2026 at 10:00 AM EST`, and `12/1/2026`, of which the first could be the month. */
const FOR_PEOPLE =
  /[a-z]{3}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}(?:st|nd|rd|th)?,? [a-z]{3,9}\.?,? \d{4}|\d{1,2}([/.])\d{1,2}\1\d{2,4}/i

/**
 * What a text that is no RFC 3339 date-time lacks, where it nearly is one: the offset to add, the
 * two of an hour that comes twice or never, or the part that is spelled otherwise. Undefined for
 * every other text.
 */
export function whatTimeLacks(text: string, { zone, zoneField }: Beside): string | undefined {
  const wanted = (lack: string) => `${DATE_TIME_WANTED}; ${lack}`
  if (isDate(text)) {
    const why = whyNoMoment(`${text}T12:00:00Z`)
    if (why === NOWHERE) return wanted('this one names a date that does not exist.')
    return why ?? wanted('this one has no time of day and no offset.')
  }
  if (/^1\d{9}(?:\d{3})?$/.test(text))
    return wanted('this one counts seconds or milliseconds since 1970.')
  const written = partsOf(text, zone)
  if (!written)
    return FOR_PEOPLE.test(text)
      ? wanted('this one has its date as people write it, as in local_time.')
      : undefined
  const { offset, zone: named } = written
  const nowhere = whyNoMoment(rfc3339(written, offset === undefined ? 'Z' : withColon(offset)))
  if (nowhere === NOWHERE && offset === undefined)
    return wanted('this one names a date or a time of day that does not exist.')
  if (nowhere !== undefined) return nowhere
  if (named !== undefined && zoneOf(named) === undefined)
    return wanted(`the zone in its brackets is none. ${zoneWantedFor(named)}`)
  if (mayBeRange(written, zone))
    return wanted('this one may be a start and an end: send the start alone, with its offset.')
  const others = spelledOtherwise(written)
  if (offset === undefined) {
    const known = zoneOf(named ?? zone)
    if (known !== undefined) return wanted(offsetToAdd(written, known, zone, others))
    const orZone = zoneField === undefined ? '' : `, or name the zone in ${zoneField}`
    return wanted(`this one has no offset, so the moment is ambiguous: add it${orZone}.`)
  }
  if (named !== undefined && !agree(rfc3339(written, withColon(offset)), written))
    return wanted('the offset of this one is not that of its zone then.')
  return others.length === 0 ? undefined : wanted(`this one ${others.join(' and ')}.`)
}

/** What a time has that RFC 3339 does not, or lacks, besides its offset. */
const spelledOtherwise = (written: Written) => {
  const { isOtherForm, between, seconds, gap, offset = '', zone, place } = written
  return [
    isOtherForm && 'has a date, a time of day or signs in another form',
    between !== 'T' && between !== 't' && 'has a blank in place of T',
    seconds === undefined && 'has no seconds',
    gap !== '' && 'has a blank before its offset',
    /^(?:utc|gmt)$/i.test(offset) && 'has the name of a zone in place of Z',
    /\d/.test(offset) && offset.length !== 6 && 'has an offset without its colon and minutes',
    zone !== undefined &&
      `has a zone ${place ? 'behind it' : 'in brackets'}, which does not belong there`,
  ].filter((one) => one !== false)
}

function offsetToAdd(written: Written, zone: string, beside: unknown, others: readonly string[]) {
  const local = localTimeIn(written, zone)
  if (!local) return 'this one names a date or a time of day that does not exist.'
  if (local.is === 'once') {
    if (isOfTwoTimes(written, beside, local.instant))
      return 'the name of its zone may mean two times then, so the moment is ambiguous: send the offset in its place.'
    const also = others.length === 0 ? '' : ` It also ${others.join(' and ')}.`
    return `this one has no offset: add ${offsetAt(local.instant, zone)}, which that zone has then.${also}`
  }
  const [before, after] = local.offsets
  return local.is === 'never'
    ? `this one does not exist in that zone, whose clocks go from ${before} to ${after} ` +
        'then: choose another time, with its offset.'
    : `this one comes twice in that zone, whose clocks go from ${before} to ${after} then: ` +
        `add ${before} for the first, ${after} for the second.`
}

/**
 * Of a `dateTimeSchema` text with an offset that its zone does not have then, what is: none for UTC,
 * and none for an offset that one of `zones` has at that moment; the first is the invitee's.
 */
function strayOffset(text: string, zones: readonly [string, ...string[]]) {
  const sent = /[+-]\d\d:\d\d$/.exec(text)?.[0]
  if (sent === undefined || sent.endsWith('00:00')) return undefined
  const instant = instantOf(text)
  if (zones.some((zone) => offsetAt(instant, zone) === sent)) return undefined
  const written = partsOf(text)
  const [zone] = zones
  const has = offsetAt(instant, zone)
  return written && { clock: written.clock, there: localTimeIn(written, zone), sent, zone, has }
}

/**
 * A warning about a time that was sent with an offset which its zone does not have then: most
 * likely the clock time was meant.
 */
export function offsetWarnings(text: string, zones: readonly [string, ...string[]]): string[] {
  const stray = strayOffset(text, zones)
  if (!stray) return []
  const { clock, there, sent, zone, has } = stray
  const meant =
    there?.is === 'once'
      ? `${clock} there would be ${isoInZone(there.instant, zone)}`
      : `${clock} ${there?.is === 'twice' ? 'comes twice' : 'does not exist'} there that day`
  return [
    `start_time was sent with the offset ${sent}, which ${zone} does not have then: it has ` +
      `${has}. ${meant}. Make sure that the previewed time is the one that was meant.`,
  ]
}

/** The same for the refusal of a time that is not free, which repeats nothing of it. */
export function offsetDetail(
  text: string,
  zones: readonly [string, ...string[]],
): string | undefined {
  const stray = strayOffset(text, zones)
  if (!stray) return undefined
  const { there, has } = stray
  const mayBeFree = there?.is === 'once' ? ', with which the same clock time may be free' : ''
  return (
    'start_time was sent with an offset that the zone of the invitee does not have then: ' +
    `it has ${has}${mayBeFree}.`
  )
}
