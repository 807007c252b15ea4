import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { OpenApi } from '../../src/api/openapi/reference.ts'
import { OPERATIONS } from '../../src/practice/operations/index.ts'
import { OWNER_KEY, OWNED } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'

const ORIGIN = 'https://connector.practice.example'
const open = connectorForAll()
const closed = connectorForAll({ vars: { ...OWNED, PUBLIC_URL: ORIGIN } })

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const LANGUAGES = ['curl', 'TypeScript', 'Python']
const SCRIPT = /<script src="\/docs\/pages-\w+\.js" defer><\/script>/

interface Page {
  name: string
  response: Response
  markup: string
  text: string
  /** Each piece of code in the order of the page, under its language or its label. */
  examples: { label: string; code: string }[]
}

async function pageAt({ url }: { url: string }, path: string): Promise<Omit<Page, 'name'>> {
  const response = await fetch(new URL(path, url))
  const markup = await response.text()
  const pieces = markup.matchAll(
    /(?:<label[^>]*>(\w+)<\/label>|<p class="cap">([^<]+)<\/p>)\s*(?:<div>)?<div class="snip">\s*<pre[^>]*>([^]*?)<\/pre>/g,
  )
  const examples = [...pieces].map(([, language, caption, code = '']) => ({
    label: language ?? caption ?? '',
    code: textOf(code),
  }))
  return { response, markup, text: textOf(markup), examples }
}

