interface App {
  /** All routes there are; the path as the router takes it, `/v1/clients/:client_id`. */
  routes: readonly { method: string; path: string }[]
  request(path: string, init: RequestInit, bindings: object): Response | Promise<Response>
  onError(handler: (thrown: Error) => never): unknown
}

/** The app by its address: TypeScript compiles its sources for the Workers runtime, not for Node. */
const APP = new URL('../../app/app.ts', import.meta.url).href

/** The app with no server around it, and without the log line that it writes for each request. */
export async function servedApp(): Promise<App> {
  const { createApp } = (await import(/* @vite-ignore */ APP)) as { createApp(): App }
  const app = createApp()
  return {
    routes: app.routes,
    onError: (handler) => app.onError(handler),
    async request(...asked) {
      const { log } = console
      console.log = () => {}
      try {
        return await app.request(...asked)
      } finally {
        console.log = log
      }
    },
  }
}

/** The public documents as a connector with these settings serves them, without starting one. */
export async function servedDocuments(settings: Record<string, string>) {
  const app = await servedApp()
  // What is wrong in a document, instead of an answer that hides it.
  app.onError((thrown) => {
    throw thrown
  })
  const text = async (path: string) => {
    const response = await app.request(path, {}, settings)
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`)
    return response.text()
  }
  return {
    openApi: JSON.parse(await text('/openapi.json')) as object,
    llms: await text('/llms.txt'),
    examplePrompts: await text('/docs/example-prompts.md'),
    errors: await text('/docs/errors'),
  }
}
