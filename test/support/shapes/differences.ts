import type { Facts, Section, Shapes, Side } from './shape.ts'

/** One way in which the shapes of now are not those that were promised. */
export interface Difference {
  /** An addition is allowed; a break is not. */
  is: 'addition' | 'break'
  /** What differs, and where: `POST /v1/bookings body.start_time: is required now`. */
  what: string
  /** Of a break: what has to be done in its place. */
  need?: string
  /** Of an addition that a caller or an owner can use: the name that the notes of the version have to say. */
  noted?: string
}

/**
 * The lists that may get longer in an answer: a caller treats an unknown code by `next_step`, `retryable` and `effect`,
 * and leaves an unknown event alone. A new value of any other list, such as a state of a booking, would be misread.
 */
const OPEN_LISTS = 'code codes type events topic topics scope scopes operation operations'.split(
  ' ',
)

/** What has to be done in place of a break, by the side that would break. */
const NEED: Record<Side, string> = {
  request:
    'Callers send it as it was. Keep taking that, and add an optional field beside it, or a new path for the new shape. ' +
    'docs/promise.md says for how long.',
  answer:
    'Callers read it as it was. Keep it, and add a field of another name beside it, or a new path for the new shape.',
  both: 'Callers send and read it as it was. Keep it, and add a field of another name beside it, or a new path for the new shape.',
  fact: 'It is named by callers or in settings. Keep it as it is, and add one of another name beside it.',
  stored:
    'An earlier version reads and writes it again after a rollback. Keep it as it is, and add a column beside it that may be null or has a default.',
}

/** What differs from the shapes that were promised. Empty where nothing does. */
export function differences(promised: Shapes, now: Shapes): Difference[] {
  const gone = [...promised].filter(([name]) => !now.has(name))
  return [
    ...gone.map(([name, { side }]) => broken(side, `${name}: is gone`)),
    ...[...now].flatMap(([name, section]) => {
      const before = promised.get(name)
      return before ? inSection(name, before, section) : [newSection(name, section)]
    }),
  ]
}

const broken = (side: Side, what: string): Difference => ({
  is: 'break',
  what,
  need: NEED[side],
})

/** A new schema or table is only ever used by what is new or differs itself. */
function newSection(name: string, { side }: Section): Difference {
  const isNoted = side !== 'stored' && !name.startsWith('schema ')
  const what = `${name}: is new`
  // `POST /v1/visits request`, `tool record_visit request`, `topics`.
  const [kind, noted = kind!] = name.split(' ')
  return { is: 'addition', what, ...(isNoted && { noted }) }
}

function inSection(name: string, before: Section, after: Section): Difference[] {
  const side = before.side === after.side ? after.side : 'both'
  const at = (place: string): string => `${name} ${place}`
  const gone = [...before.rows.keys()].filter((place) => !after.rows.has(place))
  return [
    ...gone.map((place) => broken(side, `${at(place)}: is gone`)),
    ...[...after.rows].flatMap(([place, facts]): Difference[] => {
      const known = before.rows.get(place)
      if (known) return inRow(at(place), side, known, facts)
      const isPartOfNew = !isTop(place) && !before.rows.has(parentOf(place))
      return isPartOfNew ? [] : [newRow(at(place), side, facts, nameOf(place))]
    }),
  ]
}

