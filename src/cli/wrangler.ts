import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

/** The folder of this repository. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WRANGLER = join(PROJECT_ROOT, 'node_modules/wrangler/bin/wrangler.js')

/** Settings that keep wrangler quiet: no metrics, no crash reports, no version check, no log file. */
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
}

interface WranglerRun {
  code: number | null
  /** Both outputs, in order, without control characters. */
  output: string
  stdout: string
}

/** Runs wrangler with nobody to answer its questions, under the same Node as this process; a secret goes in as input. */
export async function runWrangler(
  args: readonly string[],
  { cwd, env = {}, input }: { cwd: string; env?: Record<string, string>; input?: string },
): Promise<WranglerRun> {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd,
    env: { ...process.env, ...QUIET, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // It may end before it has read all of it; its exit code decides.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const output: Buffer[] = []
  const stdout: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const text = (chunks: Buffer[]) => stripVTControlCharacters(Buffer.concat(chunks).toString()).trim()
  return { code, output: text(output), stdout: text(stdout) }
}

/** Runs wrangler with the terminal for itself, as its sign-in in the browser needs. True when it succeeded. */
export async function runWranglerInTerminal(args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, ...QUIET }
  const child = spawn(process.execPath, [WRANGLER, ...args], { cwd: PROJECT_ROOT, env, stdio: 'inherit' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}
