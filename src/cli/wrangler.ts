import { spawn, spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

/** The folder of this repository. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WRANGLER = join(PROJECT_ROOT, 'node_modules/wrangler/bin/wrangler.js')

/** Turns off the metrics, crash reports, version check and log file of wrangler. */
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
}

/** The command under `[build]` runs under this Node, too, whichever is installed beside it. */
const withThisNode = () => [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)

/**
 * Runs wrangler without a terminal, under this Node; a secret goes in as `input`. `output` has stdout and
 * stderr in their order, without control characters.
 */
export async function runWrangler(
  args: readonly string[],
  { cwd, env = {}, input }: { cwd: string; env?: Record<string, string>; input?: string },
) {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd,
    env: { ...process.env, ...QUIET, PATH: withThisNode(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // Wrangler may end before it has read all input; its exit code decides.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const output: Buffer[] = []
  const stdout: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const text = (chunks: Buffer[]) =>
    stripVTControlCharacters(Buffer.concat(chunks).toString()).trim()
  return { code, output: text(output), stdout: text(stdout) }
}

/** Signs in to Cloudflare with wrangler, in this terminal and in the browser. True if it succeeded. */
export function signInWithWrangler(): boolean {
  const env = { ...process.env, ...QUIET }
  const options = { cwd: PROJECT_ROOT, env, stdio: 'inherit' } as const
  return spawnSync(process.execPath, [WRANGLER, 'login'], options).status === 0
}