/** The pages of the reference as the menu links them, with what each says and shows. */
async function pagesOf(connector: { url: string }): Promise<Page[]> {
  const { markup } = await pageAt(connector, '/docs/api')
  const names = [...markup.matchAll(/href="\/docs\/api\/([^"]+)"/g)].map(([, name = '']) => name)
  return Promise.all(
    [...new Set(names)].map(async (name) => ({
      name,
      ...(await pageAt(connector, `/docs/api/${name}`)),
    })),
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
      const { text: said, markup, response } = pages.find(({ name }) => name === operationId)!
      expect([operationId, response.status]).toEqual([operationId, 200])
      expect(said).toContain(summary)
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

  test('shows curl, TypeScript and Python for each route, and for a change both answers', async () => {
    const { paths } = await documentOf(open)
    const pages = await pagesOf(open)
    for (const route of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const labels = pages
        .find(({ name }) => name === route.operationId)!
        .examples.map(({ label }) => label)
      const isChange =
        route.responses['200']?.content?.['application/json']?.examples?.['committed']
      const once = [...LANGUAGES, ...(labels.includes('Answer') ? ['Answer'] : [])]
      const twice = [...LANGUAGES, 'Answer', 'Commit: add these two, keep the rest', 'Answer']
      expect(labels, route.operationId).toEqual(isChange ? twice : once)
    }
  })

  test('has examples that the connector takes as they stand, in each language', async () => {
    const pages = (await pagesOf(open)).filter(({ examples }) =>
      examples.some(({ label }) => label === 'curl'),
    )
    expect(pages.length).toBeGreaterThan(50)
    const codeOf = ({ examples }: Page, language: string) =>
      examples.find(({ label }) => label === language)!.code
    const expectTaken = (language: string, answers: readonly string[]) => {
      expect([language, answers.length]).toEqual([language, pages.length])
      for (const [index, { name }] of pages.entries())
        expect([language, name, NEVER.includes(codeIn(answers[index]!) ?? '')]).toEqual([
          language,
          name,
          false,
        ])
    }
    const sent: string[] = []
    for (const page of pages) sent.push(await sendTypeScript(codeOf(page, 'TypeScript')))
    expectTaken('TypeScript', sent)
    const shell = pages.map(
      (page) => `${codeOf(page, 'curl').replace('curl ', 'curl -s ')}\n${MARK}`,
    )
    expectTaken('curl', answersIn(await run('sh', ['-eu'], shell.join('\n'))))
    if (!hasRequests()) return
    const python = pages.map(
      (page) =>
        `${codeOf(page, 'Python')}\nprint(answer if isinstance(answer, str) else json.dumps(answer))\nprint("\\x1e", end="")`,
    )
    expectTaken(
      'Python',
      answersIn(await run('python3', ['-'], `import json\n${python.join('\n')}`)),
    )
  })

  test('begins with a booking whose three calls run one after the other, in each language', async () => {
    const { examples } = await pageAt(open, '/docs/api')
    const codes = (language: string) =>
      examples.filter(({ label }) => label === language).map(({ code }) => code)
    for (const language of LANGUAGES) expect(codes(language)).toHaveLength(3)
    const module = `${codes('TypeScript').join('\n')}\nexport const said = booked.status`
    expect(await importModule(module)).toBe('committed')
    if (hasRequests())
      expect(
        await run('python3', ['-'], `${codes('Python').join('\n')}\nprint(booked["status"])`),
      ).toBe('committed\n')
    // In a shell the reader takes a time and the token from the answers.
    const [free = '', preview = '', commit = ''] = codes('curl').map((code) =>
      code.replace('curl ', 'curl -s '),
    )
    const field = (name: string) => `sed 's/.*"${name}":"\\([^"]*\\).*/\\1/'`
    const script = [
      `TIME=$(${free} | ${field('start_time')})`,
      preview.replace(/^START=.*$/m, 'START=$TIME').replace(/^curl/m, 'PREVIEW=$(curl') + ')',
      commit.replace(/^TOKEN=.*$/m, `TOKEN=$(echo "$PREVIEW" | ${field('confirmation_token')})`),
    ].join('\n')
    expect(await run('sh', ['-eu'], script)).toContain('"status":"committed"')
  })

  test('sends the credential from the environment, where one is needed', async () => {
    const credential: Record<string, string> = {
      curl: '"Authorization: Bearer $CONNECTOR_API_KEY"',
      TypeScript: '`Bearer ${process.env.CONNECTOR_API_KEY}`',
      Python: '"Bearer " + os.environ["CONNECTOR_API_KEY"]',
    }
    for (const { name, examples } of await pagesOf(closed))
      for (const { label, code } of examples) {
        if (!LANGUAGES.includes(label)) continue
        const isOpen = !/\/(v1|mcp)\b/.test(code)
        expect([name, label, code.includes(credential[label]!)]).toEqual([name, label, !isOpen])
        expect(code).toContain(ORIGIN)
      }
  })

  test('is cached for five minutes, has an ETag, and runs no script but our own', async () => {
    for (const path of ['/docs/api', '/docs/api/book_consult', '/docs/errors', '/docs']) {
      const response = await fetch(new URL(path, closed.url))
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
      expect(response.headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none'; style-src 'self';.*; script-src 'self'$/,
      )
      const markup = await response.text()
      expect(markup).toMatch(SCRIPT)
      expect(markup.replace(SCRIPT, '')).not.toMatch(/<script|style=|javascript:/)
      const again = await fetch(new URL(path, closed.url), {
        headers: { 'If-None-Match': response.headers.get('ETag')! },
      })
      expect(again.status).toBe(304)
      const twin = await fetch(new URL(`${path}.md`, closed.url))
      expect(twin.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8')
      expect(twin.headers.get('Content-Security-Policy')).not.toContain('script-src')
    }
    for (const path of [
      '/docs/api/nothing',
      '/docs/api/',
      '/docs/api/book_consult/x',
      '/docs/api/nothing.md',
    ])
      expect((await fetch(new URL(path, closed.url))).status).toBe(404)
  })

  test('is where /docs, the home page, the catalog and a page that is not there lead to', async () => {
    const { paths } = await documentOf(open)
    const textAt = async (path: string) =>
      (await fetch(new URL(path, open.url), { headers: { Accept: 'text/html,*/*;q=0.8' } })).text()
    for (const path of ['/', '/docs', '/nowhere'])
      expect(await textAt(path)).toContain('href="/docs/api"')
    expect(await textAt('/.well-known/api-catalog')).toContain(`"href":"${open.url}/docs/api"`)
    for (const { tags } of Object.values(paths).flatMap((methods) => Object.values(methods)))
      expect(tags).toHaveLength(1)
  })
})

describe('a form that sends an operation to the mock', () => {
  /** What stands in the controls of a form before a person types. */
  function valuesIn(markup: string): Record<string, string> {
    const [form = ''] = /<form[^]*<\/form>/.exec(markup) ?? []
    const controls = form.matchAll(
      /<(?:input|select|textarea)[^>]*? name="(\w+)"[^>]*?(?:value="([^"]*)"[^>]*>|>([^]*?)<\/(?:select|textarea)>)/g,
    )
    return Object.fromEntries(
      [...controls].map(([, name = '', value, inner = '']) => [
        name,
        textOf(value ?? /<option selected>(.*?)<|^([^<]*)$/.exec(inner)?.slice(1).join('') ?? ''),
      ]),
    )
  }

  interface Sent {
    values?: Record<string, string>
    headers?: Record<string, string>
  }

  /** What the page says that answers a form, and the answer that it shows. */
  async function press(
    { url }: { url: string },
    name: string,
    { values = {}, headers = { Origin: new URL(url).origin } }: Sent = {},
  ) {
    const path = `/docs/api/${name}`
    const given = valuesIn(await (await fetch(new URL(path, url))).text())
    const body = new URLSearchParams({ ...given, ...values })
    const response = await fetch(new URL(path, url), { method: 'POST', body, headers })
    const markup = await response.text()
    const [, shown = 'null'] = /<pre[^>]*>([^]*?)<\/pre>/.exec(markup) ?? []
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
    const answer = isPage ? (JSON.parse(textOf(shown)) as Record<string, unknown>) : {}
    return { status: response.status, headers: response.headers, markup, answer, given }
  }

  test('is on the page of each operation, and its example is sent as the operation wants it', async () => {
    const withForm = (await pagesOf(open)).filter(({ markup }) => markup.includes('<form'))
    expect(withForm.map(({ name }) => name).toSorted()).toEqual(
      OPERATIONS.map(({ name }) => name).toSorted(),
    )
    const previewed: string[] = []
    for (const { name, kind } of OPERATIONS) {
      const { status, answer, markup, headers } = await press(open, name)
      expect([name, status]).toEqual([name, 200])
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect([name, NEVER.includes(String(answer['code']))]).toEqual([name, false])
      if (answer['status'] === 'preview') expect(textOf(markup)).toContain(answer['summary'])
      if (kind === 'mutation' && answer['status'] === 'preview') previewed.push(name)
      if (kind === 'mutation') expect([name, answer['status']]).not.toContain('committed')
    }
    expect(previewed).toEqual(
      expect.arrayContaining(['book_consult', 'create_client_profile', 'create_payment_link']),
    )
  })

  test('sends a preview even if a commit is asked for', async () => {
    const first = await press(open, 'create_payment_link')
    const token = String(first.answer['confirmation_token'])
    const { answer } = await press(open, 'create_payment_link', {
      values: { confirm: 'true', confirmation_token: token },
    })
    expect(answer).toMatchObject({ status: 'preview' })
    expect(answer['confirmation_token']).not.toBe(token)
  })

  test('names no other route where the id in its path is no id', async () => {
    for (const booking_id of ['..', '.', '../availability', 'x/cancel', '', '%2e%2e', '?x#y'])
      expect([
        booking_id,
        (await press(open, 'get_booking', { values: { booking_id } })).answer['operation'],
      ]).toEqual([booking_id, undefined])
  })

  test('shows what was typed as text alone', async () => {
    const values = {
      display_name: '<img src=x onerror=alert(1)>',
      timezone: '[here](javascript:alert(1))',
      answers: '{"notes": "</pre><script>alert(1)</script>"}',
    }
    for (const name of ['create_client_profile', 'submit_intake_answers', 'cancel_booking']) {
      const { markup } = await press(open, name, { values })
      expect(markup).not.toMatch(/<img src=x|href="javascript|<script>/)
    }
    const { answer } = await press(open, 'submit_intake_answers', {
      values: { answers: 'no JSON' },
    })
    expect(answer).toMatchObject({ code: 'validation_failed' })
  })

  test('is refused where another site sent it, or a program that names no site', async () => {
    const ours = new URL(open.url).origin
    const refused: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      {},
      { Origin: ours, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: ours, 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const headers of refused) {
      const { status, markup } = await press(open, 'book_consult', { headers })
      expect([headers, status]).toEqual([headers, 403])
      expect(markup).toContain('address_not_allowed')
    }
    for (const name of ['create_api_key', 'who_am_i', 'list_audit_entries', 'nothing'])
      expect([name, (await press(open, name)).status]).toEqual([name, 404])
  })

  test('asks for a key where the API does, and takes nothing else for one', async () => {
    const headers = { Origin: ORIGIN, Authorization: `Bearer ${OWNER_KEY}`, 'X-API-Key': OWNER_KEY }
    const without = await press(closed, 'create_payment_link', { headers })
    expect(without.given).toHaveProperty('api_key')
    expect(without.answer).toMatchObject({ code: 'unauthenticated' })
    const booked = await press(closed, 'book_consult', { headers })
    expect(booked.answer).toMatchObject({ code: 'unauthenticated' })
    const asOwner = await press(closed, 'book_consult', {
      values: { api_key: OWNER_KEY },
      headers: { Origin: ORIGIN },
    })
    expect(asOwner.answer).toMatchObject({ status: 'preview' })
    expect(asOwner.markup).not.toContain(OWNER_KEY)
    expect((await press(open, 'book_consult')).given).not.toHaveProperty('api_key')
  })
})

/** Between two answers of a script: no answer has this character. */
const MARK = "printf '\\036'"
const answersIn = (output: string): string[] => output.split('\u001e').slice(0, -1)

/** What a program prints that is given this on its standard input. Fails where the program does. */
async function run(command: string, given: string[], input: string): Promise<string> {
  // Not at once: the connector writes its log meanwhile, and waits where no one reads it.
  const child = spawn(command, given)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect([command, stderr]).toEqual([command, ''])
  return stdout
}

/** Whether this machine has Python with the library that the examples use. */
const hasRequests = (): boolean => spawnSync('python3', ['-c', 'import requests']).status === 0

/** Runs an example as its reader does, and gives what it was answered. */
const sendTypeScript = (code: string): Promise<string> =>
  importModule(
    `${code}\nexport const said = typeof answer === 'string' ? answer : JSON.stringify(answer)`,
  )

async function importModule(module: string): Promise<string> {
  const { said } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(module)}`
  )) as { said: string }
  return said
}
