import { beforeAll, describe, expect, it } from 'vitest'

import { servedApp } from '../../../../src/cli/reference/served.ts'
import { DAY } from '../../../../src/core/domain/time/duration.ts'

const ORIGIN = 'https://connector.practice.example'
const SETTINGS = { PUBLIC_URL: ORIGIN, SIGNING_SECRET: 'a signing secret of the discovery tests' }
const CONTACT = 'mailto:security@practice.example'

let app: Awaited<ReturnType<typeof servedApp>>
beforeAll(async () => {
  app = await servedApp()
})

const ask = (path: string, settings: object = SETTINGS, method = 'GET') =>
  app.request(`${ORIGIN}${path}`, { method }, settings)

interface Link {
  href: string
  type?: string
}

describe('the API catalog', () => {
  it('is a link set of the two APIs, with the profile of RFC 9727', async () => {
    const response = await ask('/.well-known/api-catalog')
    expect(response.headers.get('Content-Type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    )
    const { linkset } = (await response.json()) as { linkset: { anchor: string; item?: Link[] }[] }
    expect(linkset.map(({ anchor }) => anchor.slice(ORIGIN.length))).toEqual([
      '/.well-known/api-catalog',
      '/v1',
      '/mcp',
    ])
    expect(linkset[0]!.item).toEqual([{ href: `${ORIGIN}/v1` }, { href: `${ORIGIN}/mcp` }])
  })

  it('links only to existing documents, of the types that it says', async () => {
    const { linkset } = (await (await ask('/.well-known/api-catalog')).json()) as {
      linkset: Record<string, unknown>[]
    }
    const links = linkset.flatMap((context) =>
      Object.values(context).flatMap((value) => (Array.isArray(value) ? (value as Link[]) : [])),
    )
    const typed = links.filter(({ type }) => type !== undefined && !type.includes('health'))
    expect(typed.length).toBeGreaterThan(3)
    for (const { href, type } of typed) {
      expect(href.startsWith(`${ORIGIN}/`)).toBe(true)
      const response = await ask(href.slice(ORIGIN.length))
      // Health asks objects that are not there in this test; its answer has the type all the same.
      expect([href, response.headers.get('Content-Type')]).toEqual([
        href,
        expect.stringContaining(type!),
      ])
    }
  })

  it.each(['GET', 'HEAD'])(
    'is named in the header Link of the pages and of itself, for %s',
    async (method) => {
      for (const path of ['/', '/docs', '/.well-known/api-catalog']) {
        const { status, headers } = await ask(path, SETTINGS, method)
        const catalog = '</.well-known/api-catalog>; rel="api-catalog"'
        expect([status, headers.get('Link')], path).toEqual([200, catalog])
      }
    },
  )
})

it('robots.txt allows nothing to be crawled', async () => {
  const response = await ask('/robots.txt')
  expect([response.headers.get('Content-Type'), await response.text()]).toEqual([
    'text/plain; charset=utf-8',
    'User-agent: *\nDisallow: /\n',
  ])
})

it.each(['/favicon.svg', '/favicon.ico'])('the icon is an image at %s', async (path) => {
  const response = await ask(path)
  expect(response.headers.get('Content-Type')).toBe('image/svg+xml')
  expect(await response.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/)
})

describe('security.txt', () => {
  const PATH = '/.well-known/security.txt'

  it('does not exist while the owner names no contact', async () => {
    expect((await ask(PATH)).status).toBe(404)
  })

  it('names the contact of the owner, and an expiry within the year', async () => {
    const response = await ask(PATH, { ...SETTINGS, SECURITY_CONTACT: CONTACT })
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    const text = await response.text()
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/, 2)),
    )
    expect(fields).toMatchObject({ Contact: CONTACT, Canonical: `${ORIGIN}${PATH}` })
    const left = Date.parse(String(fields['Expires'])) - Date.now()
    expect(left).toBeGreaterThan(7 * DAY)
    expect(left).toBeLessThan(365 * DAY)
  })

  it.each([
    'security@practice.example',
    'http://practice.example',
    'mailto:a@b.example\nContact: c',
  ])('is refused a contact that RFC 9116 does not allow: %j', async (SECURITY_CONTACT) => {
    const response = await ask(PATH, { ...SETTINGS, SECURITY_CONTACT })
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('SECURITY_CONTACT')
  })
})
