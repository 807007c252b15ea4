import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is gone after use, also when the process is made to exit before. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'consult-crash-'))
  const gone = () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.once('exit', gone)
  return {
    path,
    remove() {
      process.off('exit', gone)
      gone()
    },
  }
}
