import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { distance } from 'fastest-levenshtein'

import { hashApiKey, newApiKey } from '../core/crypto/api-key.ts'
import { sha256 } from '../core/crypto/encoding.ts'
import { underName } from '../core/domain/origin.ts'
import { HOUR, SECOND } from '../core/domain/time/duration.ts'
import { SETTING_NAMES, type Settings, isSetting } from '../core/settings.ts'
import { newEnrolmentToken } from '../owner/access/passkey-enrolment.ts'
import { type Health, healthOf } from './admin-client.ts'
import { CliError, runCommand } from './command.ts'
import { readableLine } from './readable-log.ts'
import { settingsOf, validSettings } from './settings-file.ts'

const TRIAL_LINK_LIFETIME = 12 * HOUR

const USAGE = `Usage:
  npm start                                 serves the connector on this machine
  npm run dev                               the same, and reloads when a source file changes
  PORT=9000 STORAGE_DIR=… npm start         on another port, with another storage
They take their settings from the environment, and no options: docs/operate/local.md.`

/** Ends this process soon after npm or the shell between them: npm passes a signal on to that shell alone. */
function endWithNpm() {
  const before = starters()
  setInterval(() => {
    if (starters() !== before) process.exit()
  }, SECOND / 2).unref()
}

/** The ids of the parent process, and on Linux of its parent. */
function starters() {
  const parent = String(process.ppid)
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    return `${parent} ${/\) \S+ (\d+)/.exec(stat)?.[1]}`
  } catch {
    return parent
  }
}

async function serve({ isWatched }: { isWatched: boolean }) {
  const port = portFrom(process.env['PORT'])
  const storage = resolve(process.env['STORAGE_DIR'] || '.wrangler/state/connector')
  const given = settingsOf(process.env)
  const secret = localSecret(storage, 'signing-secret', () => randomBytes(32).toString('base64url'))
  const vars = { ALLOW_ANONYMOUS: 'true', SIGNING_SECRET: secret, ...given }
  const settings = validSettings(vars, 'Correct it in the environment, or unset it.')
  const trialKey = localSecret(storage, 'trial-key', () => newApiKey(randomBytes(32)))
  const trial = newEnrolmentToken(Date.now() + TRIAL_LINK_LIFETIME, randomBytes(32))
  const note = join(storage, 'running-on')
  await refuseSharedStorage(note)
  console.log('Starting the consult connector …')

  let isReady = false
  // Its own lines wait until the address is printed.
  const onLog = (line: string) => {
    if (isReady || !line.startsWith('{')) print(line)
  }
  const { startLocal } = await import('./local.ts')
  const watched = isWatched ? await watchedBundle() : undefined
  const { url, reload } = await startLocal({
    ...(watched && { script: watched.script }),
    port,
    storage: join(storage, 'data'),
    vars: {
      ...vars,
      TRIAL_LINK_SHA256: await sha256(trial),
      TRIAL_KEY_SHA256: await hashApiKey(trialKey),
    },
    onLog,
  }).catch((thrown: unknown) => {
    throw isPortInUse(thrown) ? portInUse(port) : thrown
  })
  const { adapters } = await healthOf(url)
  writeFileSync(note, url)
  process.once('exit', () => rmSync(note, { force: true }))
  console.log(welcome({ url, adapters, storage, given, settings, trial, trialKey }))
  isReady = true
  await watched?.watch(async (script) => {
    const begun = performance.now()
    await reload(script)
    console.log(`Reloaded in ${((performance.now() - begun) / SECOND).toFixed(1)} s.`)
  })
}

/** Raises `CliError` if the sources do not compile; esbuild has said where. */
async function watchedBundle() {
  const { watchedWorker } = await import('./watch.ts')
  return watchedWorker().catch(() => {
    throw new CliError('The sources do not compile.', 'Correct what is named above.')
  })
}

/** The port in a setting; 8787 without one. Raises `CliError` for what is no port. */
function portFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 8787
  const port = /^\d+$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65_535)
    throw new CliError(
      'PORT must be a whole number from 0 to 65535.',
      'Leave it out for 8787; 0 takes any free port.',
    )
  return port
}

/** Prints a line of the log: for a person where one looks at it, and as it is for a program. */
const print = (line: string) =>
  console.log(process.stdout.isTTY ? readableLine(line, new Date()) : line)

