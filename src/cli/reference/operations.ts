import {
  type Block,
  type Entry,
  type OpenApi,
  blocksOf,
  entriesOf,
} from '../../api/openapi/reference.ts'
import { GRANTED, LISTED_FIRST, READS } from '../../practice/operations/index.ts'
import { GENERATED, code, markdownPage, markdownTable } from './markdown.ts'

const PAGES = {
  'operations.md':
    '# Operations\n\nEach is a tool of the same name over MCP too, with the same answers.',
  'reads.md': '# Reads\n\n[docs/reading.md](../reading.md) says how they are read over MCP.',
  'routes.md': '# Other routes, and events\n\nEverything else, and what is sent to webhooks.',
}

const BY_NAME =
  '. It counts only where its [scope was granted by name](../client-link.md#grant-it-by-name)'

function fileOf({ route: { operationId } }: Entry): string {
  const isOneOf = (all: readonly { name: string }[]) => all.some(({ name }) => name === operationId)
  if (isOneOf([...READS, ...GRANTED.filter(({ kind }) => kind === 'read')])) return 'reads.md'
  return isOneOf([...LISTED_FIRST, ...GRANTED]) ? 'operations.md' : 'routes.md'
}

/** The pages of all routes: the operations, the reads, and the rest. */
export function routePages(openApi: OpenApi): Record<string, string> {
  const pages = Object.entries(PAGES).map(([file, about]) => {
    const entries = entriesOf(openApi).filter((entry) => fileOf(entry) === file)
    const links = entries.map(
      ({ route: { operationId: name, summary } }) =>
        `- [${code(name)}](#${name.replace('.', '')}): ${summary}${GRANTED.some((one) => one.name === name) ? BY_NAME : ''}`,
    )
    const examples = `With examples the same stands at ${code('/docs/api')} of each connector; the full definition is [openapi.json](openapi.json).`
    const sections = entries.map((entry) => section(entry, openApi))
    return [file, markdownPage(about, GENERATED, examples, links.join('\n'), ...sections)]
  })
  return Object.fromEntries(pages) as Record<string, string>
}

const section = (entry: Entry, openApi: OpenApi): string =>
  markdownPage(
    `## ${entry.route.operationId}`,
    ...blocksOf(entry, openApi).map(markdownOf),
  ).trimEnd()

/** A part of a page; its examples are on the served one alone. */
function markdownOf(block: Block): string {
  if (typeof block !== 'string' && 'code' in block) return ''
  const text = typeof block === 'string' ? block : markdownTable(block.head, block.rows)
  return text.replaceAll('(/docs/errors#', '(problems.md#')
}
