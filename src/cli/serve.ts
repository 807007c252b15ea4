import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SETTING_NAMES } from '../settings.ts'
import { startLocal } from './local.ts'

const STORAGE = '.wrangler/state/connector'
const DEFAULT_PORT = 8787

/** The settings of the environment that the connector knows, over the defaults of a local trial. */
async function localSettings(storage: string): Promise<Record<string, string>> {
  const given = SETTING_NAMES.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ALLOW_ANONYMOUS: 'true', SIGNING_SECRET: await localSecret(storage), ...Object.fromEntries(given) }
}

/** A signing secret of this machine, made once, so that what was begun before a restart can be finished after it. */
async function localSecret(storage: string): Promise<string> {
  const file = join(storage, 'signing-secret')
  try {
    return await readFile(file, 'utf8')
  } catch {
    const secret = randomBytes(32).toString('base64url')
    await mkdir(storage, { recursive: true })
    await writeFile(file, secret, { mode: 0o600 })
    return secret
  }
}

const port = Number(process.env['PORT'] ?? DEFAULT_PORT)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('PORT must be a whole number from 0 to 65535; 0 takes any free port.')
  process.exit(2)
}

try {
  const { url } = await startLocal({
    port,
    storage: join(STORAGE, 'data'),
    vars: await localSettings(STORAGE),
    onLog: (line) => console.log(line),
  })
  const health = (await (await fetch(new URL('/health', url))).json()) as {
    adapters?: Record<string, string>
    detail?: string
  }
  if (health.adapters === undefined) throw new Error(health.detail ?? 'The connector did not start.')
  const origin = new URL(url).origin
  console.log(`
The consult connector is running on ${origin}
  scheduling: ${health.adapters['scheduling']}, payments: ${health.adapters['payments']}; storage in ${STORAGE}

Try it:
  curl '${origin}/v1/availability'

MCP address for an agent: ${origin}/mcp
A page for people:        ${origin}/
The whole journey:        npm run demo -- ${origin}
Stop with Ctrl+C. One line of log per request follows.
`)
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /EADDRINUSE|ADDRESS_IN_USE|in use/i.test(text)
    ? `Port ${port} is in use. Choose another: PORT=8788 npm start`
    : `The connector could not be started: ${text}`
}
