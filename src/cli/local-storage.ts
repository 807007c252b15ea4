import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SECOND } from '../domain/time/duration.ts'

const DEFAULT_FOLDER = '.wrangler/state/connector'

/** The folder of a local connector: its data, its secret and its claim while it runs. */
export const storageFolder = (given: string | undefined): string =>
  resolve(given === undefined || given === '' ? DEFAULT_FOLDER : given)

/** The signing secret of this folder, made once, so that previews survive a restart. */
export async function localSecret(folder: string): Promise<string> {
  const file = join(folder, 'signing-secret')
  try {
    return await readFile(file, 'utf8')
  } catch {
    const secret = randomBytes(32).toString('base64url')
    await mkdir(folder, { recursive: true })
    await writeFile(file, secret, { mode: 0o600 })
    return secret
  }
}

/**
 * Two connectors on one folder lock each other out of its databases, so the second one stops and names the first. A claim
 * that a crash left behind does not count: its connector does not answer.
 */
export async function claimStorage(
  folder: string,
): Promise<{ heldBy: string } | { heldBy: undefined; hold(url: string): void }> {
  const note = join(folder, 'running-on')
  const heldBy = await readFile(note, 'utf8').catch(() => undefined)
  if (heldBy !== undefined && (await answers(heldBy))) return { heldBy }
  return {
    heldBy: undefined,
    hold(url) {
      writeFileSync(note, url)
      process.once('exit', () => rmSync(note, { force: true }))
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/health', url), { signal: AbortSignal.timeout(SECOND) })
    return response.ok
  } catch {
    return false
  }
}
