import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Request as SentRequest, Response as Answered } from 'miniflare'

import { startLocal } from '../../src/cli/local.ts'
import type { FakeCloudflare, FakeWorker } from '../support/fakes/cloudflare.ts'

/** Which address on this machine answers for a host of the internet. */
export type Internet = Record<string, string>

/** Sends each request of the Worker to the address for its host; no other host can be reached. */
const onThisMachine = (internet: Internet) => async (request: SentRequest) => {
  const { host, pathname, search } = new URL(request.url)
  const address = internet[host]
  if (address === undefined) return new Answered(`no ${host} on this machine`, { status: 502 })
  const body = await request.arrayBuffer()
  const headers = [...request.headers].filter(
    ([header]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(header),
  )
  const answer = await fetch(new URL(pathname + search, address), {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(body.byteLength > 0 ? { body } : {}),
  })
  const { status } = answer
  const kept = [...answer.headers].filter(([header]) => header !== 'content-encoding')
  const isEmpty = status === 204 || status === 304
  return new Answered(isEmpty ? null : await answer.arrayBuffer(), { status, headers: kept })
}

/**
 * Serves what was last uploaded to a fake Cloudflare: the very script, with the very vars and secrets, under real workerd
 * on loopback. With an `internet`, its requests go to the addresses there. Before the first upload, and while the Worker is not on workers.dev, it answers 404 as Cloudflare does.
 */
export async function servedBy(fake: FakeCloudflare, name: string, internet?: Internet) {
  const folder = mkdtempSync(join(tmpdir(), 'connector-served-'))
  const storage = join(folder, 'storage')
  let held: { path: string; left: number; isThere: () => void } | undefined
  let running: { upload: string; local: ReturnType<typeof startLocal> } | undefined

  async function start(): Promise<string | undefined> {
    const worker = fake.state.workers.get(name)
    const upload = worker?.versions.at(-1)?.id
    if (!worker || upload === undefined || !(worker.onWorkersDev || worker.domains.length > 0))
      return undefined
    if (running?.upload !== upload) running = { upload, local: replaced(worker, running?.local) }
    return (await running.local).url
  }

  /** One version ends before the next begins, since they share the storage. */
  async function replaced(
    worker: FakeWorker,
    before: ReturnType<typeof startLocal> | undefined,
  ): ReturnType<typeof startLocal> {
    await (await before)?.stop()
    const script = join(folder, 'worker.js')
    writeFileSync(script, worker.script)
    const texts = worker.bindings.filter(({ type }) => ['plain_text', 'secret_text'].includes(type))
    const vars = Object.fromEntries(texts.map((one) => [one.name, one.text ?? '']))
    const outbound = internet && onThisMachine(internet)
    return startLocal({
      name,
      script,
      vars,
      storage,
      onLog: () => {},
      ...(outbound && { outbound }),
    })
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = await start()
    if (url === undefined) return void response.writeHead(404).end('There is nothing here yet')
    const body: Buffer[] = []
    for await (const chunk of incoming) body.push(chunk as Buffer)
    if (held && incoming.url === held.path && --held.left === 0) {
      held.isThere()
      held = undefined
      return
    }
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
    /** The folder of what it stores, for a test that begins with what is there. */
    storage,
    /** The Worker as it runs now, for what no request brings about: the triggers, and what is in its bucket. */
    async miniflare() {
      await start()
      const local = await running?.local
      if (!local) throw new Error('nothing is deployed')
      return local.miniflare
    },
    /** Leaves the request to this path with this number, from 1, without an answer; resolves once it is there. */
    hold: (path: string, nth: number): Promise<void> =>
      new Promise((isThere) => void (held = { path, left: nth, isThere })),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await (await running?.local)?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
