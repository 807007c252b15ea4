import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Exchange, Recording } from './recording.ts'
import { isStandIn } from './redaction.ts'

/** The types that each member of an answer has had, by its place: `data.attendees[].email`. */
type Members = Record<string, string[]>
/** By what was asked, with the status that came: `POST /v2/bookings 201`. */
export type Shapes = Record<string, Members>

/** How one answer of a provider differs from those of the fakes that the adapters are tested with. */
export interface Difference {
  asked: string
  is: 'other answer' | 'missing' | 'other type' | 'new'
  member?: string
  detail?: string
}

const FILE = join(import.meta.dirname, 'shapes.json')

/** What the fakes in test/ answer to this check; test/cli/doctor-live.test.ts writes it. */
export const shapesOfFakes = (): Record<string, Shapes> =>
  JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Shapes>

/** The shapes of redacted answers. A list counts as one of all its entries. */
export function shapesOf(exchanges: readonly Exchange[]): Shapes {
  const shapes: Shapes = {}
  for (const { request, response } of exchanges) {
    if (response === 'no answer') continue
    const path = request.path.replaceAll(/[^/]+/g, (part) => (isStandIn(part) ? ':id' : part))
    const members = (shapes[`${request.method} ${path} ${response.status}`] ??= {})
    noteIn(members, '', response.body)
  }
  return shapes
}

/** Members named after a day have one name. */
const DAY = /^\d{4}-\d\d-\d\d/

function noteIn(members: Members, place: string, value: unknown): void {
  const type = typeOf(value)
  const seen = (members[place] ??= [])
  if (!seen.includes(type)) members[place] = [...seen, type].toSorted()
  if (Array.isArray(value)) for (const one of value) noteIn(members, `${place}[]`, one)
  else if (type === 'object')
    for (const [name, one] of Object.entries(value as object)) {
      const shown = DAY.test(name) ? '<day>' : name
      noteIn(members, place === '' ? shown : `${place}.${shown}`, one)
    }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** What a provider answered in another shape than its fake, what an adapter could miss first. */
export function differences(
  { exchanges }: Pick<Recording, 'exchanges'>,
  known: Shapes,
): Difference[] {
  const found = Object.entries(shapesOf(exchanges)).flatMap(([asked, members]) => {
    const expected = known[asked]
    return expected ? inMembers(asked, members, expected) : [{ asked, is: 'other answer' } as const]
  })
  const order: Difference['is'][] = ['other answer', 'missing', 'other type', 'new']
  return found.toSorted((one, other) => order.indexOf(one.is) - order.indexOf(other.is))
}

function inMembers(asked: string, members: Members, expected: Members): Difference[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(members)])]
  return names.flatMap((member): Difference[] => {
    const before = expected[member]
    const now = members[member]
    const parent = parentOf(member)
    // What is in a member that is missing, or in an empty list, goes without saying.
    if (!now) return isIn(members, parent, member) ? [{ asked, is: 'missing', member }] : []
    if (!before) {
      const isOfKnown = isIn(expected, parent, member) || isListed(expected, parent, member)
      return isOfKnown ? [{ asked, is: 'new', member }] : []
    }
    const other = now.filter((type) => !before.includes(type))
    const detail = `${other.join(' and ')}, here ${before.join(' or ')}`
    return other.length > 0 ? [{ asked, is: 'other type', member, detail }] : []
  })
}

const parentOf = (member: string): string | undefined => {
  if (member === '') return undefined
  if (member.endsWith('[]')) return member.slice(0, -2)
  return member.includes('.') ? member.slice(0, member.lastIndexOf('.')) : ''
}

/** Whether the parent is there, and an object that could have this member. */
const isIn = (members: Members, parent: string | undefined, member: string): boolean =>
  parent !== undefined && !member.endsWith('[]') && members[parent]?.includes('object') === true

/** Whether it is an entry of a list that is there. */
const isListed = (members: Members, parent: string | undefined, member: string): boolean =>
  parent !== undefined && member.endsWith('[]') && members[parent]?.includes('array') === true

/** The differences for a person: one line for each answer and kind, the members in a row. */
export function differencesShown(found: readonly Difference[]): string[] {
  const WORDS = { missing: 'is missing', new: 'is new', 'other type': 'has another type' }
  const rows = Map.groupBy(found, ({ asked, is }) => `${is} ${asked}`)
  return [...rows.values()].map((all) => {
    const { asked, is } = all[0]!
    if (is === 'other answer') return `${asked}: no fake answers so`
    const members = all.map(({ member = '', detail }) => {
      const name = member === '' ? 'the body' : member
      return detail === undefined ? name : `${name} (${detail})`
    })
    return `${asked}: ${WORDS[is]}: ${members.join(', ')}`
  })
}
