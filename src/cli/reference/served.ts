import type { OpenApi } from '../../api/openapi/openapi-types.ts'

interface App {
  /** All routes there are; the path as the router takes it, `/v1/clients/:client_id`. */
  routes: readonly { method: string; path: string }[]
  request(path: string, init: RequestInit, bindings: object): Response | Promise<Response>
  onError(handler: (thrown: Error) => never): unknown
}

/** The app by its address: TypeScript compiles its sources for the Workers runtime, not for Node. */
const APP = new URL('../../app/app.ts', import.meta.url).href

async function newApp(): Promise<App> {
  const { createApp } = (await import(/* @vite-ignore */ APP)) as { createApp(): App }
  return createApp()
}

/** The app with no server around it, and without its log. */
export async function servedApp(): Promise<Pick<App, 'routes' | 'request'>> {
  const app = await newApp()
  return {
    routes: app.routes,
    request: (...asked) => withoutLog(async () => app.request(...asked)),
  }
}

/** The public documents as a connector with these settings serves them, without starting one. */
export async function servedDocuments(settings: Record<string, string>) {
  const app = await newApp()
  // What is wrong in a document, instead of an answer that hides it.
  app.onError((thrown) => {
    throw thrown
  })
  const text = async (path: string): Promise<string> => {
    const response = await withoutLog(async () => app.request(path, {}, settings))
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
