import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { abortedAfter } from '../../src/core/with-timeout.ts'
import { postAlert } from '../../src/practice/adapters/alerts.ts'
import { providerHttp } from '../../src/practice/adapters/provider-http.ts'

let server: Server
let url: string
/** The answers that are still being sent. */
let open: Set<object>
let status: number

beforeEach(async () => {
  const begun = (open = new Set<object>())
  status = 200
  server = createServer((request, response) => {
    request.resume()
    begun.add(response)
    response.on('close', () => begun.delete(response))
    response.writeHead(status)
    response.write('{"half":')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const allClosed = () => vi.waitFor(() => expect(open.size).toBe(0))

describe('a request with a deadline', () => {
  it('ends with a TimeoutError if its answer never ends', async () => {
    const read = abortedAfter(100, async (signal) => (await fetch(url, { signal })).text())
    await expect(read).rejects.toMatchObject({ name: 'TimeoutError' })
    await allClosed()
  })

  it('leaves no connection open if no one reads its answer', async () => {
    expect((await abortedAfter(60_000, (signal) => fetch(url, { signal }))).status).toBe(200)
    await allClosed()
  })

  it('leaves no connection open of an alert whose receiver never ends its answer', async () => {
    expect(
      await postAlert(
        { event: 'test' },
        { to: url, page: undefined, title: '', timeoutMs: 60_000 },
      ),
    ).toBe(true)
    await allClosed()
  })

  it('leaves no connection open of a provider that answers with a redirect and never ends it', async () => {
    status = 302
    const ask = providerHttp({ baseUrl: url, headers: {}, timeoutMs: 60_000, fetch })
    expect(await ask({ method: 'GET', path: '/' })).toMatchObject({ status: 302, body: undefined })
    await allClosed()
  })
})
