import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Delivery {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A REST-hook client as an automation tool is one: an address on this machine that takes whatever comes. */
export async function webhookReceiver() {
  const deliveries: Delivery[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      deliveries.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status).end('thank you')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/catch?token=canary-of-the-address`,
    deliveries,
    answer: (now: number) => void (status = now),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
