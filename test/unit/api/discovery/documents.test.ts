import { readFile, readdir } from 'node:fs/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import { REMEDIES } from '../../../../src/api/discovery/errors-page.ts'
import { REFERENCE, referenceFiles } from '../../../../src/cli/docs.ts'
import { servedApp } from '../../../../src/cli/reference/served.ts'
import { PROBLEMS, PROBLEM_CODES } from '../../../../src/core/domain/problem/problems.ts'
import { DEFAULT_SCOPES } from '../../../../src/core/domain/scopes.ts'
import { SETTING_NAMES, settingNotes } from '../../../../src/core/settings.ts'
import { GRANTED, LISTED_FIRST, READS } from '../../../../src/practice/operations/index.ts'
import { PROMPTS, exampleArguments } from '../../../../src/practice/operations/prompts.ts'
import { servedDocuments } from '../../../support/openapi.ts'

const ORIGIN = 'https://connector.practice.example'
const SETTINGS = {
  PUBLIC_URL: ORIGIN,
  SIGNING_SECRET: 'a signing secret of the document tests',
}

const app = await servedApp()
let served: Awaited<ReturnType<typeof servedDocuments>>
beforeAll(async () => {
  served = await servedDocuments(SETTINGS)
})

/** What a JSON pointer in a fragment names (RFC 6901). */
const partOf = (document: unknown, fragment: string): unknown =>
  decodeURIComponent(fragment)
    .split('/')
    .slice(1)
    .reduce((part, name) => (part as Record<string, unknown>)[name.replaceAll('~1', '/')], document)

