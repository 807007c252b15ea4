import type { McpRequestContext, ProtocolError, Server } from '@modelcontextprotocol/server'

import { topicsFor } from '../../core/domain/events/topics.ts'
import type { LogLine } from '../../core/domain/log-line.ts'
import type { Mode } from '../../core/domain/mode.ts'
import { problemBody } from '../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../core/domain/problem/problems.ts'
import type { Scope } from '../../core/domain/scopes.ts'
import type { ProviderModes } from '../../core/ports/services.ts'
import { type Context, unlessPaused } from '../../practice/operations/context.ts'
import { EVENT_RESOURCES, eventListInput, listEvents } from '../../practice/operations/events.ts'
import { READS } from '../../practice/operations/index.ts'
import { type TextFor, answerFor, textFor } from '../../practice/operations/named-operations.ts'
import {
  type Completed,
  type Resource,
  type Read,
  practiceMode,
} from '../../practice/operations/operation.ts'
import { perform, problemOf } from '../../practice/operations/perform.ts'
import { PROMPTS } from '../../practice/operations/prompts.ts'
import { parseInput } from '../../practice/operations/validation.ts'
import type * as Sdk from './sdk.ts'

interface Serving {
  sdk: typeof Sdk
  context: Context
  log: LogLine
  reworded: Map<string, number>
}

/** The code of a missing resource in the revisions of 2025, which the SDK no longer gives, and in 2026. */
const NOT_THERE = { legacy: -32002, modern: -32602 } as const
const NO_SUCH_RESOURCE =
  'There is no such resource. resources/list and resources/templates/list have all of them.'
const MOST_VALUES = 100

/** An error of the protocol in words of ours, which the caller gets. */
export function refusalOf(
  { sdk, reworded }: Pick<Serving, 'sdk' | 'reworded'>,
  code: number,
  message: string,
  data?: unknown,
): ProtocolError {
  reworded.set(message, code)
  return new sdk.ProtocolError(code, message, data)
}

/** Serves the reads as resources, and completes their variables. A caller without the scope sees none. */
export function serveResources(server: Server, serving: Serving, era: McpRequestContext['era']) {
  const { context, log } = serving
  const allowed = RESOURCES.filter(({ mayBeReadWith }) => mayBeReadWith(context.scopes))
  const says = textFor(context, true)
  const notThere = () => refusalOf(serving, NOT_THERE[era], NO_SUCH_RESOURCE)

  server.setRequestHandler('resources/list', () => ({
    resources: allowed
      .filter((one) => !isTemplate(one))
      .map(({ address: uri, ...one }) => ({ uri, ...shown(one, says) })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: allowed
      // Lists name the templates of later pages: some hosts show a template without its variable.
      .filter((one) => isTemplate(one) && !one.address.includes('{?'))
      .map(({ address: uriTemplate, ...one }) => ({ uriTemplate, ...shown(one, says) })),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const { resource, value } = resourceAt(uri) ?? {}
    if (!resource || !allowed.includes(resource)) throw notThere()
    log.operation = resource.operation
    log.mode = resource.mode(context.services.modes)
    try {
      const body = await resource.read(value ?? '', context)
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(body) }] }
    } catch (thrown) {
      const { refusal } = problemOf(thrown, { kind: 'read', name: resource.operation })
      const { status, title } = PROBLEMS[refusal.code]
      if (status === 404) throw notThere()
      const { InvalidParams, InternalError } = serving.sdk.ProtocolErrorCode
      const code = status === 400 ? InvalidParams : InternalError
      const body = problemBody(refusal, log.request_id, context.origin, 'read')
      throw refusalOf(serving, code, `${title}.`, body)
    }
  })
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const resource = allowed.find((one) =>
      ref.type === 'ref/resource' ? one.address === ref.uri : variableOf(one) === argument.name,
    )
    const { values, more } =
      ref.type === 'ref/resource'
        ? await valuesOf(resource, argument, context)
        : await promptValues(ref.name, argument, () => valuesOf(resource, argument, context))
    return {
      completion: {
        values: values.slice(0, MOST_VALUES),
        ...(more ? {} : { total: values.length }),
        hasMore: more || values.length > MOST_VALUES,
      },
    }
  })
}

