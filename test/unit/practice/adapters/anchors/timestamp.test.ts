import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { timestampAnchors } from '../../../../../src/practice/adapters/anchors/timestamp.ts'

const NOTE = 'connector.example/audit-log\n3\nroot\n\n— connector.example/audit-log sig\n'
const DIGEST = createHash('sha256').update(NOTE).digest()

/** The beginning of a reply with this status, and some bytes of a token. */
const reply = (status: number, token: Uint8Array = DIGEST): Uint8Array<ArrayBuffer> =>
  Uint8Array.of(0x30, 0x82, 0x10, 0x00, 0x30, 3, 2, 1, status, 0x30, 0x80, ...token)

function authority(response: Response) {
  const asked: Request[] = []
  const fetchOnce: typeof fetch = async (input, init) => {
    asked.push(new Request(input, init))
    return response
  }
  const anchors = timestampAnchors({
    url: 'http://tsa.example/',
    timeoutMs: 1000,
    fetch: fetchOnce,
  })
  return { anchors, asked }
}

test('A checkpoint goes to a timestamp authority as a request of RFC 3161 for its SHA-256, which is all that it learns', async () => {
  const { anchors, asked } = authority(new Response(reply(0)))
  expect(await anchors.send(NOTE)).toEqual(reply(0))
  const [request] = asked
  expect([request!.method, request!.url, request!.headers.get('Content-Type')]).toEqual([
    'POST',
    'http://tsa.example/',
    'application/timestamp-query',
  ])
  const query = Buffer.from(await request!.arrayBuffer())
  // As `openssl ts -query -sha256 -cert -no_nonce` makes it.
  const [before, after] = ['30390201013031300d060960864801650304020105000420', '0101ff']
  expect(query.toString('hex')).toBe(before + DIGEST.toString('hex') + after)
})

test('A timestamp that was granted with changes is one, too', async () => {
  expect(await authority(new Response(reply(1))).anchors.send(NOTE)).toEqual(reply(1))
})

test.each([
  ['was rejected', new Response(reply(2))],
  ['is of something else', new Response(reply(0, new Uint8Array(32)))],
  ['is no reply', new Response('<html>')],
  ['is empty', new Response('')],
  ['came with an error', new Response(reply(0), { status: 500 })],
  [
    'is a redirect',
    new Response(null, { status: 302, headers: { Location: 'http://elsewhere.example' } }),
  ],
  ['is too long', new Response(Uint8Array.of(...reply(0), ...new Uint8Array(40_000)))],
])('A timestamp is none if it %s', async (_what, response) => {
  await expect(authority(response).anchors.send(NOTE)).rejects.toThrow('the timestamp authority')
})
