import { lazily } from './lazy.ts'
import { redactContacts } from './sensitive-data/contacts.ts'
import { readable, forReading } from './sensitive-data/prepared-text.ts'
import { sensitivePart } from './sensitive-data/sensitive-data.ts'

export const LOCATION_KINDS = ['video', 'phone', 'in_person', 'other'] as const

/** Where a kind of consult takes place. The text is for people, and does not let a reader join a meeting. */
export type Location = { kind: (typeof LOCATION_KINDS)[number]; text: string }

const LONGEST_TEXT = 200
const ZIP_4 = /(?<!\d)\d{5}-\d{4}(?!\d)/g
const STREETS =
  'street|st|avenue|ave|av|road|rd|boulevard|blvd|drive|dr|lane|ln|way|court|ct|place|pl|plaza|square|sq|terrace|' +
  'parkway|pkwy|highway|hwy|circle|cir|trail|broadway|route|loop|alley|row|walk|turnpike'
const STREETS_BEFORE_NAME = 'calle|avenida|paseo|camino|carretera|carrera|rue|via|viale|piazza|rua'
const IN_BUILDING = 'suite|ste|floor|building|bldg'
const NAME_OF_STREET =
  "(?:(?!(?:then|and|or|at|for|to|on|in|is|the|from|by|near|behind|beside|next|off|opposite|across|before|after|under|with|inside|outside|y|o|en|para|luego|detr[aá]s|frente|junto)(?!\\p{L}))[\\p{L}\\p{M}'’.-]+|\\d{1,3}(?:st|nd|rd|th)) "
/** Not a code but the number of a house: `120 Pine Street`, `120 Calle Ocho`. */
const HOUSE =
  `\\d{1,6} (?:(?:${NAME_OF_STREET}){1,3}(?:${STREETS})(?=\\.?(?:$|[,;)(]| (?:[nsew]{1,2}|north|south|east|west|unit|apt|#|${IN_BUILDING})(?!\\p{L})))|` +
  `broadway(?!\\p{L})|(?:${STREETS_BEFORE_NAME}) \\p{L})`
/** What has a code, and can stand beside the address of a building. */
const DOOR =
  '(?:door|gate|lobby|garage|entry|entrance|elevator|lift)s?|puerta|port[oó]n|entrada|' +
  'porte|portail|t(?:ü|ue)r|eingang'
/** What a code is for, or what is done with one. */
const LOCK =
  'buzz(?:er)?|intercom|lock ?box|key ?pad|combo|combination|unlock|press|punch(?: in)?|enter|dial|ring|bell|' +
  'alarm|(?:call|key) ?box|portero|timbre|marque|toque|interphone|sonnette|klingel'
const TO_NUMBER =
  '(?:[^\\p{L},]{1,3}(?:is|es|number|no|pad|off|with|then)(?!\\p{L})){0,2}[^\\p{L},]{0,6}'
