import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startLocal } from '../../src/cli/local.ts'
import type { FakeCloudflare } from '../support/fakes/cloudflare.ts'

/**
 * Serves what was last uploaded to a fake Cloudflare: the very script, with the very vars and secrets, under real workerd
 * on loopback. Before the first upload, and while the Worker is not on workers.dev, it answers 404 as Cloudflare does.
 */
export async function servedBy(fake: FakeCloudflare, name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'connector-served-'))
  let running: { upload: string; local: ReturnType<typeof startLocal> } | undefined

  async function start(): Promise<string | undefined> {
    const worker = fake.state.workers.get(name)
    const upload = worker?.versions.at(-1)?.id
    if (!worker || upload === undefined || !(worker.onWorkersDev || worker.domains.length > 0))
      return undefined
    if (running?.upload !== upload) {
      await (await running?.local)?.stop()
      const script = join(folder, 'worker.js')
      writeFileSync(script, worker.script)
      const texts = worker.bindings.filter(({ type }) =>
        ['plain_text', 'secret_text'].includes(type),
      )
      const vars = Object.fromEntries(texts.map((one) => [one.name, one.text ?? '']))
      const storage = join(folder, 'storage')
      running = { upload, local: startLocal({ name, script, vars, storage, onLog: () => {} }) }
    }
    return (await running.local).url
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = await start()
    if (url === undefined) return void response.writeHead(404).end('There is nothing here yet')
    const body: Buffer[] = []
    for await (const chunk of incoming) body.push(chunk as Buffer)
    const headers = Object.entries(incoming.headers).flatMap(([header, value]) =>
      ['host', 'connection', 'content-length'].includes(header) || value === undefined
        ? []
        : [[header, String(value)] as [string, string]],
    )
    const answer = await fetch(new URL(incoming.url ?? '/', url), {
      method: incoming.method ?? 'GET',
      headers,
      redirect: 'manual',
      ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
    })
    const decoded = ['content-encoding', 'content-length', 'transfer-encoding', 'connection']
    const passed = [...answer.headers].filter(([header]) => !decoded.includes(header))
    response.writeHead(answer.status, Object.fromEntries(passed))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }

  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await (await running?.local)?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
