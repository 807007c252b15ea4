/** The zones in which most people of the United States live, the most people first. */
export const US_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
] as const
export type UsZone = (typeof US_ZONES)[number]

/**
 * The zones of the United States, and what people there and Windows call them, without the words of
 * `NOISE`; with the large cities after which models name a zone that does not exist.
 */
const NAMES: Record<string, string> = {
  'America/New_York':
    'eastern, east, et, est, edt, east coast, new york, new york city, nyc, detroit, boston, ' +
    'philadelphia, washington dc, baltimore, atlanta, miami, orlando, tampa, charlotte, ' +
    'pittsburgh, cleveland, columbus, cincinnati, raleigh, hartford, newark, jersey city, buffalo',
  'America/Chicago':
    'central, ct, cst, cdt, chicago, menominee, houston, dallas, austin, san antonio, ' +
    'minneapolis, milwaukee, saint louis, st louis, kansas city, nashville, memphis, new orleans, omaha, ' +
    'oklahoma city',
  'America/Denver': 'mountain, mt, mst, mdt, denver, boise, salt lake city, albuquerque',
  'America/Phoenix': 'arizona, phoenix, tucson, mountain arizona, mountain phoenix',
  'America/Los_Angeles':
    'pacific, pt, pst, pdt, west coast, los angeles, la, san francisco, san diego, san jose, ' +
    'sacramento, seattle, las vegas, california',
  'America/Anchorage': 'alaskan, alaska, akt, akst, akdt, anchorage, juneau',
  'America/Adak': 'aleutian, adak',
  'Pacific/Honolulu': 'hawaiian, hawaii, hst, hast, hdt, hawaii aleutian, honolulu',
  'America/Indiana/Indianapolis': 'indiana, indiana east, indianapolis',
  'America/Puerto_Rico': 'atlantic, ast, puerto rico, san juan',
  'Pacific/Guam': 'chamorro, chst, guam',
  'Pacific/Pago_Pago': 'american samoa, sst, pago pago',
  UTC: 'z, universal, coordinated universal, greenwich mean',
}

/**
 * Whole names whose words alone would mean another zone. Windows calls Arizona `US Mountain
 * Standard Time`: it has no daylight saving time.
 */
const WHOLE: Record<string, string | undefined> = {
  'us mountain standard time': 'America/Phoenix',
  'central america': 'America/Guatemala',
  'central america time': 'America/Guatemala',
  'central america standard time': 'America/Guatemala',
  'canada central standard time': 'America/Regina',
  'atlantic time canada': 'America/Halifax',
  // By their letters these would be Dubai and Dili.
  'asia mumbai': 'Asia/Kolkata',
  'asia delhi': 'Asia/Kolkata',
}

const NOISE = new Set(
  'time times standard std daylight saving savings prevailing zone us usa u s canada united states america and islands utc gmt'.split(
    ' ',
  ),
)

const ZONES = new Map(
  Object.entries(NAMES).flatMap(([zone, names]) =>
    names.split(', ').flatMap((name) => [
      [name, zone],
      [name.replaceAll(' ', ''), zone],
    ]),
  ) as [string, string][],
)
const MOST_WORDS_OF_NAME = 3

const LONGEST = 80

/** An offset from UTC, as Windows and calendars write it beside the name of a zone. */
const OFFSET = /\(?\b(?:utc|gmt)\s*[-−]\s*\d{1,2}(?::?\d\d)?\b\)?/g
/** The same of a zone east of Greenwich, where Australia, too, has an Eastern and a Central Time. */
const EAST_OF_GREENWICH = /\b(?:utc|gmt)\s*\+/i

/**
 * The IANA zone that an American or a Windows name of a zone means, such as `EST/EDT`, `Eastern
 * Time (US & Canada)` or `(GMT-05:00) Eastern Time - New York`.
 */
export function usZoneMeant(text: string): string | undefined {
  if (text.length > LONGEST || EAST_OF_GREENWICH.test(text)) return undefined
  // The two letters of a state behind a city say nothing more.
  const named = text
    .replace(/,\s*[A-Z]{2}$/, '')
    .toLowerCase()
    .replaceAll(OFFSET, ' ')
  // A point belongs to letters, as in `E.T.`, or stands between words, as in `America.New_York`.
  return meantBy(named.replaceAll('.', '')) ?? meantBy(named)
}

function meantBy(named: string): string | undefined {
  const plain = named.replaceAll(/[^a-z]+/g, ' ').trim()
  if (Object.hasOwn(WHOLE, plain)) return WHOLE[plain]
  return ZONES.get(plain) ?? zoneOfAll(plain.split(' ').filter((word) => !NOISE.has(word)))
}

/** The zone of names beside each other, as in `Eastern Time (ET)`, where it is the same. */
function zoneOfAll(words: readonly string[]): string | undefined {
  let zone: string | undefined
  for (let at = 0; at < words.length;) {
    const name = longestName(words.slice(at, at + MOST_WORDS_OF_NAME))
    if (name === undefined || (zone !== undefined && name.zone !== zone)) return undefined
    zone = name.zone
    at += name.length
  }
  return zone
}

/** The longest name of a zone that these words begin with. */
function longestName(words: readonly string[]): { zone: string; length: number } | undefined {
  for (let length = words.length; length > 0; length--) {
    const zone = ZONES.get(words.slice(0, length).join(' '))
    if (zone !== undefined) return { zone, length }
  }
  return undefined
}
