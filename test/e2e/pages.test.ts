import { describe, expect, test } from 'vitest'

import { type Connector } from '../support/connector.ts'
import { connectorForAll, sharedConnector } from '../support/started.ts'

const ORIGIN = 'https://connector.practice.example'
/** As Chrome asks for a page. */
const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const open = sharedConnector()
const closed = connectorForAll({ vars: { ALLOW_ANONYMOUS: 'false', PUBLIC_URL: ORIGIN } })

async function ask({ url }: Connector, path: string, accept?: string, method = 'GET') {
  const response = await fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    headers: accept === undefined ? {} : { Accept: accept },
  })
  return {
    status: response.status,
    type: response.headers.get('Content-Type')?.split(';')[0],
    headers: response.headers,
    text: await response.text(),
  }
}

describe('a person who types an address into a browser', () => {
  test.each<[string, number, string]>([
    ['/nowhere', 404, 'There is no page here'],
    ['/owner/nowhere', 404, 'There is no page here'],
    ['/v1/nowhere', 404, 'There is no page here'],
    ['/mock/checkout/in_nobody', 404, 'There is no page here'],
    ['/mcp', 405, 'This address is for programs'],
    ['/robin.castle@practice-guests.example', 404, 'There is no page here'],
  ])('reads a page at %s', async (path, status, title) => {
    for (const connector of [open, closed]) {
      const seen = await ask(connector, path, BROWSER)
      expect([seen.status, seen.type]).toEqual([status, 'text/html'])
      expect(seen.text).toContain(`<h1>${title}</h1>`)
      expect(seen.text).toMatch(/href="\/static\/public-\w+\.css"/)
      expect(seen.text).toContain(seen.headers.get('Request-Id'))
      expect(seen.text).not.toMatch(/nowhere|robin|in_nobody/)
      expect(seen.headers.get('Vary')).toContain('Accept')
      expect(seen.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
      expect(seen.headers.get('Cache-Control')).toBe('no-store')
    }
  })

  test.each(['/owner', '/owner/enrol', '/authorize'])(
    'learns at %s how to become the owner, as long as there is none',
    async (path) => {
      const seen = await ask(closed, path, BROWSER)
      expect([seen.status, seen.type]).toEqual([404, 'text/html'])
      expect(seen.text).toContain('<h1>No owner yet</h1>')
      expect(seen.text).toContain(`npm run enrol -- --url ${ORIGIN}`)
    },
  )
})

describe('a setting that makes no sense', () => {
  const broken = connectorForAll({ vars: { PRACTICE_TIMEZONE: 'Middle/Earth' } })

  test('is reported by every public document, by its name and without its value', async () => {
    const pages = ['/', '/docs', '/docs/errors', '/docs/api']
    const others = ['/health', '/openapi.json', '/llms.txt', '/.well-known/api-catalog']
    for (const path of [...pages, '/docs/example-prompts.md', ...others]) {
      const reply = await broken.rest(path)
      expect(reply).toMatchObject({ status: 503, body: { code: 'not_configured', effect: 'none' } })
      expect(reply.body.detail).toContain('PRACTICE_TIMEZONE')
      expect(reply.text).not.toContain('Middle')
    }
  })

  test.each(['/', '/owner', '/docs/errors'])('is named to a person at %s', async (path) => {
    const seen = await ask(broken, path, BROWSER)
    expect([seen.status, seen.type]).toEqual([503, 'text/html'])
    expect(seen.text).toContain('PRACTICE_TIMEZONE')
  })
})

describe('a program', () => {
  test.each([
    undefined,
    '*/*',
    'application/json',
    'application/problem+json',
    'application/json, text/html;q=0.9',
    'text/event-stream, application/json',
    'text/html;q=0, */*',
  ])('that accepts %s reads a problem', async (accept) => {
    for (const [path, status] of [
      ['/nowhere', 404],
      ['/owner', 404],
      ['/mcp', 405],
    ] as const) {
      const seen = await ask(closed, path, accept)
      expect([seen.status, seen.type]).toEqual([status, 'application/problem+json'])
      expect(JSON.parse(seen.text)).toMatchObject({ status, effect: 'none' })
    }
  })

  test('reads a problem if it asks for data or for a change, whatever it accepts', async () => {
    for (const [path, method, status] of [
      ['/v1/me', 'GET', 401],
      ['/v1/bookings/bk_nobody', 'GET', 401],
      ['/nowhere', 'POST', 404],
      ['/v1/clients', 'DELETE', 405],
    ] as const) {
      const seen = await ask(closed, path, BROWSER, method)
      expect([path, seen.status, seen.type]).toEqual([path, status, 'application/problem+json'])
    }
  })
})