interface Served {
  url: string
  adapters: Health['adapters']
  storage: string
  given: Record<string, string>
  settings: Settings
  trial: string
  trialKey: string
}

function welcome({ url, adapters, storage, given, settings, trial, trialKey }: Served) {
  const { scheduling, payments } = adapters
  const localhost = underName(url)
  const allMock = scheduling === 'mock' && payments === 'mock'
  const names = Object.keys(given)
  const isOpenMock = allMock && settings.allowAnonymous
  const key = settings.allowAnonymous ? '' : "-H 'Authorization: Bearer YOUR_API_KEY' "
  const agent = `claude mcp add --transport http consult ${url}/mcp`
  const withTools = `With more tools   ${agent} --header "Authorization: Bearer ${trialKey}"\n`
  const ownersConsole = `Owner's console   ${localhost}/owner/trial?token=${trial}   (works once)\n`
  const notes = [
    ...(names.length > 0 ? [`Settings from the environment: ${names.join(', ')}.`] : []),
    ...misspelt(Object.keys(process.env)),
    ...(settings.MOCK_FAULTS.length === 0 ? [] : [`Mock faults: ${given['MOCK_FAULTS']}`]),
    ...(settings.allowAnonymous ? [] : ['Callers need an API key; see docs/operate/access.md.']),
  ]
  return `
The consult connector is running on ${url}
  scheduling: ${scheduling}, payments: ${payments}${allMock ? ' (no real bookings or payments)' : ''}
  storage: ${shortPath(storage)}
${notes.map((note) => `  ${note}\n`).join('')}
A first call      curl ${key}${url}/v1/availability
For an agent      ${agent}
${isOpenMock ? withTools : ''}For a browser     ${url}/
${isOpenMock ? ownersConsole : ''}To use a passkey  npm run enrol -- --url ${localhost}
${allMock ? `A guided tour     npm run demo -- --target own --url ${url}\n` : ''}
Stop with Ctrl+C. One line per request follows.
`
}

/** A setting with a letter too many or too few counts as left out, which no one would see. */
const misspelt = (names: string[]) =>
  names
    .filter((name) => name.includes('_') && !isSetting(name))
    .flatMap((name) =>
      SETTING_NAMES.filter((one) => distance(name, one) <= 2).map(
        (one) => `${name} is no setting: did you mean ${one}?`,
      ),
    )

/** A path within this folder as a relative one; any other path as it is. */
function shortPath(path: string) {
  const short = relative('.', path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short
}

const isPortInUse = (thrown: unknown) =>
  thrown instanceof Error &&
  /ADDRESS_IN_USE|EADDRINUSE/.test(`${String(Reflect.get(thrown, 'code'))} ${thrown.message}`)

const portInUse = (port: number) =>
  new CliError(
    `Port ${port} is in use.`,
    `Stop what uses it, or choose another: PORT=${port === 65_535 ? 0 : port + 1} npm start`,
  )

/**
 * A secret of this folder, which is made once: previews and the hosts that were given the key
 * survive a restart.
 */
function localSecret(folder: string, name: string, make: () => string) {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true })
    // A disk that was full leaves an empty file.
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    if (kept !== '') return kept
    writeFileSync(file, make(), { mode: 0o600 })
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    throw new CliError(
      `The storage ${folder} cannot be used (${code}).`,
      'Name a folder that you may write: STORAGE_DIR=… npm start',
    )
  }
}

/** Raises `CliError` if another connector uses this folder; a note that a crash left does not count. */
async function refuseSharedStorage(note: string) {
  const url = existsSync(note) ? readFileSync(note, 'utf8') : ''
  if (!URL.canParse(url)) return
  const signal = AbortSignal.timeout(SECOND)
  const response = await fetch(new URL('/health', url), { signal }).catch(() => undefined)
  if (!response?.ok) return
  throw new CliError(
    `A connector is already running on ${url} with the same storage.`,
    'Use that one, or stop it first, or give this one a folder of its own: ' +
      'STORAGE_DIR=.wrangler/state/second PORT=0 npm start',
  )
}

await runCommand(USAGE, async () => {
  const { watch } = parseArgs({ options: { watch: { type: 'boolean' } } }).values
  if (process.env['npm_lifecycle_event'] === (watch ? 'dev' : 'start')) endWithNpm()
  await serve({ isWatched: watch === true })
})
// A connector that started in part would keep this process.
if (process.exitCode !== undefined) process.exit()
