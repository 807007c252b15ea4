import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

import { isLoopback } from '../core/domain/origin.ts'
import { Problem } from '../core/domain/problem/problem.ts'
import { credential } from '../core/settings-schema.ts'
import { type Settings, isSecret, isSetting, settingNotes, settingsFrom } from '../core/settings.ts'
import { CliError, firstRepeated, textOf } from './command.ts'

/** Holds the settings of a deployment, and its secrets until Cloudflare has them; git ignores it. */
export const SETTINGS_FILE = '.deploy.env'

/** Besides settings, the file names the Worker that they are for, and the bucket of its nightly backups. */
const TARGET_NAMES = ['WORKER_NAME', 'CLOUDFLARE_ACCOUNT_ID', 'BACKUP_BUCKET'] as const

const isTarget = (name: string): name is (typeof TARGET_NAMES)[number] =>
  TARGET_NAMES.some((one) => one === name)

/** In place of a bucket: the owner wants no nightly backups. Too short for a name. */
export const NO_BUCKET = 'no'

/** Settings for a local trial, and those that the deploy command makes itself. */
const NOT_DEPLOYED = [
  'ALLOW_ANONYMOUS',
  'TRIAL_LINK_SHA256',
  'TRIAL_KEY_SHA256',
  'MOCK_FAULTS',
  'SCHEDULING_PROVIDER_BASE_URL',
  'PAYMENT_PROVIDER_BASE_URL',
  'OWNER_KEY_SHA256',
  'OWNER_ENROLMENT_SHA256',
]

const HEADER = `# Settings of the deployed connector, for npm run deploy. Written by npm run setup; git ignores this file.
# It holds a secret only until Cloudflare has it.
`

/**
 * The address in this variable, which tests set to a fake on this machine; undefined without one.
 * Raises `CliError` for an address elsewhere, which would get tokens.
 */
export function addressOnThisMachine(
  environment: Record<string, string | undefined>,
  name: string,
): string | undefined {
  const given = environment[name]
  if (!given || isLoopback(given)) return given || undefined
  throw new CliError(`${name} names an address that is not on this machine.`, `Unset ${name}.`)
}

/**
 * The token in this variable; undefined without one. Raises `CliError` for what no header can carry:
 * the error of a request would show it.
 */
export function tokenIn(
  environment: Record<string, string | undefined>,
  name: string,
): string | undefined {
  const token = environment[name]?.trim()
  if (!token || credential.safeParse(token).success) return token || undefined
  throw new CliError(
    `${name} holds a blank or another sign that no token has; nothing was sent.`,
    'Copy it again, in one piece.',
  )
}

interface GivenSettings {
  vars: Record<string, string>
  secrets: Record<string, string>
  target: Partial<Record<(typeof TARGET_NAMES)[number], string>>
}

/**
 * The values of NAME=value lines. `parseEnv` would take the next line where only a blank follows the
 * sign, and join it where a carriage return alone ends a line.
 */
export const linesIn = (text: string) =>
  parseEnv(text.replaceAll(/\r(?!\r*\n)/g, '\n').replaceAll(/=[ \t]+$/gm, '='))

const NAME = String.raw`^[ \t]*(?:export[ \t]+)?(?<name>[A-Z][A-Z_\d]+)[ \t]*`
const QUOTED = '(?<mark>[\'"`])(?<quoted>[^]*?)\\k<mark>(?<behind>.*)'
/**
 * A setting as `parseEnv` reads it. A quoted value may have several lines, and something behind it;
 * every other value is bare. There is none without an equals sign.
 */
const SETTING = new RegExp(
  `${NAME}(?:(?<equals>=)[ \\t]*(?:${QUOTED}|(?<bare>.*))|(?=[:\\s]|$))`,
  'gm',
)

