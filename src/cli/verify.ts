import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { RETENTION_DAYS } from '../core/domain/audit/leaf.ts'
import { CliError, UsageError, runCommand, textOf } from './command.ts'
import type { PackReport } from './verify/report.ts'
import { verifyPack } from './verify/verify.ts'

const USAGE = `npm run verify -- <pack.jsonl> [--key <vkey>] [--held <file>]… [--retention-days <days>] [--csv <file>]
Checks a pack of the audit log, offline. The exit code is 0 if nothing is wrong, and 1 otherwise.
  --key   the key of the log, as you got it by another way than the pack
  --held  a checkpoint or receipt that you kept: the pack must agree with it
  --retention-days  for how many days the log has to keep its entries: ${RETENTION_DAYS}, six years, unless you agreed on another number
  --csv   writes the changes that were made to a new file, to compare them with the providers`

const MARKS = { good: '✓', bad: '✗', remark: '·' }

/** Reads the files that the command line names, and checks the pack. */
export async function reportFor(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      held: { type: 'string', multiple: true },
      'retention-days': { type: 'string', default: String(RETENTION_DAYS) },
      csv: { type: 'string' },
    },
  })
  const { key, held = [], csv, 'retention-days': days } = values
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('Name one file, a pack.')
  if (!/^[1-9]\d{0,4}$/.test(days))
    throw new UsageError('--retention-days is a whole number of days, 1 or more.')
  const kept = await Promise.all(
    held.map(async (one) => ({ name: basename(one), text: textOf(await contentOf(one)) })),
  )
  const report = await verifyPack(await contentOf(path), {
    key,
    held: kept,
    retentionDays: Number(days),
  })
  return { report, csv }
}

const contentOf = (path: string): Promise<Buffer> =>
  readFile(path).catch(() => {
    throw new CliError(`The file ${basename(path)} cannot be read. Check its name.`)
  })

/** A report as text; the last lines say what it does not prove. */
export function reportText({
  about,
  headline,
  findings,
  counts,
  notProved,
  isGood,
}: PackReport): string {
  const lines = [
    about,
    '',
    ...findings.map(({ verdict, check, text }) => `${MARKS[verdict]} ${check.padEnd(10)} ${text}`),
    ...counts.flatMap(({ title, rows }) => [
      '',
      title,
      ...rows.map(([name, times]) => `${String(times).padStart(8)}  ${name}`),
    ]),
    '',
    isGood ? `${headline}.` : `${headline.toUpperCase()}: see each line that begins with ✗.`,
    '',
    'What this does not prove:',
    ...notProved.map((one) => `- ${one}`),
  ]
  // A pack comes from others: its text must not control the terminal.
  return lines.map((line) => line.replaceAll(/\p{Cc}/gu, '?')).join('\n')
}

const notWritten = (path: string) => (thrown: NodeJS.ErrnoException) => {
  throw new CliError(
    `${basename(path)} cannot be written (${thrown.code}).`,
    'Name a new file, in a folder that is there.',
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runCommand(USAGE, async () => {
    const { report, csv } = await reportFor(process.argv.slice(2))
    console.log(reportText(report))
    if (csv !== undefined) await writeFile(csv, report.csv, { flag: 'wx' }).catch(notWritten(csv))
    if (!report.isGood) process.exitCode = 1
  })
