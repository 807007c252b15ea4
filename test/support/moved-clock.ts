import { cp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Copies the bundle of the Worker into `folder`, with a clock that is this many milliseconds ahead.
 * Returns the script's path.
 */
export async function withMovedClock(
  script: string,
  folder: string,
  ahead: number,
): Promise<string> {
  await cp(dirname(script), folder, { recursive: true })
  const clock = `globalThis.Date = class extends Date {
    constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()) }
    static now() { return super.now() + ${ahead} }
  };\n`
  const moved = join(folder, 'worker.js')
  await writeFile(moved, clock + (await readFile(script, 'utf8')))
  return moved
}
