import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { servedDocuments } from '../../support/openapi.ts'

interface Schema {
  properties: Record<string, unknown>
  required: string[]
}
interface OpenApi {
  paths: Record<
    string,
    Record<string, { parameters: { name: string; in: string; required?: boolean }[] }>
  >
  components: { schemas: { BookConsultRequest: Schema; BookConsultPreview: Schema } }
}
interface Sent {
  method: string
  url: string
  headers: string[]
  /** The fields of the body, each with the value or expression that fills it. */
  body: Record<string, unknown>
}

const text = (path: string): string => readFileSync(path, 'utf8')
const { openApi } = await servedDocuments({ PUBLIC_URL: '' })
const { paths, components } = openApi as unknown as OpenApi
const { BookConsultRequest: request, BookConsultPreview: preview } = components.schemas

/** What each match of a pattern found in its group. */
const found = (from: string, pattern: RegExp): string[] =>
  [...from.matchAll(pattern)].map(([, group]) => group!)

/** Expects two requests that OpenAPI has: a preview, and the commit of the same fields. */
function expectPreviewThenCommit(sent: Sent[]): void {
  for (const { method, url, headers, body } of sent) {
    const { pathname } = new URL(url)
    const operation = paths[pathname]?.[method.toLowerCase()]
    expect(operation, `${method} ${pathname}`).toBeDefined()
    expect(headers).toEqual(
      operation!.parameters.filter((one) => one.in === 'header').map(({ name }) => name),
    )
    expect(Object.keys(request.properties)).toEqual(expect.arrayContaining(Object.keys(body)))
    expect(Object.keys(body)).toEqual(expect.arrayContaining(request.required))
  }
  const [first, second] = sent.map(({ body }) => body)
  expect(sent).toHaveLength(2)
  expect(String(first!['confirm'])).toBe('false')
  expect(String(second!['confirm'])).toBe('true')
  expect(Object.keys(second!)).toEqual([...Object.keys(first!), 'confirmation_token'])
}

test('the blueprint make.json sends what OpenAPI says, and commits what its page showed', () => {
  interface Module {
    filter?: { conditions: { a: string; o: string }[][] }
    mapper: {
      url: string
      method: string
      headers: { name: string }[]
      data: string
      body: string
    }
    routes: { flow: [Module, Module] }[]
  }
  const { flow } = JSON.parse(text('docs/examples/make.json')) as { flow: [Module, Module] }
  const routes = flow[1].routes.map((route) => route.flow)
  expect(routes.map(([call]) => call.filter?.conditions)).toEqual(
    ['notexist', 'exist'].map((o) => [[{ a: '{{1.confirmation_token}}', o }]]),
  )
  const sent = routes.map(([{ mapper }]) => ({
    ...mapper,
    headers: mapper.headers.map(({ name }) => name),
    body: JSON.parse(mapper.data) as Record<string, unknown>,
  }))
  expectPreviewThenCommit(sent)
  const { confirm: _first, ...shown } = sent[0]!.body
  expect(sent[1]!.body).toEqual({
    ...shown,
    confirm: true,
    confirmation_token: '{{1.confirmation_token}}',
  })
  const page = routes[0]![1].mapper.body
  expect(found(page, /name="(\w+)"/g)).toEqual(['id', ...Object.keys(shown), 'confirmation_token'])
  const read = found(page, /\b2\.data\.(\w+)/g).filter((name) => name !== 'detail')
  expect(read).toEqual(['summary', 'warnings', 'confirmation_token'])
  expect(preview.required).toEqual(expect.arrayContaining(read))
})
