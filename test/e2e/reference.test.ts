import { spawnSync } from 'node:child_process'

import { describe, expect, test } from 'vitest'

import type { OpenApi } from '../../src/api/openapi/reference.ts'
import { connectorForAll } from '../support/started.ts'

const ORIGIN = 'https://connector.practice.example'
const open = connectorForAll()
const closed = connectorForAll({ vars: { ALLOW_ANONYMOUS: 'false', PUBLIC_URL: ORIGIN } })

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The pages of the reference as their index links them, with what each says and shows. */
async function pagesOf({ url }: { url: string }) {
  const index = await (await fetch(new URL('/docs/api', url))).text()
  const names = [...index.matchAll(/href="\/docs\/api\/([^"]+)"/g)].map(([, name = '']) => name)
  return Promise.all(
    names.map(async (name) => {
      const response = await fetch(new URL(`/docs/api/${name}`, url))
      const markup = await response.text()
      const examples = [
        ...markup.matchAll(/<figcaption>(\w+)<\/figcaption>\s*<pre[^>]*>([^]*?)<\/pre>/g),
      ].map(([, label = '', code = '']) => ({ label, code: textOf(code) }))
      return { name, response, markup, text: textOf(markup), examples }
    }),
  )
}

const documentOf = async ({ url }: { url: string }) =>
  (await (await fetch(new URL('/openapi.json', url))).json()) as OpenApi

/** The refusals that mean that an example was not sent as the route wants it. */
const NEVER = [
  'validation_failed',
  'sensitive_data_refused',
  'idempotency_key_missing',
  'method_not_allowed',
  'unsupported_media_type',
  'unauthenticated',
  'internal_error',
  'payload_too_large',
]

function codeIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string } | null)?.code
  } catch {
    return undefined
  }
}

describe('the reference', () => {
  test('has a page for every route of openapi.json and every event, with its fields and its refusals', async () => {
    const { paths, webhooks, components } = await documentOf(open)
    const pages = await pagesOf(open)
    const routes = Object.values({ ...paths, ...webhooks }).flatMap((methods) =>
      Object.values(methods),
    )
    expect(pages.map(({ name }) => name).toSorted()).toEqual(
      routes.map(({ operationId }) => operationId).toSorted(),
    )
    for (const { operationId, parameters = [], requestBody, responses, summary } of routes) {
      const { text, markup, response } = pages.find(({ name }) => name === operationId)!
      expect([operationId, response.status]).toEqual([operationId, 200])
      expect(text).toContain(summary)
      const reference =
        requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
      const fields = Object.keys(components.schemas[reference]?.properties ?? {})
      for (const name of [...parameters.map((one) => one.name), ...fields])
        expect([operationId, markup.includes(`<code>${name}`)]).toEqual([operationId, true])
      for (const { $ref, content } of Object.values(responses)) {
        const answer =
          $ref === undefined ? content : components.responses[$ref.split('/').at(-1)!]?.content
        for (const code of Object.keys(answer?.['application/problem+json']?.examples ?? {}))
          expect(markup, operationId).toContain(`href="/docs/errors#${code}"`)
      }
    }
  })

  test('shows curl and TypeScript for each route, and for a change both calls with both answers', async () => {
    const { paths } = await documentOf(open)
    const pages = await pagesOf(open)
    for (const route of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const labels = pages
        .find(({ name }) => name === route.operationId)!
        .examples.map(({ label }) => label)
      const isChange =
        route.responses['200']?.content?.['application/json']?.examples?.['committed']
      const once = ['curl', 'TypeScript', ...(labels.includes('Answer') ? ['Answer'] : [])]
      const twice = ['curl', 'TypeScript', 'Answer', 'curl', 'TypeScript', 'Answer']
      expect(labels, route.operationId).toEqual(isChange ? twice : once)
    }
  })

  test('has examples that the connector takes as they stand: curl and TypeScript send the same', async () => {
    const pages = await pagesOf(open)
    const sent: string[] = []
    for (const { name, examples } of pages)
      for (const { label, code } of examples) {
        if (label !== 'TypeScript') continue
        const answer = await sendTypeScript(code)
        expect([name, NEVER.includes(codeIn(answer) ?? '')]).toEqual([name, false])
        sent.push(name)
      }
    expect(sent.length).toBeGreaterThan(50)
    const commands = pages.flatMap(({ name, examples }) =>
      examples.filter(({ label }) => label === 'curl').map(({ code }) => ({ name, code })),
    )
    expect(commands.length).toBe(sent.length)
    const script = commands
      .map(({ code }) => `${code.replace('curl', 'curl -s')}\nprintf '\\036'`)
      .join('\n')
    const { stdout, stderr, status } = spawnSync('sh', ['-eu'], { input: script, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    const answers = stdout.split('\u001e').slice(0, -1)
    expect(answers).toHaveLength(commands.length)
    for (const [index, { name }] of commands.entries())
      expect([name, NEVER.includes(codeIn(answers[index]!) ?? '')]).toEqual([name, false])
  })

  test('sends the credential from the environment, where one is needed', async () => {
    for (const { name, examples } of await pagesOf(closed))
      for (const { label, code } of examples) {
        if (label === 'Answer') continue
        const isOpen = !/\/(v1|mcp)\b/.test(code)
        const credential =
          label === 'curl'
            ? '"Authorization: Bearer $CONNECTOR_API_KEY"'
            : '`Bearer ${process.env.CONNECTOR_API_KEY}`'
        expect([name, label, code.includes(credential)]).toEqual([name, label, !isOpen])
        expect(code).toContain(ORIGIN)
      }
  })

  test('is cached for five minutes, has an ETag, and runs no script', async () => {
    for (const path of ['/docs/api', '/docs/api/book_consult']) {
      const response = await fetch(new URL(path, closed.url))
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
      expect(response.headers.get('Content-Security-Policy')).toContain(
        "default-src 'none'; style-src 'self'",
      )
      expect(await response.text()).not.toMatch(/<script|style=|javascript:/)
      const again = await fetch(new URL(path, closed.url), {
        headers: { 'If-None-Match': response.headers.get('ETag')! },
      })
      expect(again.status).toBe(304)
    }
    for (const path of ['/docs/api/nothing', '/docs/api/', '/docs/api/book_consult/x'])
      expect((await fetch(new URL(path, closed.url))).status).toBe(404)
  })

  test('is where /docs, the home page, the catalog and a page that is not there lead to', async () => {
    const { paths } = await documentOf(open)
    const textAt = async (path: string) =>
      (await fetch(new URL(path, open.url), { headers: { Accept: 'text/html,*/*;q=0.8' } })).text()
    const documents = await textAt('/docs')
    const rows = [...documents.matchAll(/<tr>[^]*?<\/tr>/g)]
      .slice(1)
      .filter(([row]) => row.includes('<td'))
    expect(rows.length).toBeGreaterThan(13)
    for (const [row] of rows) expect(row).toMatch(/href="\/docs\/api\/\w+"/)
    for (const path of ['/', '/docs', '/nowhere'])
      expect(await textAt(path)).toContain('href="/docs/api"')
    expect(await textAt('/.well-known/api-catalog')).toContain(`"href":"${open.url}/docs/api"`)
    for (const { tags } of Object.values(paths).flatMap((methods) => Object.values(methods)))
      expect(tags).toHaveLength(1)
  })
})

/** Runs an example as its reader does, and gives what it was answered. */
async function sendTypeScript(code: string): Promise<string> {
  const module = `${code}\nexport const said = typeof answer === 'string' ? answer : JSON.stringify(answer)`
  const { said } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(module)}`
  )) as { said: string }
  return said
}
