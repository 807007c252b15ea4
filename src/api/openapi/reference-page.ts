import type { Asked, ProblemCode } from '../../core/domain/problem/problems.ts'
import { OPERATIONS } from '../../practice/operations/index.ts'
import { isTool } from '../../practice/operations/operation.ts'
import { type SampleCall, samplesOf } from './code-samples.ts'
import type { Block, DocPage } from './doc-page.ts'
import { type Field, fieldOf, sampleOf, sentFields, variantsOf } from './fields.ts'
import { LEADS } from './leads.ts'
import { type Entry, type OpenApi, addressOf, resolvedEntry } from './reference.ts'
import { shownRefusal, usualFirst } from './refusals.ts'

const quoted = (text: string): string => `\`${text}\``
const indented = (value: unknown): string => JSON.stringify(value, null, 2)

/** The address of the page of a route or an event. */
export const pathOfPage = ({ route }: Entry): string => `/docs/api/${route.operationId}`

/** The page of a route or an event. */
export function referencePage(entry: Entry, document: OpenApi): DocPage {
  const resolved = resolvedEntry(entry, document)
  const { summary } = entry.route
  const page = { path: pathOfPage(entry), title: summary }
  return entry.path.startsWith('/')
    ? { ...page, ...routeParts(resolved, document) }
    : { ...page, ...eventParts(resolved) }
}

/** An event: what it says, and its body. */
function eventParts({ route }: Entry): Omit<DocPage, 'path' | 'title'> {
  const { description, summary, requestBody } = route
  const body = requestBody?.content['application/json']
  const text: Block[] = [
    description ?? summary,
    ...answerFields(body?.schema, 'Fields of the body'),
  ]
  const side: Block[] =
    body?.example === undefined ? [] : [{ code: indented(body.example), label: 'Body' }]
  return { pairs: [{ text, side }] }
}

function routeParts(entry: Entry, document: OpenApi): Omit<DocPage, 'path' | 'title'> {
  const { operationId, responses } = entry.route
  const tool = OPERATIONS.find(({ name }) => name === operationId)
  const asked: Asked = tool?.kind === 'mutation' ? 'commit' : 'read'
  return {
    blocks: [placeOf(entry)],
    pairs: [
      {
        text: [
          ...leadOf(entry),
          ...requestBlocks(entry),
          ...refusalBlocks(codesOf(responses), asked),
          ...answerBlocks(entry),
        ],
        side: sideOf(entry, document),
      },
    ],
  }
}

/** How a route is called, and what for. */
function placeOf(entry: Entry): string {
  const { operationId, security } = entry.route
  const tool = OPERATIONS.find(({ name }) => name === operationId)
  const scopes = [...new Set(security.flatMap((one) => Object.values(one).flat()))]
  const overMcp = tool && isTool(tool) ? ` MCP tool ${quoted(tool.name)}.` : ''
  return `${quoted(addressOf(entry))}${overMcp} ${needs(scopes.map(quoted), security.length > 0)}`
}

function needs(scopes: string[], isProtected: boolean): string {
  if (scopes.length > 0) return `Needs ${scopes.join(' or ')}.`
  return isProtected ? 'Needs any key.' : 'Needs no key.'
}

function leadOf({ route }: Entry): Block[] {
  const { operationId, description, summary } = route
  const lead = LEADS[operationId] ?? description
  return lead === undefined || lead === summary ? [] : [lead]
}

function requestBlocks({ route }: Entry): Block[] {
  const { parameters = [], requestBody } = route
  const given = parameters.map((one) => {
    const schema = { ...one.schema, ...(one.description && { description: one.description }) }
    const field = fieldOf(one.name, schema, one.required ? 'required' : '')
    return { ...field, place: one.in }
  })
  const isNeeded = ({ place, mark }: Field) => place === 'header' && mark === 'required'
  const headers = given.filter(isNeeded)
  const fields = [
    ...given.filter((one) => one.place !== 'header'),
    ...sentFields(requestBody?.content['application/json']?.schema),
    ...given.filter((one) => one.place === 'header' && !isNeeded(one)),
  ]
  return [
    ...(headers.length > 0 ? ['### Header', { fields: headers }] : []),
    ...(fields.length > 0 ? ['### Fields', { fields }] : ['It takes no fields.']),
  ]
}

const codesOf = (responses: Entry['route']['responses']): ProblemCode[] =>
  Object.values(responses).flatMap(
    ({ content }) =>
      Object.keys(content?.['application/problem+json']?.examples ?? {}) as ProblemCode[],
  )

