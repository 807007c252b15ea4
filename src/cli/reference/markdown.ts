/** Marks what a reader must not change. */
export const GENERATED = '<!-- Made by `npm run docs`. Do not edit. -->'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A table in Markdown; nothing where there are no rows. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return ''
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

export const code = (text: string) => `\`${text}\``

/** A page: its parts apart by blank lines, those that are empty left out. */
export const markdownPage = (...parts: readonly string[]) =>
  `${parts.filter((part) => part !== '').join('\n\n')}\n`
