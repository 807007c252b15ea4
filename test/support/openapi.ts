import { servedDocuments as served } from '../../src/cli/reference/served.ts'

type Limit = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minimum' | 'maximum'
type Texts<Name extends string> = Partial<Record<Name, string>>

/** An OpenAPI schema, as far as the tests of the document read it. */
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

type Example = Texts<'$ref' | 'summary'> & { value?: unknown }

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

/** The public documents as a connector with these settings serves them. */
export async function servedDocuments(settings: Record<string, string>) {
  const documents = await served(settings)
  return { ...documents, openApi: documents.openApi as OpenApi }
}