const PART = /(?:\.[^.<[]+|\[\]|<[^>]*>)$/
const parentOf = (place: string): string => place.replace(PART, '')
/** No row says that a request has parameters in this place. */
const PARAMETER = /^(?:query|header|path)\.[^.[]+$/
const isTop = (place: string): boolean => PARAMETER.test(place) || parentOf(place) === place
/** The name that a person would write of it: the last part, without what only tells members of a union apart. */
const nameOf = (place: string): string =>
  place
    .replaceAll(/\[\]|<[^>]*>/g, '')
    .split('.')
    .at(-1)!

function newRow(what: string, side: Side, facts: Facts, name: string): Difference {
  const isSent = side === 'request' || side === 'both'
  if (isSent && facts['required']) return broken(side, `${what}: is new and required`)
  if (side === 'stored' && needsValue(facts))
    return broken(side, `${what}: is a new column that an earlier version leaves empty`)
  return { is: 'addition', what: `${what}: is new`, ...(side !== 'stored' && { noted: name }) }
}

const needsValue = ({ column = '' }: Facts): boolean =>
  /NOT NULL|PRIMARY KEY|UNIQUE/.test(String(column)) && !/DEFAULT/.test(String(column))

function inRow(what: string, side: Side, before: Facts, after: Facts): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((fact): Difference[] => {
    const [was, is] = [before[fact], after[fact]]
    if (said(was) === said(is)) return []
    const [place, schema] = what.split(' ').toReversed()
    const name = place === 'it' ? schema! : nameOf(place!)
    const change = { fact, was, is, name }
    const more = listOf(is).filter((one) => !listOf(was).includes(one))
    const says = `${what}: ${fact} ${howItDiffers(change, more)}`
    if (!isHarmless(side, change)) return [broken(side, says)]
    const [first = name] = more
    const noted = typeof first === 'string' ? first : name
    // What it is a type of is an addition of its own.
    return [{ is: 'addition', what: says, ...(fact !== 'type' && { noted }) }]
  })
}

/** Of a list, only what is not the same. */
function howItDiffers({ was, is }: Change, more: readonly unknown[]): string {
  if (!Array.isArray(was) || !Array.isArray(is)) return `was ${said(was)} and is ${said(is)}`
  const lost = was.filter((one) => !is.includes(one))
  const parts = [
    lost.length > 0 && `has lost ${JSON.stringify(lost)}`,
    more.length > 0 && `has more: ${JSON.stringify(more)}`,
  ]
  return parts.filter(Boolean).join(' and ')
}

const listOf = (fact: unknown): unknown[] => (Array.isArray(fact) ? fact : [])

/** A list is the same in any order. */
const said = (fact: unknown): string =>
  fact === undefined ? 'not said' : JSON.stringify(Array.isArray(fact) ? inOrder(fact) : fact)

const inOrder = (list: readonly unknown[]): string[] =>
  list.map((one) => JSON.stringify(one)).toSorted((a, b) => a.localeCompare(b))

interface Change {
  fact: string
  was: unknown
  is: unknown
  /** Of the field, or of the schema. */
  name: string
}

/** Whether those who sent it before may still send that, and those who read it before can still read it. */
function isHarmless(side: Side, change: Change): boolean {
  switch (side) {
    case 'request':
      return isWider(change)
    case 'answer':
      return isNarrower(change)
    case 'both':
      return isWider(change) && isNarrower(change)
    default:
      return false
  }
}

/** Whether all that was accepted still is, and means the same. */
function isWider({ fact, was, is }: Change): boolean {
  switch (fact) {
    case 'required':
    case 'closed':
    case 'format':
    case 'pattern':
      return is === undefined
    case 'type':
      return holdsAll(kinds(is), kinds(was))
    case 'enum':
      return is === undefined || (was !== undefined && holdsAll(is, was))
    case 'default':
      return was === undefined
    default:
      return isLooser(fact, was, is)
  }
}

/** Whether all that is answered could be answered before. */
function isNarrower({ fact, was, is, name }: Change): boolean {
  switch (fact) {
    case 'required':
    case 'closed':
    case 'format':
    case 'pattern':
      return was === undefined
    case 'type':
      return holdsAll([...kinds(was), ...listOf(is).filter(isOfAddition)], kinds(is))
    case 'list':
      return holdsAll(is, was)
    case 'enum':
      // A value that is never answered again is waited for in vain.
      if (was === undefined || is === undefined) return was === undefined
      return holdsAll(is, was) && OPEN_LISTS.includes(name.toLowerCase())
    case 'default':
      return was === undefined
    default:
      return isLooser(fact, is, was)
  }
}

/**
 * A receiver leaves an event of an unknown type alone, and only who made a change of an added operation
 * is ever answered with what it committed.
 */
const isOfAddition = (type: unknown): boolean => /^#\w+(?:Event|Committed)$/.test(String(type))

const holdsAll = (list: unknown, values: unknown): boolean =>
  (values as unknown[]).every((one) => (list as unknown[]).includes(one))

/** A number may be whole. */
const kinds = (types: unknown): unknown[] =>
  (types as unknown[]).flatMap((one) => (one === 'number' ? ['number', 'integer'] : [one]))

/** Whether a limit lets more through than another; no limit lets everything through. */
function isLooser(fact: string, was: unknown, is: unknown): boolean {
  if (is === undefined) return true
  if (was === undefined || typeof was !== 'number' || typeof is !== 'number') return false
  return /^(max|exclusiveMax)/.test(fact) ? is >= was : is <= was
}
