interface App {
  /** All routes there are; the path as the router takes it, `/v1/clients/:client_id`. */
  routes: readonly { method: string; path: string }[]
  request(path: string, init: RequestInit, bindings: object): Response | Promise<Response>
}

/** An OpenAPI schema, as far as the reference reads it. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: unknown
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export interface Example {
  $ref?: string
  summary?: string
  value?: unknown
}

interface Content {
  schema: Schema
  example?: unknown
  examples?: Record<string, Example>
}

interface Answer {
  description: string
  headers?: object
  content?: Record<string, Content>
}

export interface Documented {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  'x-openai-isConsequential'?: boolean
  parameters?: { name: string; in: string; required: boolean; schema: Schema; description?: string }[]
  requestBody?: { required: boolean; content: Record<string, Content> }
  responses: Record<string, Partial<Answer> & { $ref?: string }>
}

export interface OpenApi {
  openapi: string
  info: { version: string }
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, Example>
    responses: Record<string, Answer>
    headers: Record<string, object>
  }
  paths: Record<string, Record<string, Documented>>
}

/** The app by its address: its sources are for the Workers runtime, and are not compiled with the tools of Node. */
const APP = new URL('../../app/app.ts', import.meta.url).href

/** The app with no server around it, and without its log. */
export async function servedApp(): Promise<App> {
  const { createApp } = (await import(/* @vite-ignore */ APP)) as { createApp(): App }
  const app = createApp()
  return { routes: app.routes, request: (...asked) => withoutLog(async () => app.request(...asked)) }
}

/** The public documents as a connector with these settings serves them, without starting one. */
export async function servedDocuments(settings: Record<string, string>) {
  const app = await servedApp()
  const text = async (path: string): Promise<string> => {
    const response = await app.request(path, {}, settings)
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`)
    return response.text()
  }
  return {
    openApi: JSON.parse(await text('/openapi.json')) as OpenApi,
    llms: await text('/llms.txt'),
    examplePrompts: await text('/docs/example-prompts.md'),
    errors: await text('/docs/errors'),
  }
}

/** Runs it without the log line that the app writes for each request. */
async function withoutLog<T>(ask: () => Promise<T>): Promise<T> {
  const { log } = console
  console.log = () => {}
  try {
    return await ask()
  } finally {
    console.log = log
  }
}