/** Whether a quotation mark is closed nowhere, or only by the mark of a later setting. */
const isUnclosed = (bare: string, quoted: string) =>
  /^['"`]/.test(bare) || new RegExp(`${NAME}=`, 'm').test(quoted.replace(/.*/, ''))

/** Whether a # in the value would begin a comment, or something behind a quoted value would be lost. */
const isCut = (bare: string, behind: string) =>
  /^[^#]*(?:[^\s#]#|#\d)/.test(bare) || /^[ \t]*[^\s#]/.test(behind)

/** Parses the file. An empty var stays, since it unsets one; an empty secret does not. Raises `CliError`. */
export function sortedSettings(text: string): GivenSettings {
  const given: GivenSettings = { vars: {}, secrets: {}, target: {} }
  const values = linesIn(text)
  const names: string[] = []
  for (const { groups = {} } of text.matchAll(SETTING)) {
    const { name = '', equals, quoted = '', bare = '', behind = '' } = groups
    if (equals) names.push(name)
    // It is read as nothing, and the setting would seem to be left out.
    else if ((isSetting(name) || isTarget(name)) && !(name in values))
      throw new CliError(
        `The line of ${name} in ${SETTINGS_FILE} has no equals sign after the name.`,
        `Write it as ${name}=…`,
      )
    if (isUnclosed(bare, quoted))
      throw new CliError(
        `The value of ${name} in ${SETTINGS_FILE} begins with a quotation mark that is not closed.`,
        'Put the same mark at the end of the value.',
      )
    if (isCut(bare, behind))
      throw new CliError(
        `The value of ${name} in ${SETTINGS_FILE} would end at a quotation mark or a # inside it.`,
        'Put the whole of it between quotation marks that it does not hold.',
      )
  }
  const twice = firstRepeated(names)
  if (twice !== undefined)
    throw new CliError(
      `${SETTINGS_FILE} has ${twice} twice, and only the last would count.`,
      `Delete one of the lines of ${twice}.`,
    )
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = value === undefined || value === ''
    if (isTarget(name)) {
      if (!isEmpty) given.target[name] = value
    } else if (NOT_DEPLOYED.includes(name))
      throw new CliError(
        `${SETTINGS_FILE} holds ${name}, which is not for a deployed connector.`,
        `Delete the line ${name} from ${SETTINGS_FILE}.`,
      )
    else if (isSecret(name)) {
      if (!isEmpty) given.secrets[name] = value
    } else if (isSetting(name)) given.vars[name] = value ?? ''
    else
      throw new CliError(
        `${SETTINGS_FILE} holds ${name}, which is no setting.`,
        `Correct or delete that line; docs/reference/settings.md lists the settings.`,
      )
  }
  return given
}

/** A setting with the end of its line. */
const WHOLE_SETTING = new RegExp(`(?:${SETTING.source})\\r?\\n?`, 'gm')

/** The text of the file with these settings changed; undefined removes one. All other lines stay. */
export function withSettings(text: string, changes: Record<string, string | undefined>): string {
  let whole = (text === '' ? HEADER : text).replace(/[^\n]$/, '$&\n')
  for (const [name, value] of Object.entries(changes)) {
    let line = value === undefined ? '' : `${name}=${quoted(name, value)}\n`
    whole = whole.replaceAll(WHOLE_SETTING, (found, ...parts) => {
      const { name: one, equals } = parts.at(-1) as Record<string, string | undefined>
      if (one !== name || equals === undefined) return found
      const put = line
      line = ''
      return put
    })
    whole += line
  }
  return whole
}

function quoted(name: string, value: string) {
  // Between double quotes, a backslash and an n would be read as a line break.
  const marks = value.includes('\\n') ? ["'", '`'] : ["'", '"', '`']
  const mark = marks.find((one) => !value.includes(one))
  if (mark === undefined)
    throw new CliError(
      `The value of ${name} cannot be written to a file.`,
      'Leave out the kinds of quotation marks that it can do without.',
    )
  return /^[\w./:@+-]*$/.test(value) ? value : `${mark}${value}${mark}`
}

/** The file in a folder; a missing file counts as empty. */
export function settingsFileIn(folder: string) {
  const path = join(folder, SETTINGS_FILE)
  const text = () => {
    const found = existsSync(path) ? textOf(readFileSync(path)) : ''
    if (!/[\0\uFFFD]/.test(found)) return found
    // Read as it is, it would name no Worker, and another one would be made.
    throw new CliError(
      `${SETTINGS_FILE} is damaged: it holds signs that no text has.`,
      'Bring it back from a copy. Without one delete it, and run npm run setup again.',
    )
  }
  return {
    exists: () => existsSync(path),
    read: () => sortedSettings(text()),
    /** Changes the file in one step, readable by its owner only. */
    write(changes: Record<string, string | undefined>) {
      const before = text()
      if (Object.entries(changes).every(([name, value]) => linesIn(before)[name] === value)) return
      writeFileSync(`${path}.new`, withSettings(before, changes), { mode: 0o600 })
      renameSync(`${path}.new`, path)
      chmodSync(path, 0o600)
    },
  }
}

/** What names the Worker of the file to wrangler, which does not read it: ` --name …`, or nothing. */
export const ofWorker = ({ target: { WORKER_NAME } }: Pick<GivenSettings, 'target'>) =>
  WORKER_NAME === undefined ? '' : ` --name ${WORKER_NAME}`

/** The settings in an environment; an empty one counts as missing. */
export const settingsOf = (
  environment: Record<string, string | undefined>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      isSetting(name) && value ? [[name, value]] : [],
    ),
  )

/** Validates settings before the first request would. Raises `CliError`, with this `nextStep`. */
export function validSettings(
  vars: Record<string, string | undefined>,
  nextStep?: string,
): Settings {
  try {
    return settingsFrom(vars)
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    throw new CliError(
      invalidSettings(thrown.refusal.detail ?? 'A setting is not valid.'),
      nextStep,
    )
  }
}

function invalidSettings(detail: string) {
  const named = new Set(detail.match(/\b[A-Z_\d]{4,}\b/g))
  const notes = settingNotes().filter(({ name }) => named.has(name))
  if (notes.length === 0) return detail
  const width = Math.max(...notes.map(({ name }) => name.length))
  return [
    'Not valid:',
    ...notes.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`),
  ].join('\n')
}
