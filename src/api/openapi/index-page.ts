import { GRANTED } from '../../practice/operations/index.ts'
import type { Block, DocPage } from './doc-page.ts'
import { pathOfPage } from './reference-page.ts'
import { type OpenApi, addressOf, entriesOf } from './reference.ts'

const DOCUMENTS: [text: string, href: string][] = [
  ['Your first booking: three calls, in curl, TypeScript and Python', '/docs/api'],
  ['Errors: every refusal, and what to do about it', '/docs/errors'],
  ['Example prompts: three to give to an assistant', '/docs/example-prompts.md'],
  ['llms.txt: the whole service in plain text, for agents', '/llms.txt'],
  ['OpenAPI 3.1: every path, schema and example, for programs', '/openapi.json'],
  ['Health: whether it runs, and what is live', '/health'],
  ['API catalog: these documents as links for programs (RFC 9727)', '/.well-known/api-catalog'],
]

/** The page of `/docs`: every document, route and event. */
export const indexPage = (document: OpenApi): DocPage => ({
  path: '/docs',
  title: 'Docs',
  blocks: [
    'Everything that this connector publishes about itself. You can read it without signing in.',
    { links: DOCUMENTS },
    ...document.tags.flatMap(({ name, description }): Block[] => [
      `### ${name}`,
      description,
      {
        links: entriesOf(document)
          .filter(({ route }) => route.tags.includes(name))
          .map((entry) => [labelOf(entry), pathOfPage(entry)]),
      },
    ]),
  ],
})

/** What a route is for, and how it is called. */
function labelOf(entry: ReturnType<typeof entriesOf>[number]): string {
  const { summary, operationId } = entry.route
  if (!entry.path.startsWith('/')) return summary
  const isGranted = GRANTED.some(({ name }) => name === operationId)
  return (
    `${summary}: ` +
    `\`${addressOf(entry)}\`${isGranted ? ', for callers to whom the owner granted it by name' : ''}`
  )
}
