import { settingNotes } from '../../settings.ts'
import { GENERATED, code, markdownPage, markdownTable } from './markdown.ts'

/** Every setting: its purpose and its default. */
export const settingsPage = (): string =>
  markdownPage(
    '# Settings',
    GENERATED,
    `Vars and secrets of the Worker; locally they come from the environment. An empty value counts as missing. One that is not valid is named in the answer ${code('not_configured')}, without its value.`,
    markdownTable(
      ['setting', 'what it is for', 'default'],
      settingNotes().map(({ name, description, fallback }) => [code(name), description, shown(fallback)]),
    ),
  )

function shown(fallback: unknown): string {
  const isEmpty = fallback === undefined || fallback === '' || (Array.isArray(fallback) && !fallback.length)
  if (isEmpty) return 'none'
  return code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback))
}
