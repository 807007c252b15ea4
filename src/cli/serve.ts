import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newEnrolmentToken } from '../access/passkey-enrolment.ts'
import { HOUR, SECOND } from '../domain/time/duration.ts'
import { underName } from '../domain/origin.ts'
import type { Settings } from '../settings.ts'
import { runCommand } from './admin-client.ts'
import { CliError, cliErrorOf } from './cli-error.ts'
import { portFrom, settingsOf, validSettings } from './local-settings.ts'
import { readableLine } from './readable-log.ts'
import { mkdir, readFile, writeFile } from 'node:fs/promises'

const TRIAL_LINK_LIFETIME = 12 * HOUR

const USAGE = `Usage:
  npm start                                 serves the connector on this machine
  PORT=9000 STORAGE_DIR=… npm start         on another port, with another storage
It takes its settings from the environment, and no options: docs/operate/local.md.`

/** Ends this process soon after npm or the shell between them: npm passes a signal on to that shell alone, which dies of it. */
function endWithNpm(): void {
  const before = starters()
  setInterval(() => {
    if (starters() !== before) process.exit()
  }, SECOND / 2).unref()
}

/** The process that started this one, and on Linux the one that started that. */
function starters(): string {
  const parent = String(process.ppid)
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    return `${parent} ${/\) \S+ (\d+)/.exec(stat)?.[1]}`
  } catch {
    return parent
  }
}

async function serve(): Promise<void> {
  const port = portFrom(process.env['PORT'])
  const storage = storageFolder(process.env['STORAGE_DIR'])
  const given = settingsOf(process.env)
  const vars = { ALLOW_ANONYMOUS: 'true', SIGNING_SECRET: await localSecret(storage), ...given }
  const settings = validSettings(vars)
  const trial = newEnrolmentToken(Date.now() + TRIAL_LINK_LIFETIME, randomBytes(32))
  const claim = await claimStorage(storage)
  if (claim.heldBy !== undefined) {
    throw new CliError(
      `A connector is already running on ${claim.heldBy} with the same storage. Use that one, or stop it first,\n` +
        'or give this one a folder of its own: STORAGE_DIR=.wrangler/state/second PORT=0 npm start',
    )
  }
  console.log('Starting the consult connector …')

  const log = startupLog()
  const { startLocal } = await import('./local.ts')
  const { url } = await startLocal({
    port,
    storage: join(storage, 'data'),
    vars: { ...vars, TRIAL_LINK_SHA256: createHash('sha256').update(trial).digest('hex') },
    onLog: log.write,
  }).catch((thrown: unknown) => {
    throw isPortInUse(thrown) ? new CliError(portInUse(port)) : thrown
  })
  const health = (await (await fetch(new URL('/health', url))).json()) as Health
  if (health.adapters === undefined) throw new CliError(health.detail ?? 'It did not become healthy.')
  claim.hold(url)
  console.log(welcome({ url, adapters: health.adapters, storage, given, settings, trial }))
  log.begin()
}

interface Health {
  adapters?: { scheduling: string; payments: string }
  detail?: string
}

/** Holds back the log until the connector is ready: it would only be noise above the address. */
function startupLog() {
  let ready = false
  const write = process.stdout.isTTY
    ? (line: string) => console.log(readableLine(line, new Date()))
    : (line: string) => console.log(line)
  return {
    write: (line: string) => {
      if (ready || !line.startsWith('{')) write(line)
    },
    begin: () => {
      ready = true
    },
  }
}

interface Served {
  url: string
  adapters: NonNullable<Health['adapters']>
  storage: string
  given: Record<string, string>
  settings: Settings
  trial: string
}

function welcome({
  url,
  adapters: { scheduling, payments },
  storage,
  given,
  settings,
  trial,
}: Served): string {
  const localhost = underName(url)
  const allMock = scheduling === 'mock' && payments === 'mock'
  const notes = [
    ...(Object.keys(given).length > 0
      ? [`Settings from the environment: ${Object.keys(given).join(', ')}.`]
      : []),
    ...(settings.MOCK_FAULTS.length === 0 ? [] : [`Mock faults: ${given['MOCK_FAULTS']}`]),
    ...(settings.allowAnonymous ? [] : ['Callers need an API key; see docs/operate/access.md.']),
  ]
  return `
The consult connector is running on ${url}
  scheduling: ${scheduling}, payments: ${payments}${allMock ? ' (nothing real happens)' : ''}
  storage: ${shortPath(storage)}
${notes.map((note) => `  ${note}\n`).join('')}
A first call      curl ${settings.allowAnonymous ? '' : "-H 'Authorization: Bearer YOUR_API_KEY' "}${url}/v1/availability
For an agent      ${url}/mcp
For a browser     ${url}/
${allMock && settings.allowAnonymous ? `The owner sees    ${localhost}/owner/trial?token=${trial}   (once)\n` : ''}For the owner     npm run enrol -- --url ${localhost}   (says how to make a passkey)
${allMock ? `A guided tour     npm run demo -- ${url}\n` : ''}
Stop with Ctrl+C. One line per request follows.
`
}

/** A path as a person would write it: relative within this folder, else whole. */
function shortPath(path: string): string {
  const relativePath = relative('.', path)
  return relativePath === '' || relativePath.startsWith('..') || isAbsolute(relativePath)
    ? path
    : relativePath
}

const isPortInUse = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /ADDRESS_IN_USE|EADDRINUSE/.test(`${String(Reflect.get(thrown, 'code'))} ${thrown.message}`)

const portInUse = (port: number): string =>
  `Port ${port} is in use. Stop what uses it, or choose another: PORT=${port === 65_535 ? 0 : port + 1} npm start`

const explain = (thrown: unknown): string =>
  thrown instanceof CliError
    ? thrown.message
    : `The connector could not be started. ${cliErrorOf(thrown).message}`

const DEFAULT_FOLDER = '.wrangler/state/connector'

/** The folder of a local connector: its data, its secret and its claim while it runs. */
const storageFolder = (given: string | undefined): string =>
  resolve(given === undefined || given === '' ? DEFAULT_FOLDER : given)

/** The signing secret of this folder, made once, so that previews survive a restart. */
async function localSecret(folder: string): Promise<string> {
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
async function claimStorage(
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

await runCommand(USAGE, async () => {
  parseArgs({ options: {} })
  if (process.env['npm_lifecycle_event'] === 'start') endWithNpm()
  await serve().catch((thrown: unknown) => {
    console.error(`\n${explain(thrown)}`)
    process.exit(1)
  })
})