function refusalBlocks(codes: readonly ProblemCode[], asked: Asked): Block[] {
  if (codes.length === 0) return []
  const { usual, others } = usualFirst(codes)
  const shown = (some: readonly ProblemCode[]) => some.map((code) => shownRefusal(code, asked))
  const first: Block[] = usual.length > 0 ? [{ refusals: shown(usual) }] : []
  const folded = `${usual.length > 0 ? 'The others' : 'All of them'} (${others.length})`
  return ['### When it is refused', ...first, { refusals: shown(others), folded }]
}

function answerBlocks({ route }: Entry): Block[] {
  const answered = answersOf(route)
  const { schema } = answered[0]?.[1].content?.['application/json'] ?? {}
  const said = answered.map(([status, one]) => `${quoted(status)}: ${one.description ?? ''}`)
  return ['### Answer', said.join(' '), ...answerFields(schema, 'Fields of the answer')]
}

const answersOf = ({ responses }: Entry['route']) =>
  Object.entries(responses).filter(([status]) => status.startsWith('2'))

const answerFields = (schema: Parameters<typeof variantsOf>[0], title: string): Block[] =>
  variantsOf(schema).map(({ label, fields }) => ({
    fields,
    folded: label === '' ? title : `${title}, ${label.toLowerCase()}`,
  }))

/** The call as code, and what it was answered. */
function sideOf(entry: Entry, document: OpenApi): Block[] {
  const { route } = entry
  const sent = route.requestBody?.content['application/json']?.examples
  const { example, examples } = answersOf(route)[0]?.[1].content?.['application/json'] ?? {}
  const sample = { sample: samplesOf(callOf(entry, document, { body: bodyOf(entry) })) }
  if (sent?.['preview']) {
    const committed = sent['commit']?.value as { confirmation_token?: string } | undefined
    const added = { confirm: true, confirmation_token: committed?.confirmation_token }
    return [
      sample,
      answerBlock(examples?.['preview']?.value),
      { code: members(added), label: COMMIT_LABEL },
      answerBlock(examples?.['committed']?.value),
    ]
  }
  return example === undefined ? [sample] : [sample, answerBlock(example)]
}

const answerBlock = (value: unknown): Block => ({ code: indented(value), label: 'Answer' })

/** The members of an object as JSON, without the braces around them. */
const members = (value: object): string => indented(value).slice(2, -2).replaceAll(/^ {2}/gm, '')

/** The body that the example of a route sends: of a change, that of its preview. */
export function bodyOf({ route }: Entry): unknown {
  const body = route.requestBody?.content['application/json']
  if (!body) return undefined
  return body.examples?.['preview']?.value ?? body.example ?? sampleOf(body.schema)
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' ? value : otherwise

const COMMIT_LABEL = 'Commit: add these two, keep the rest'

/** The call of a route with the values of its example. */
export function callOf(
  { method, path, route }: Entry,
  { servers }: OpenApi,
  { body, idempotency = 'new' }: Pick<SampleCall, 'body' | 'idempotency'>,
): SampleCall {
  const { parameters = [], responses, security } = route
  const exampleOf = ({ example, schema }: (typeof parameters)[number]): string =>
    String(example ?? textOr(schema.examples?.[0], ''))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((one) => one.name === name)
    return encodeURIComponent(parameter ? exampleOf(parameter) : '')
  })
  const query = parameters
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one)).replaceAll('%2F', '/')}`)
  const origin = (servers[0]?.url ?? '').replace(/^\/$/, '')
  const media = Object.keys(Object.values(responses)[0]?.content ?? {})
  const takesKey = parameters.some((one) => one.name === 'Idempotency-Key')
  return {
    method,
    url: `${origin}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    isOpen: security.length === 0 || security.some((one) => Object.keys(one).length === 0),
    idempotency: takesKey ? idempotency : undefined,
    headers: media.length > 1 ? { Accept: media.join(', ') } : {},
    body,
    isJson: media.length > 0 && media.every((one) => one.includes('json') || one.includes('event')),
  }
}

/**
 * The call of a route as `x-codeSamples`, which tools show that read the document: of a change, its
 * preview.
 */
export function codeSamplesOf(entry: Entry, document: OpenApi) {
  const resolved = resolvedEntry(entry, document)
  const sample = samplesOf(callOf(resolved, document, { body: bodyOf(resolved) }))
  return Object.entries(sample).map(([label, source]) => ({
    lang: label === 'curl' ? 'Shell' : label,
    label,
    source,
  }))
}