/** Signs of a link, an address, a code, or a number as long as a meeting's: each may let a reader in. */
const LETS_IN = lazily(() => [
  /:\/\/|www\.|@|\S\.\p{L}{2,}\//u,
  /\p{L}\.(?:com|net|org|us|me|io|app|co|biz|info|link|live|gov|edu|dev|ly|gg|tv|uk|ca|mx|eu)(?!\p{L})/iu,
  /(?<!\p{L})(?:pin|(?:pass|access|meeting|door|gate|digi)?code|pass(?:word|phrase|e)?|pw[d]?|key|contrase[nñ]a|clave|codigo|código)(?!\p{L})/iu,
  /(?<!\p{L})(?:id|meeting|conference|reuni[oó]n|sala|room)(?!\p{L})\P{L}{0,8}\d[\d\s.-]{4}/iu,
  // What opens a door: `Door: 4821`, `press 4821 at the gate`
  new RegExp(
    `(?<!\\p{L})(?:(?:${LOCK})(?!\\p{L})${TO_NUMBER}|(?:${DOOR})(?!\\p{L})${TO_NUMBER}(?!${HOUSE}))\\d(?:-?\\d){2}|` +
      '\\d{3,8}\\P{L}{1,3}(?:(?:at|for|on|to|opens|en|para|de) )(?:(?:the|la|el) )?' +
      `(?<!\\p{L})(?:${DOOR}|${LOCK})(?!\\p{L})`,
    'iu',
  ),
  // A network and what lets one in: `WiFi Guest2024`, `wifi guest hunter22`
  new RegExp(
    `(?<!\\p{L})(?:wi[ -]?fi|wlan|ssid|guest network)\\P{L}{1,3}(?:(?!(?:at|in|on|near|unit|apt|room|${IN_BUILDING})(?!\\p{L}))\\p{L}+[^\\p{L}\\d,]{1,3}){0,3}` +
      `(?!${HOUSE}|\\d{1,2}(?![\\p{L}\\d])|\\d{1,3}(?:st|nd|rd|th)(?!\\p{L}))\\S*\\d`,
    'iu',
  ),
  /(?<!\p{L})live:\S/iu, // an address of Skype
  /(?<!\p{L})[a-z]{3}-[a-z]{4}-[a-z]{3}(?!\p{L})/iu, // Google Meet
  /\d#/u, // what is typed on a telephone
  /(?:\d[\s.-]*){9}/u,
])

/** A text of the practice in one line; null if it is empty, long, or may let a reader into a meeting. */
export function publicText(text: string | null | undefined): string | null {
  const line = (text ?? '').replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  if (line === '' || line.length > LONGEST_TEXT) return null
  const read = forReading(line).replaceAll(ZIP_4, '')
  const isPrivate = sensitivePart(line) !== undefined || redactContacts(line) !== readable(line)
  return isPrivate || LETS_IN().some((sign) => sign.test(read)) ? null : line
}

const ADDRESS_SIGNS = /^[\p{L}\p{M}\d\s.,#'’/&()ºª°-]+$/u
const STREET = new RegExp(
  `(?<!\\p{L})(?:${STREETS}|${STREETS_BEFORE_NAME}|${IN_BUILDING}|p\\.?o\\.? box)(?!\\p{L})|` +
    '(?:stra(?:ß|ss)e|str|weg|platz|gasse|allee|laan|straat)(?!\\p{L})',
  'iu',
)
const THREE_NUMBERS_IN_A_ROW = /\d[ .-]+\d+[ .-]+\d/
const LONG_NUMBER = /\d{7}/

/**
 * Whether a line reads as the plain address of a building: a street, a number, and no other signs
 * or long numbers.
 */
function isStreetAddress(line: string) {
  if (!ADDRESS_SIGNS.test(line) || !/\d/.test(line) || !STREET.test(line)) return false
  return !THREE_NUMBERS_IN_A_ROW.test(line) && !LONG_NUMBER.test(line)
}

export const video = (app?: string): Location => ({
  kind: 'video',
  text: app === undefined ? 'video' : `video (${app})`,
})

/** A place to go to, with its address only if that reads as the plain address of a building. */
export function inPerson(address: string | null | undefined): Location {
  const shown = publicText(address)
  if (shown === null || !isStreetAddress(shown)) return { kind: 'in_person', text: 'in person' }
  return { kind: 'in_person', text: `in person: ${shown}` }
}

/** The other places. The provider's own messages tell telephone numbers. */
export const LOCATIONS = {
  inviteeCalls: { kind: 'phone', text: 'phone: the invitee calls the practice' },
  practiceCalls: { kind: 'phone', text: 'phone: the practice calls the invitee' },
  link: { kind: 'other', text: 'online: the provider sends the link' },
  byInvitee: { kind: 'other', text: 'where the invitee says' },
  arranged: { kind: 'other', text: 'as arranged by the practice' },
} as const satisfies Record<string, Location>
