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
 * `NOISE`.
 */
const NAMES: Record<string, string> = {
  'America/New_York': 'eastern, et, est, edt, east coast, new york, new york city, nyc, detroit',
  'America/Chicago': 'central, ct, cst, cdt, chicago, menominee',
  'America/Denver': 'mountain, mt, mst, mdt, denver, boise',
  'America/Phoenix': 'arizona, phoenix, mountain arizona',
  'America/Los_Angeles': 'pacific, pt, pst, pdt, west coast, los angeles',
  'America/Anchorage': 'alaskan, alaska, akt, akst, akdt, anchorage, juneau',
  'America/Adak': 'aleutian, adak',
  'Pacific/Honolulu': 'hawaiian, hawaii, hst, hast, hdt, hawaii aleutian, honolulu',
  'America/Indiana/Indianapolis': 'indiana, indiana east, indianapolis',
  'America/Puerto_Rico': 'atlantic, ast, puerto rico',
  'Pacific/Guam': 'chamorro, chst, guam',
  'Pacific/Pago_Pago': 'american samoa, sst, pago pago',
}

/** Windows calls Arizona so: it has no daylight saving time. */
const ARIZONA_IN_WINDOWS = 'us mountain standard time'

const NOISE = new Set(
  'time times standard daylight saving savings prevailing zone us usa u s canada united states america and islands'.split(
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

const LONGEST = 80

/**
 * The IANA zone that an American or a Windows name of a zone means, such as `EST/EDT` or `Eastern
 * Time (US & Canada)`.
 */
export function usZoneMeant(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const plain = text
    .toLowerCase()
    .replaceAll(/\((?:utc|gmt)[^)]*\)|\./g, '')
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
  if (plain === ARIZONA_IN_WINDOWS) return 'America/Phoenix'
  const whole = ZONES.get(plain)
  if (whole !== undefined) return whole
  const words = plain.split(' ').filter((word) => !NOISE.has(word))
  const phrase = ZONES.get(words.join(' '))
  if (phrase !== undefined) return phrase
  // One name beside another of the same zone, as in `Eastern Time (ET)`.
  const [first, ...others] = words.map((word) => ZONES.get(word))
  return others.every((zone) => zone === first) ? first : undefined
}
