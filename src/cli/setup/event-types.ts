import { BOOKING_FIELDS } from '../../core/domain/booking-asks.ts'
import { pluralOf } from '../../core/domain/plural.ts'
import type { EventTypeChoice } from '../../practice/adapters/connection.ts'
import { CliError } from '../command.ts'

/** An event type with the short name that agents use. */
export type NamedEventType = EventTypeChoice & { name: string }

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
const NAME_RULE = 'The short name of an event type has small letters, digits, - and _.'

/** What is wrong with a short name; undefined if nothing is. */
export function wrongName(name: string, others: readonly string[]): string | undefined {
  if (!NAME.test(name)) return NAME_RULE
  return others.includes(name) ? 'Another one is called so.' : undefined
}

/** A short name made from a title. */
export const shortName = (title: string) =>
  title
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40) || 'consult'

/** Gives each type a short name of its own; a single one is `consult`, as agents expect. */
export function named(types: readonly EventTypeChoice[]): NamedEventType[] {
  if (types.length === 1) return types.map((type) => ({ name: 'consult', ...type }))
  const taken = new Set<string>()
  return types.map((type) => {
    const base = shortName(type.title)
    let name = base
    for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`
    taken.add(name)
    return { name, ...type }
  })
}

/** The event types that flags name by id or title, perhaps with `short=` before it. Raises `CliError`. */
export function chosen(
  wanted: readonly string[],
  types: readonly EventTypeChoice[],
): NamedEventType[] {
  const picked = wanted.map((text) => {
    const [, short, what = text] = /^([^=\s]+)=(.+)$/.exec(text) ?? []
    if (short !== undefined && !NAME.test(short))
      throw new CliError(NAME_RULE, 'Correct --event-type.')
    const [one, ...others] = types.filter(({ id, title }) => isNamed(what, id, title))
    if (!one || others.length > 0)
      throw new CliError(
        `${one ? 'Several event types have' : 'No event type has'} one of the given titles ` +
          `or ids. There are:\n${listed(types)}`,
        'Correct --event-type; the id is always exact.',
      )
    return { short, one }
  })
  const names = named(picked.map(({ one }) => one))
  for (const [index, { short }] of picked.entries())
    if (short !== undefined) names[index]!.name = short
  if (new Set(names.map(({ name }) => name)).size < names.length)
    throw new CliError('A short name is given twice.', 'Correct --event-type.')
  return names
}

const isNamed = (what: string, id: string, title: string) =>
  id === what || id.endsWith(`/${what}`) || title.toLowerCase() === what.trim().toLowerCase()

/** One event type a line, for a person to choose from. */
export const listed = (types: readonly EventTypeChoice[]) =>
  types
    .map(({ id, title, minutes }) => `  ${title}, ${pluralOf(minutes, 'minute')}  ${id}`)
    .join('\n')

/** The setting EVENT_TYPES; the first is the default. */
export const eventTypesSetting = (types: readonly NamedEventType[]) =>
  JSON.stringify(Object.fromEntries(types.map(({ name, id }) => [name, { id }])))

/**
 * The setting BOOKING_ASKS: what these kinds need besides a name and an address; undefined where
 * that is nothing.
 */
export function bookingAsksSetting(types: readonly NamedEventType[]): string | undefined {
  const asked = BOOKING_FIELDS.filter((field) => types.some(({ asks }) => asks?.includes(field)))
  return asked.length === 0 ? undefined : asked.join(',')
}
