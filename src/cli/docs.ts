import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { EXAMPLE_ORIGIN } from '../openapi/responses.ts'
import { operationsPage, readsPage } from './reference/operations.ts'
import { problemsPage } from './reference/problems.ts'
import { servedDocuments } from './reference/served.ts'
import { settingsPage } from './reference/settings.ts'
import { VERIFY_PAGE, verifyPage } from './verify-page/build.ts'

/** The folder of the generated reference. */
export const REFERENCE = fileURLToPath(new URL('../../docs/reference/', import.meta.url))

/** The files of the reference, made from the code. */
export async function referenceFiles(): Promise<Record<string, string>> {
  const { openApi, llms, examplePrompts } = await servedDocuments({ PUBLIC_URL: EXAMPLE_ORIGIN })
  return {
    'openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
    'llms.txt': llms,
    'example-prompts.md': examplePrompts,
    'operations.md': operationsPage(openApi),
    'reads.md': readsPage(openApi),
    'problems.md': problemsPage(),
    'settings.md': settingsPage(),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(REFERENCE, { recursive: true })
  const files = Object.entries(await referenceFiles())
  for (const [name, text] of files) await writeFile(`${REFERENCE}${name}`, text)
  await writeFile(VERIFY_PAGE, await verifyPage())
  console.log(`Written to docs/reference: ${files.map(([name]) => name).join(', ')}; and docs/verify.html`)
}
