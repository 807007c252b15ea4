import { Problem } from '../core/domain/problem/problem.ts'
import { type Settings, isSetting, settingNotes, settingsFrom } from '../core/settings.ts'
import { CliError } from './command.ts'

/** The port in a setting; 8787 without one. Raises `CliError` for what is no port. */
export function portFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 8787
  const port = /^\d+$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65_535)
    throw new CliError('PORT must be a whole number from 0 to 65535; 0 takes any free port.')
  return port
}

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
export function validSettings(vars: Record<string, string>, nextStep?: string): Settings {
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

function invalidSettings(detail: string): string {
  const named = new Set(detail.match(/\b[A-Z_\d]{4,}\b/g))
  const notes = settingNotes().filter(({ name }) => named.has(name))
  if (notes.length === 0) return detail
  const width = Math.max(...notes.map(({ name }) => name.length))
  return [
    'Not valid:',
    ...notes.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`),
  ].join('\n')
}
