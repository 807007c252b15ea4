import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

const FOLDERS = ['src', 'durable-objects']
const FILES = ['package-lock.json', 'wrangler.toml']
/** Never a part of the Worker. */
const COMMANDS = `cli${sep}`

/** A short hash of all that the Worker is built from; the same source gives the same hash on every machine. */
export function sourceHash(root: string): string {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length)
          .replace(/^[\\/]/, ''),
      ),
  ).filter((path) => !path.startsWith(join('src', COMMANDS)))
  const hash = createHash('sha256')
  for (const path of [...paths, ...FILES].sort()) {
    const text = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${path.replaceAll(sep, '/')}\0${text.length}\0${text}`)
  }
  return hash.digest('hex').slice(0, 16)
}
