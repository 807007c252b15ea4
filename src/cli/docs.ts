import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { EXAMPLE_ORIGIN } from '../api/openapi/responses.ts'
import { EFFECT_MEANINGS, effectsOf } from '../core/domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES } from '../core/domain/problem/problems.ts'
import { settingNotes } from '../core/settings.ts'
import { runCommand } from './command.ts'
import { GENERATED, code, markdownPage, markdownTable } from './reference/markdown.ts'
import { servedDocuments } from './reference/served.ts'
import { storagePage } from './reference/storage.ts'
import { VERIFY_PAGE, verifyPage } from './verify-page/build.ts'

/** The folder of the generated reference. */
export const REFERENCE = fileURLToPath(new URL('../../docs/reference/', import.meta.url))

/** What of it git does not keep: a connector serves the same at `/openapi.json`. */
const OPENAPI = 'openapi.json'

/** The files of the reference that git keeps, made from the code. */
export async function referenceFiles(): Promise<Record<string, string>> {
  const { examplePrompts } = await servedDocuments({ PUBLIC_URL: EXAMPLE_ORIGIN })
  return {
    'example-prompts.md': examplePrompts,
    'problems.md': problemsPage(),
    'settings.md': settingsPage(),
    'storage.md': storagePage(),
  }
}

const problemsPage = () =>
  markdownPage(
    '# Problems',
    GENERATED,
    `Refusals are ${code('application/problem+json')} (RFC 9457), the same over REST and ` +
      `over MCP. ${code('retryable')} means that the very same request may succeed later; ` +
      `${code('effect')} says what is known of the change that was asked for.`,
    markdownTable(
      ['effect', 'meaning'],
      Object.entries(EFFECT_MEANINGS).map(([effect, meaning]) => [code(effect), meaning]),
    ),
    markdownTable(
      ['code', 'status', 'retryable', 'effect', 'what it means', 'what to do'],
      PROBLEM_CODES.map((one) => {
        const { status, retryable, detail, next_step } = PROBLEMS[one]
        const effects = effectsOf(one).map(code).join(' or ')
        const anchor = `<a id="${one}"></a>${code(one)}`
        return [anchor, String(status), retryable ? 'yes' : 'no', effects, detail, next_step]
      }),
    ),
  )

const settingsPage = () =>
  markdownPage(
    '# Settings',
    GENERATED,
    'Vars and secrets of the Worker; locally they come from the environment. ' +
      'An empty value counts as missing. One that is not valid is named in the answer ' +
      `${code('not_configured')}, without its value.`,
    markdownTable(
      ['setting', 'what it is for', 'default'],
      settingNotes().map(({ name, description, fallback }) => [
        code(name),
        description,
        shown(fallback),
      ]),
    ),
  )

function shown(fallback: unknown) {
  const isEmpty =
    fallback === undefined || fallback === '' || (Array.isArray(fallback) && !fallback.length)
  if (isEmpty) return 'none'
  return code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback))
}

const USAGE =
  'Usage: npm run docs regenerates docs/reference and docs/verify.html from the code. It takes no options.'

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runCommand(USAGE, async () => {
    parseArgs()
    await mkdir(REFERENCE, { recursive: true })
    const { openApi } = await servedDocuments({ PUBLIC_URL: EXAMPLE_ORIGIN })
    const openApiText = `${JSON.stringify(openApi, null, 2)}\n`
    const files = Object.entries({ ...(await referenceFiles()), [OPENAPI]: openApiText })
    for (const [name, text] of files) await writeFile(`${REFERENCE}${name}`, text)
    await writeFile(VERIFY_PAGE, await verifyPage())
    console.log(
      `Written to docs/reference: ${files.map(([name]) => name).join(', ')}; and docs/verify.html`,
    )
  })
