import type { Random } from '../../support/random.ts'

/**
 * The value as hosts, models and people write it: scalars, objects and lists as text, null or an empty text in a place,
 * local times, white space around a value. It may mean the same, or be refused; it is never a fault of ours.
 */
export function asHostsWrite(value: unknown, random: Random, depth = 0): unknown {
  const inside = (one: unknown) => asHostsWrite(one, random, depth + 1)
  // Text inside text doubles what it escapes at each level.
  const becomesText = (share: number) => depth < DEEPEST_TEXT && random.chance(share)
  if (random.chance(0.04)) return random.pick([null, '', ' '])
  if (Array.isArray(value)) {
    const list = value.map(inside)
    return becomesText(0.3) ? JSON.stringify(list) : list
  }
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(([name, one]) => [name, inside(one)])
    if (random.chance(0.1)) fields.push([random.pick(LEFT_EMPTY), random.pick([null, '', 0])])
    const whole = Object.fromEntries(fields) as object
    return becomesText(0.15) ? JSON.stringify(whole) : whole
  }
  if (typeof value === 'boolean' || typeof value === 'number') return scalar(value, random)
  if (typeof value !== 'string') return value
  return DATE_TIME.test(value) && random.chance(0.6) ? time(value, random) : text(value, random)
}

const DEEPEST_TEXT = 4

/** Optional fields that hosts send without a value. */
const LEFT_EMPTY = ['event_type', 'timezone', 'invitee_name', 'reason', 'limit', 'cursor', 'notes']

const scalar = (value: boolean | number, random: Random): unknown =>
  random.chance(0.5)
    ? value
    : random.pick([
        String(value),
        String(value).toUpperCase(),
        ` ${value} `,
        `"${value}"`,
        value ? 'yes' : 'no',
        Number(value),
        `${Number(value)}.0`,
      ])

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/

const ZONES = ['America/New_York', 'Europe/Lisbon', 'PST', 'Eastern Standard Time', 'UTC', 'Mars/X']

function time(written: string, random: Random): string {
  const [, date, clock, offset] = DATE_TIME.exec(written) ?? []
  return random.pick([
    `${date}T${clock}`,
    `${date}T${clock}:00`,
    `${date} ${clock}`,
    `${date}T${clock}${offset}`,
    `${date} ${clock}:00${offset}`,
    `${date}T${clock}:00${offset?.replace(':', '')}`,
    `${date}T${clock}:00${offset?.slice(0, 3)}`,
    `${date}T${clock}:00${offset}[${random.pick(ZONES)}]`,
    `${date}T${clock}[${random.pick(ZONES)}]`,
    `${date}T02:30:00[America/New_York]`,
    `${date?.replace(/-\d\d-\d\d$/, '-03-14')}T02:30:00`,
    `${date?.replace(/-\d\d-\d\d$/, '-11-07')}T01:30:00`,
    String(Date.parse(written) / 1000),
    `${date}`,
    `${date}T25:61:00`,
    `tomorrow at ${clock}`,
  ])
}

/** What stands in the notes of a practice: figures, numbers of forms and orders, names of what is secret, and signs. */
const NOTES = [
  'K-1 totals 2024: 312,500 and 2025: 298,100.',
  'Form 4797: 312,450 gain; parcel 045-123-067; confirmation 0012345678',
  'Each of three children owns 33⅓% of the LLC; was here 1½ years',
  'Amazon order 113-4300145-5480654, EFTPS number 271699277025640 for Q3',
  'Case 24-1234567, Invoice 25-0001234, but EIN 25-0001234',
  'ATIN 912-93-1234 and card 4111 1111 1111 1112',
  'S.S. no. 219099999; Fidelity account Z12-345678; SIN: 046454286',
  'SS benefits 23919 / 4221. Call (212) 555-0147, or +44 20 7946 0958',
  'Llame al 212.555.0147 después de las 5 p. m.; correo ana@ejemplo.example',
  'jane (at) example (dot) com \u200b\u202ewww.example.com\u202c',
]

const text = (written: string, random: Random): string =>
  random.weighted<() => string>([
    [12, () => written],
    [2, () => random.pick([`${written}\n`, ` ${written}`, `${written}\u00a0`, `\t${written}`])],
    [1, () => `"${written}"`],
    [1, () => written.toUpperCase()],
    [2, () => random.pick(NOTES)],
    [1, () => random.pick(['null', 'undefined', 'N/A', 'none', '-'])],
  ])()
