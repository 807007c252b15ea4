import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Under this path the Worker of `withObjectsOverHttp` calls its own objects. */
const PATH = '/objects-of-the-crash-test'

/** The bundle, whose default export is another one that answers at `PATH` first. */
function source(bundle: string): string {
  let worker: string | undefined
  const named = bundle.replace(
    /(?<=\bexport ?\{[^}]*)\b([\w$]+) as default,?/,
    (_, name: string) => {
      worker = name
      return ''
    },
  )
  if (worker === undefined) throw new Error('The bundle has no default export.')
  return `${named}
export default {
  ...${worker},
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== '${PATH}') return ${worker}.fetch(request, env, context)
    const { binding, name, method, values } = await request.json()
    const result = await env[binding].getByName(name)[method](...values)
    return Response.json({ result })
  },
}
`
}

/**
 * Writes a Worker beside this bundle that answers as the bundle does, and lets `objectsOverHttp` call its objects. Gives
 * the path of its script.
 *
 * Miniflare's own stubs are of no use where a connector logs much: each of their calls stops the thread that reads the
 * log of workerd, and workerd, once the pipe of its log is full, waits for that thread.
 */
export async function withObjectsOverHttp(script: string): Promise<string> {
  const entry = join(dirname(script), `with-objects-${basename(script)}`)
  // Another process may read the file while this one writes it: a rename is seen whole.
  const draft = `${entry}.${process.pid}`
  await writeFile(draft, source(await readFile(script, 'utf8')))
  await rename(draft, entry)
  return entry
}

/** The objects of the connector at this address, whose methods take and give what JSON can say. */
export function objectsOverHttp(url: string) {
  async function call(binding: string, name: string, method: string, values: unknown[]) {
    const response = await fetch(new URL(PATH, url), {
      method: 'POST',
      body: JSON.stringify({ binding, name, method, values }),
    })
    if (!response.ok) throw new Error(`${binding}.${method} failed: ${await response.text()}`)
    return ((await response.json()) as { result?: unknown }).result
  }
  const stubOf = (binding: string, name: string) =>
    new Proxy(
      {},
      {
        get: (_target, method) =>
          // A stub is awaited like any value, and has no method of a promise.
          typeof method === 'string' && method !== 'then'
            ? (...values: unknown[]) => call(binding, name, method, values)
            : undefined,
      },
    )
  return {
    durableObjects: async (binding: string) => ({
      getByName: (name: string): unknown => stubOf(binding, name),
    }),
  }
}
