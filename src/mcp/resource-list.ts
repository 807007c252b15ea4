import { READS } from '../operations/index.ts'
import type { Read, Resource } from '../operations/operation.ts'

/** A resource with the read that answers for it. */
export interface ServedResource extends Resource {
  read: Read
}

/** All resources: those with an address, and the templates, in the order in which they are listed. */
export const RESOURCES: readonly ServedResource[] = READS.flatMap((read) =>
  (read.resources ?? []).map((resource) => ({ ...resource, read })),
)

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
