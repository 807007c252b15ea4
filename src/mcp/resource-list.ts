import { topicsFor } from '../domain/event-topics.ts'
import type { Mode } from '../domain/mode.ts'
import type { Scope } from '../domain/scopes.ts'
import { EVENT_RESOURCES, listEvents } from '../operations/events.ts'
import { READS } from '../operations/index.ts'
import { type Read, type Resource, practiceMode } from '../operations/operation.ts'
import { type Context, perform } from '../operations/perform.ts'
import type { ProviderModes } from '../ports/index.ts'

/** A resource with what answers for it. */
export interface ServedResource extends Resource {
  /** What the log calls it. */
  operation: string
  mode(modes: ProviderModes): Mode
  mayBeReadWith(scopes: readonly Scope[]): boolean
  /** The answer for a value of its variable. Raises a `Problem`. */
  read(value: string, context: Context): Promise<object>
}

const answeredBy = (read: Read, resource: Resource): ServedResource => ({
  ...resource,
  operation: read.name,
  mode: (modes) => read.mode(modes),
  mayBeReadWith: (scopes) => scopes.includes(read.scope),
  read: async (value, context) =>
    (await perform(read, resource.request(value, context.services), context)).body,
})

/** The events have no scope of their own: a caller reads the topics whose scope it holds. */
const ofEvents = (resource: Resource): ServedResource => ({
  ...resource,
  operation: 'list_events',
  mode: practiceMode,
  mayBeReadWith: (scopes) => topicsFor(scopes).length > 0,
  read: (value, context) => listEvents(resource.request(value, context.services).fields as object, context),
})

/** All resources: those with an address, and the templates, in the order in which they are listed. */
export const RESOURCES: readonly ServedResource[] = [
  ...READS.flatMap((read) => (read.resources ?? []).map((resource) => answeredBy(read, resource))),
  ...EVENT_RESOURCES.map(ofEvents),
]

export const isTemplate = ({ address }: Resource): boolean => address.includes('{')

/** A template of the pages after the first. */
export const isLaterPage = ({ address }: Resource): boolean => address.includes('{?')

/** The variable of a template. */
export const variableOf = ({ address }: Resource): string | undefined => /\{\??(\w+)\}/.exec(address)?.[1]

const PATTERNS = RESOURCES.map((resource) => {
  const pattern = resource.address.replace(/\{\?(\w+)\}/, '\\?$1=([^/?#&]+)').replace(/\{\w+\}/, '([^/?#]+)')
  return { resource, pattern: new RegExp(`^${pattern}$`) }
})

/** The resource under an address, and the value of its variable; undefined if there is none. */
export function resourceAt(uri: string): { resource: ServedResource; value: string } | undefined {
  for (const { resource, pattern } of PATTERNS) {
    const found = pattern.exec(uri)
    if (found) return { resource, value: decoded(found[1] ?? '') }
  }
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