const shown = ({ name, title, description }: Omit<Resource, 'address'>, says: TextFor) => {
  return { name, title, description: says(description), mimeType: 'application/json' }
}

const NONE: Completed = { values: [], more: false }

type Argument = { name: string; value: string }

/** A completion is only a help: there is none if the provider does not answer or the caller is paused. */
async function valuesOf(
  resource: Resource | undefined,
  { name, value }: Argument,
  context: Context,
): Promise<Completed> {
  const { complete } = resource ?? {}
  if (!resource || !complete || variableOf(resource) !== name) return NONE
  try {
    return await unlessPaused(context, () => complete(value, context.services))
  } catch {
    return NONE
  }
}

async function promptValues(
  prompt: string,
  { name, value }: Argument,
  otherwise: () => Promise<Completed>,
): Promise<Completed> {
  const known = PROMPTS.find((one) => one.name === prompt)?.arguments.some(
    (one) => one.name === name,
  )
  if (!known) return NONE
  if (name === 'timezone') return { values: zonesLike(value), more: false }
  return otherwise()
}

/** The zones whose name begins with a text, then those that hold it: `york` finds America/New_York. */
function zonesLike(text: string): string[] {
  const wanted = text.toLowerCase().replaceAll(' ', '_')
  const zones = Intl.supportedValuesOf('timeZone')
  const begins = zones.filter((zone) => zone.toLowerCase().startsWith(wanted))
  return [
    ...begins,
    ...zones.filter((zone) => zone.toLowerCase().includes(wanted) && !begins.includes(zone)),
  ]
}

interface ServedResource extends Resource {
  operation: string
  mode(modes: ProviderModes): Mode
  mayBeReadWith(scopes: readonly Scope[]): boolean
  read(value: string, context: Context): Promise<object>
}

const answeredBy = (read: Read, resource: Resource): ServedResource => ({
  ...resource,
  operation: read.name,
  mode: (modes) => read.mode(modes),
  mayBeReadWith: (scopes) => scopes.includes(read.scope),
  async read(value, context) {
    const { body } = await perform(read, resource.request(value, context.services), context)
    return answerFor(body, textFor(context, true))
  },
})

const ofEvents = (resource: Resource): ServedResource => ({
  ...resource,
  operation: 'list_events',
  mode: practiceMode,
  mayBeReadWith: (scopes) => topicsFor(scopes).length > 0,
  read: (value, context) =>
    listEvents(
      parseInput(eventListInput, resource.request(value, context.services).fields),
      context,
    ),
})

/** All resources in the order in which they are listed: those with an address, then the templates. */
export const RESOURCES: readonly ServedResource[] = [
  ...READS.flatMap((read) => (read.resources ?? []).map((resource) => answeredBy(read, resource))),
  ...EVENT_RESOURCES.map(ofEvents),
]

const isTemplate = ({ address }: Resource) => address.includes('{')

const variableOf = ({ address }: Resource) => /\{\??(\w+)\}/.exec(address)?.[1]

const PATTERNS = RESOURCES.map((resource) => {
  const pattern = resource.address
    .replace(/\{\?(\w+)\}/, '\\?$1=([^/?#&]+)')
    .replace(/\{\w+\}/, '([^/?#]+)')
  return { resource, pattern: new RegExp(`^${pattern}$`) }
})

function resourceAt(uri: string) {
  for (const { resource, pattern } of PATTERNS) {
    const found = pattern.exec(uri)
    if (found) return { resource, value: decoded(found[1] ?? '') }
  }
  return undefined
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