describe('llms.txt', () => {
  const lines = () => served.llms.split('\n')

  it('begins with one title and a summary in a quote', () => {
    const [title, blank, summary] = lines()
    expect(title).toMatch(/^# \S/)
    expect(blank).toBe('')
    expect(summary).toMatch(/^> \S/)
    expect(lines().filter((line) => line.startsWith('# '))).toHaveLength(1)
    expect(lines().filter((line) => /^#{3,} /.test(line))).toEqual([])
  })

  it('continues with text, and then with lists of links under headings', () => {
    const [text = '', ...sections] = served.llms.split(/^## /m)
    expect(text).not.toMatch(/^#{2,}/m)
    expect(sections.length).toBeGreaterThan(2)
    for (const section of sections) {
      const [heading, ...rest] = section.split('\n').filter((line) => line !== '')
      expect(heading).toMatch(/^\S/)
      expect(rest.length).toBeGreaterThan(0)
      for (const line of rest) expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/[^\s)]+\)(: \S.*)?$/)
    }
  })

  it('names every operation with its path and its scope, and every code with its status', () => {
    const listed = (name: string) => lines().find((line) => line.startsWith(`- [${name}](`))
    for (const { name, route, scope } of [...LISTED_FIRST, ...READS]) {
      expect(listed(name)).toContain(`${route}, scope ${scope}`)
    }
    const others = [...LISTED_FIRST, ...READS].flatMap(({ problems }) => problems)
    const byName = GRANTED.flatMap(({ problems }) => problems).filter(
      (code) => !others.includes(code),
    )
    for (const code of PROBLEM_CODES.filter((one) => !byName.includes(one)))
      expect(listed(code)).toMatch(/: [45]\d\d\. \S/)
    // What counts only where it was granted by name is not advertised.
    for (const name of [...GRANTED.map((one) => one.name), ...byName, 'client_links'])
      expect(served.llms).not.toContain(name)
  })

  it('links only to existing addresses', async () => {
    const links = [...served.llms.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => new URL(link))
    expect(links.length).toBeGreaterThan(LISTED_FIRST.length + PROBLEM_CODES.length)
    for (const { origin, pathname, hash } of links) {
      expect(origin).toBe(ORIGIN)
      // Both want more than a GET without a credential.
      if (pathname === '/mcp' || pathname === '/v1/availability') continue
      const response = await app.request(pathname, {}, SETTINGS)
      expect([pathname, response.status]).toEqual([pathname, 200])
      const text = await response.text()
      if (hash.startsWith('#/'))
        expect([hash, partOf(JSON.parse(text), hash)]).not.toContain(undefined)
      else if (hash !== '')
        expect([hash, text.includes(`id="${hash.slice(1)}"`)]).toEqual([hash, true])
    }
  })
})

describe('the page of problems', () => {
  it('has an anchor for every code, once, in one of four groups', () => {
    const anchors = [...served.errors.matchAll(/<div id="([^"]+)"/g)].map(([, id]) => id)
    expect(anchors).toHaveLength(PROBLEM_CODES.length)
    expect(new Set<unknown>(anchors)).toEqual(new Set(PROBLEM_CODES))
    const groups = [...served.errors.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)
    expect(groups).toEqual(Object.keys(REMEDIES))
  })

  it('marks what may be sent again, and nothing else that a caller may read off the code', () => {
    for (const code of PROBLEM_CODES) {
      const [, summary = ''] = new RegExp(
        `<summary>([^]*?<code>${code}</code>[^]*?)</summary>`,
      ).exec(served.errors) ?? ['', '']
      const own = summary.slice(summary.lastIndexOf('<summary>') + 1)
      expect([code, own.includes('same call again')]).toEqual([
        code,
        PROBLEMS[code].retryable === true,
      ])
    }
  })
})

describe('the example prompts', () => {
  it('are the MCP prompts, with the same texts', () => {
    const quoted = served.examplePrompts.split('\n').filter((line) => line.startsWith('> '))
    for (const [i, prompt] of PROMPTS.entries()) {
      expect(quoted[i]).toBe(`> ${prompt.text(exampleArguments(prompt))}`)
      expect(served.examplePrompts).toContain(`## ${prompt.title}\n`)
      expect(served.examplePrompts).toContain(`\`${prompt.name}\``)
    }
  })

  it('are for operations whose scope no owner has to grant by name', () => {
    for (const { scopes } of PROMPTS)
      expect(DEFAULT_SCOPES).toEqual(expect.arrayContaining([...scopes]))
  })

  it('name all operations, and no others', () => {
    const text = served.examplePrompts
    const names = LISTED_FIRST.map(({ name }) => name)
    const verbs = new Set(names.map((name) => name.split('_')[0]))
    const words = new Set(text.match(new RegExp(`\\b(?:${[...verbs].join('|')})_[a-z_]+\\b`, 'g')))
    const known = [...names, ...PROMPTS.map(({ name }) => name)]
    expect([...words].filter((word) => !known.includes(word))).toEqual([])
    const unnamed = names.filter((name) => !words.has(name))
    expect(unnamed, 'Add a prompt that uses it to src/practice/operations/prompts.ts.').toEqual([])
  })
})

describe('the settings', () => {
  it('are all described', () => {
    const undescribed = settingNotes().filter(({ description }) => description.length < 20)
    expect(undescribed.map(({ name }) => name)).toEqual([])
    expect(settingNotes().map(({ name }) => name)).toEqual(SETTING_NAMES)
  })
})

describe('the page of errors', () => {
  it('is the same as Markdown, with every code and what to do about it', async () => {
    const markdown = await (await app.request('/docs/errors.md', {}, SETTINGS)).text()
    expect(markdown.startsWith('# Errors\n')).toBe(true)
    for (const heading of Object.values(REMEDIES)) expect(markdown).toContain(`## ${heading}\n`)
    for (const code of PROBLEM_CODES)
      expect(markdown).toMatch(new RegExp(`^- \`${code}\`: .*Status ${PROBLEMS[code].status}`, 'm'))
  })
})

describe('what tools and monitors look for', () => {
  it('is 503 from a degraded connector for a monitor that asks /health?strict=1, with the same body', async () => {
    // There is no storage here, which is a reason to be degraded.
    const asUsual = await app.request('/health', {}, SETTINGS)
    const seen = { headers: { 'If-None-Match': asUsual.headers.get('ETag')! } }
    const strict = await app.request('/health?strict=1', seen, SETTINGS)
    expect([asUsual.status, strict.status]).toEqual([200, 503])
    expect(strict.headers.get('Content-Type')).toBe('application/json')
    const body = await strict.text()
    expect(body).toBe(await asUsual.text())
    expect(JSON.parse(body)).toMatchObject({ status: 'degraded' })
  })

  it('is a contact and the reference in the OpenAPI document', () => {
    const { info, externalDocs } = served.openApi as typeof served.openApi & {
      info: { contact?: { url?: string } }
      externalDocs?: { url: string }
    }
    expect(info.contact?.url).toBe(ORIGIN)
    expect(externalDocs?.url).toBe(`${ORIGIN}/docs/api`)
  })
})

/** `npm run docs` writes the OpenAPI document, too; git does not keep it. */
const isKept = (name: string) => name !== 'openapi.json'

describe('the committed reference', () => {
  it('is current: run `npm run docs` if it is not', async () => {
    const made = await referenceFiles()
    const committed = Object.fromEntries(
      await Promise.all(
        (await readdir(REFERENCE))
          .filter(isKept)
          .map(async (name) => [name, await readFile(`${REFERENCE}${name}`, 'utf8')] as const),
      ),
    )
    expect(Object.keys(committed).toSorted()).toEqual(Object.keys(made).toSorted())
    for (const [name, text] of Object.entries(made)) {
      expect([name, committed[name] === text]).toEqual([name, true])
    }
  })

  it('names no directory of the machine that made it', async () => {
    const files = Object.values(await referenceFiles()).join('\n')
    expect(files).not.toMatch(/localhost|127\.0\.0\.1|file:\/\/|\/(?:home|root|tmp|Users)\//)
  })
})
