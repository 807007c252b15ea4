import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './servers.ts'

const PAGE = join(ROOT, 'docs/performance.md')

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` of docs/performance.md. */
export async function writeInto(name: string, text: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8')
  const [before, after] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [page.indexOf(before), page.indexOf(after)]
  if (start < 0 || end < 0) throw new Error(`docs/performance.md has no place for ${name}.`)
  await writeFile(PAGE, `${page.slice(0, start + before.length)}\n\n${text}\n\n${page.slice(end)}`)
  spawnSync(process.execPath, [join(ROOT, 'node_modules/oxfmt/bin/oxfmt'), PAGE])
}
