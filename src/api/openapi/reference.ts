export type Limit = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minimum' | 'maximum'
type Texts<Name extends string> = Partial<Record<Name, string>>

/** An OpenAPI schema, as far as the reference reads it. */
export interface Schema
  extends Partial<Record<Limit, number>>, Texts<'$ref' | 'type' | 'format' | 'description'> {
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
  default?: unknown
  examples?: unknown[]
}

export type Example = Texts<'$ref' | 'summary'> & { value?: unknown }

type Content = { schema: Schema; example?: unknown; examples?: Record<string, Example> }
type Answer = { description: string; headers?: object; content?: Record<string, Content> }

export interface Documented
  extends Record<'operationId' | 'summary', string>, Texts<'description'> {
  tags: string[]
  security: Record<string, string[]>[]
  'x-openai-isConsequential'?: boolean
  parameters?: {
    name: string
    in: string
    required: boolean
    schema: Schema
    description?: string
    example?: string | number
  }[]
  requestBody?: { required: boolean; content: Record<string, Content> }
  responses: Record<string, Partial<Answer> & { $ref?: string }>
}

export interface OpenApi {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, Example>
    responses: Record<string, Answer>
    headers: Record<string, object>
  }
  paths: Record<string, Record<string, Documented>>
  webhooks: Record<string, Record<string, Documented>>
}

/** A route of the document, or an event that is sent to webhooks. */
export type Entry = { method: string; path: string; route: Documented }

/** All routes and events, in the order of their groups. */
export function entriesOf({ tags, paths, webhooks }: OpenApi): Entry[] {
  const all = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ method, path, route })),
  )
  return tags.flatMap(({ name }) => all.filter(({ route }) => route.tags.includes(name)))
}

/** The route or event with each reference replaced by what it names. */
export const resolvedEntry = ({ route, ...place }: Entry, { components }: OpenApi): Entry => ({
  ...place,
  route: withoutReferences(route, components) as Documented,
})

/** Replaces each reference by its component; a field beside the reference overrides the component's. */
function withoutReferences(node: unknown, components: OpenApi['components']): unknown {
  if (Array.isArray(node)) return node.map((one) => withoutReferences(one, components))
  if (typeof node !== 'object' || node === null) return node
  const { $ref = '', ...own } = node as { $ref?: string }
  const [, , kind, name = ''] = $ref.split('/')
  const whole = kind ? { ...components[kind as keyof typeof components][name], ...own } : own
  return Object.fromEntries(
    Object.entries(whole).map(([key, inner]) => [key, withoutReferences(inner, components)]),
  )
}

/** Method and path of a route, or the name of an event. */
export const addressOf = ({ method, path }: Entry): string =>
  path.startsWith('/') ? `${method.toUpperCase()} ${path}` : path
