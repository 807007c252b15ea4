import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { reportFor, reportText } from '../../../../src/cli/verify.ts'

const PAGE = 'docs/audit-in-an-hour.md'
const page = readFileSync(PAGE, 'utf8')

/** Each command of the page, with the lines that the page says it prints. */
const runs = [
  ...page.matchAll(
    /```sh\nnpm run verify -- (.*)\n```\n(?:\n[^`\n]+\n)?(?:\n```text\n([^`]*)```)?/g,
  ),
].map(([, command = '', shown = '']): [string, string[]] => [
  command,
  shown.split('\n').filter((line) => line !== ''),
])

const argumentsIn = (command: string): string[] =>
  command.split(' ').map((one) => one.replaceAll("'", ''))

test('docs/audit-in-an-hour.md has a good pack, a spoiled one, and a rewritten one with and without a checkpoint', () => {
  expect(runs.map(([command, shown]) => [/\w+\.jsonl/.exec(command)?.[0], shown.length])).toEqual([
    ['pack.jsonl', 5],
    ['spoiled.jsonl', 2],
    ['rewritten.jsonl', 2],
    ['rewritten.jsonl', 2],
    ['pack.jsonl', 0],
  ])
})

test.each(runs)('verify says what docs/audit-in-an-hour.md shows: %s', async (command, shown) => {
  const { report } = await reportFor(argumentsIn(command))
  const lines = reportText(report).split('\n')
  const how = `Bring ${PAGE} up to date, or make its packs again: test/support/example-packs.ts.`
  expect(lines, how).toEqual(expect.arrayContaining(shown))
  // A line about something wrong must not be left out of the page.
  expect(lines.filter((line) => line.startsWith('✗'))).toEqual(
    shown.filter((line) => line.startsWith('✗')),
  )
})

test('the booking that docs/audit-in-an-hour.md names is the only one of the calendar that is not in the log', async () => {
  const { report } = await reportFor(['docs/examples/audit/pack.jsonl'])
  const booked = readFileSync('docs/examples/audit/calendar.csv', 'utf8').match(/bk_\w+/g) ?? []
  const missing = booked.filter((id) => !report.csv.includes(`"${id}"`))
  expect(missing).toEqual(['bk_mock_9'])
  expect(page).toContain('`bk_mock_9`')
})
