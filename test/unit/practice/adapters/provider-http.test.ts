import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, describe, expect, it, test } from 'vitest'

import { providerHttp, secondsToWait } from '../../../../src/practice/adapters/provider-http.ts'
import {
  answerAfter,
  type FakeHttp,
  fakeHttp,
  redirectBefore,
  resetAfter,
  resetBefore,
} from '../../../support/fakes/http.ts'

const LONGEST = 4_000_000
const ROUTE = 'POST /things/:id'
let provider: FakeHttp

async function connected(timeoutMs = 5_000) {
  provider = await fakeHttp({
    [ROUTE]: ({ params }) => ({ status: 201, body: params }),
    'GET /elsewhere': () => ({ status: 200, body: 'followed' }),
  })
  return providerHttp({
    baseUrl: provider.url,
    headers: { Authorization: 'Bearer t' },
    timeoutMs,
    fetch,
  })
}
const post = { method: 'POST', path: '/things/a%2Fb', body: { a: 1 } } as const

describe('a request to a provider', () => {
  afterEach(() => provider.stop())

  it('is sent once, with the parameters that have a value', async () => {
    const ask = await connected()
    const response = await ask({
      ...post,
      query: { b: 'c d', none: undefined },
      headers: { 'X-Version': '1' },
    })
    expect(response).toMatchObject({ status: 201, body: { id: 'a/b' } })
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]?.query.toString()).toBe('b=c+d')
    expect(provider.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer t',
      'x-version': '1',
      'content-type': 'application/json',
    })
  })

  it('has a form as its body if one is given', async () => {
    const ask = await connected()
    await ask({ ...post, body: new URLSearchParams({ 'a[b]': '1' }) })
    expect(provider.requests[0]?.body).toEqual({ 'a[b]': '1' })
  })

  test.each([
    ['reset before the effect', resetBefore],
    ['reset after the effect', resetAfter],
  ])('gives no answer when it is %s', async (_name, fault) => {
    const ask = await connected()
    provider.fault(ROUTE, fault)
    expect(await ask(post)).toEqual({ status: 'no answer' })
    expect(provider.requests).toHaveLength(1)
  })

  test.each([
    ['a redirect', 303, redirectBefore('/elsewhere', 303)],
    ['more than is read', 200, answerAfter(200, JSON.stringify('x'.repeat(LONGEST)))],
  ])('says that an answer came, without a body, when it is %s', async (_name, status, fault) => {
    const ask = await connected()
    provider.fault(ROUTE, fault)
    expect(await ask(post)).toMatchObject({ status, body: undefined })
    expect(provider.requests).toHaveLength(1)
  })

  it('reads a long answer to its end', async () => {
    const ask = await connected()
    const text = 'é'.repeat(LONGEST / 2)
    provider.fault(ROUTE, answerAfter(200, JSON.stringify(text)))
    expect(await ask(post)).toMatchObject({ status: 200, body: text })
  })

  it('treats an answer that is no JSON as one without a body', async () => {
    const ask = await connected()
    provider.fault(ROUTE, answerAfter(502, '<html>'))
    expect(await ask(post)).toMatchObject({ status: 502, body: undefined })
  })

  it('has a deadline that covers the body too', async () => {
    await connected()
    const stalling = createServer((_request, response) => {
      response.writeHead(200)
      response.write('{"half":')
    })
    await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve))
    const { port } = stalling.address() as AddressInfo
    const ask = providerHttp({
      baseUrl: `http://127.0.0.1:${port}`,
      headers: {},
      timeoutMs: 100,
      fetch,
    })
    expect(await ask(post)).toEqual({ status: 'no answer' })
    stalling.closeAllConnections()
    stalling.close()
  })
})

describe('the wait that a provider asks for', () => {
  const NOW = Date.parse('2026-11-23T12:00:00Z')
  test.each<[Record<string, string>, number | undefined]>([
    [{ 'Retry-After': '5' }, 5],
    [{ 'Retry-After': '1.2' }, 2],
    [{ 'Retry-After': '0' }, 1],
    [{ 'Retry-After': '-5' }, undefined],
    [{ 'Retry-After': 'Mon, 23 Nov 2026 12:01:00 GMT' }, 60],
    [{ 'Retry-After': 'Mon, 23 Nov 2026 11:01:00 GMT' }, 1],
    [{ 'Retry-After': String(NOW / 1000 + 30) }, 30],
    [{ 'Retry-After': '999999' }, undefined],
    [{ 'Retry-After': '3600' }, 3600],
    [{ 'Retry-After': '3600.5' }, undefined],
    [{ 'Retry-After': String(NOW + 30_000) }, 30],
    [{ 'Retry-After': '2026-11-23T12:01:00Z' }, 60],
    [{ 'Retry-After': '-60' }, undefined],
    [{ 'Retry-After': 'NaN' }, undefined],
    [{ 'Retry-After': '0x10' }, undefined],
    [{ 'Retry-After': '86400', 'X-Reset': '9' }, 9],
    [{ 'Retry-After': '5', 'X-Reset': '9' }, 9],
    [{ 'Retry-After': 'later', 'X-Reset': '9' }, 9],
    [{ 'Retry-After': '' }, undefined],
    [{}, undefined],
  ])('%j', (headers, seconds) =>
    expect(secondsToWait(new Headers(headers), ['Retry-After', 'X-Reset'], NOW)).toBe(seconds),
  )
})
