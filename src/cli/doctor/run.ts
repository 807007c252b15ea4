import { readFile } from 'node:fs/promises'

import { DAY } from '../../core/domain/time/duration.ts'
import { type Finding, runChecks } from '../../owner/health/check-runner.ts'
import { signedIn } from '../admin-client.ts'
import { KEY_FILE, compareWith, readBackupKey } from '../backup/key.ts'
import { cliErrorOf, painterFor, wrapped } from '../command.ts'
import { PROBES, type Probe } from './probes.ts'

/** After so long the doctor asks for a drill again. */
const DRILL_EVERY = 190 * DAY

export type Report = Awaited<ReturnType<typeof runDoctor>>

/** Probes a connector from outside, and reads its own checks if the key allows that. */
export async function runDoctor(probe: Probe) {
  const probed = await runChecks(PROBES, probe)
  const answers = probed.some(({ id, state }) => id === 'address' && state === 'ok')
  const own = answers ? await selfCheckOf(probe) : [notChecked('It does not answer.')]
  const findings = [...probed, ...own, ...(await backupFindings(probe))]
  return { url: probe.origin, ok: findings.every(({ state }) => state !== 'failed'), findings }
}

/**
 * Whether this machine's key opens the backups of this connector, and when that was last tried;
 * nothing where it has none.
 */
async function backupFindings(probe: Probe): Promise<Finding[]> {
  const text = await readFile(KEY_FILE, 'utf8').catch(() => undefined)
  if (text === undefined) return []
  const last = [...text.matchAll(/^# drill: (\S+)$/gm)].at(-1)?.[1]
  const isDone = last !== undefined && Date.now() - Date.parse(last) < DRILL_EVERY
  const about = { id: 'drill', what: 'Drill of a restore' }
  const found =
    last === undefined ? 'None was done yet.' : `The last one was on ${last.slice(0, 10)}.`
  const fix = 'Check that your newest backup can be restored: npm run restore -- --drill'
  const drill: Finding = isDone
    ? { ...about, state: 'ok', found }
    : { ...about, state: 'missing', found, fix }
  return [await keyFinding(probe), drill]
}

const COMPARED = {
  reaches: { state: 'ok', says: 'Your key opens its backups' },
  broken: { state: 'failed', says: 'Backups made now could not be restored with your key' },
  another: { state: 'not_checked', says: 'Your key is for another connector' },
  none: { state: 'not_checked', says: 'Your key names no log, so a restore asks you to compare' },
} as const

async function keyFinding(probe: Probe): Promise<Finding> {
  const about = { id: 'backup_key', what: 'Key of the backups' }
  try {
    const key = await readBackupKey(KEY_FILE)
    const get = async (path: string) => (await probe.ask(path)).text
    const compared = await compareWith(key, get)
    if (!compared) return { ...about, state: 'not_checked', found: 'It does not say its log keys.' }
    const { state, says } = COMPARED[compared.is]
    const found = `${says}. The key of its log is ${compared.hash}.`
    const fix = 'Make a new key: npm run backup -- --new-key, then npm run deploy.'
    return { ...about, state, found, ...(state === 'failed' && { fix }) }
  } catch (thrown) {
    const { message, nextStep = '' } = cliErrorOf(thrown)
    return { ...about, state: 'failed', found: message, fix: nextStep }
  }
}

const notChecked = (found: string): Finding => ({
  id: 'self_check',
  what: 'Its own checks',
  state: 'not_checked',
  found,
})

type Answer = { findings?: Finding[]; detail?: string; next_step?: string }

async function selfCheckOf(probe: Probe): Promise<Finding[]> {
  const { status, json } = await probe.ask('/v1/doctor', { headers: signedIn(probe.key) })
  const { findings, detail, next_step } = (json ?? {}) as Answer
  if (findings?.every(({ what, state }) => what !== undefined && state !== undefined))
    return findings
  if (status === 401 || status === 403)
    return [notChecked('It needs a key with the scope admin in CONNECTOR_API_KEY.')]
  const found = detail ?? `It answers ${status}.`
  const fix = next_step ?? 'Look at the log with npx wrangler tail while this runs again.'
  return [{ ...notChecked(found), state: 'failed', fix }]
}

const SHOWN = {
  failed: { word: 'FAIL   ', colour: 'red' },
  missing: { word: 'missing', colour: 'yellow' },
} as const

/**
 * The report for a person: what needs the owner, each with what to do about it; then what was not
 * checked, and why; then how many are in order.
 */
export function reportTable({ url, findings }: Report, coloured: boolean, columns = 120): string {
  const styled = painterFor(coloured)
  const having = (state: Finding['state']) => findings.filter((one) => one.state === state)
  const needing = [...having('failed'), ...having('missing')]
  const width = Math.max(...needing.map(({ what }) => what.length))
  const room = Math.max(columns - width - 13, 40)

  const row = ({ state, what, found, fix }: Finding): string[] => {
    const { word, colour } = SHOWN[state as keyof typeof SHOWN]
    const fixLines = fix === undefined ? [] : wrapped(`→ ${fix}`, room)
    const [first = '', ...rest] = [
      ...wrapped(found, room),
      ...fixLines.map((line) => styled('yellow', line)),
    ]
    return [
      `  ${styled(colour, word)}  ${what.padEnd(width)}  ${first}`,
      ...rest.map((line) => `${' '.repeat(width + 13)}${line}`),
    ]
  }

  const left = [...Map.groupBy(having('not_checked'), ({ found }) => found)].flatMap(
    ([found, all]) =>
      wrapped(`Not checked: ${all.map(({ what }) => what).join(', ')}. ${found}`, columns),
  )
  const good = having('ok')
  const shown = good.filter(({ id }) => SHOWN_WHEN_GOOD.includes(id))
  const need = needing.length === 1 ? '1 needs you' : `${needing.length} need you`
  return [
    `Consult connector at ${url}`,
    ...shown.map(({ what, found }) => `${what}: ${found}`),
    '',
    ...(needing.length > 0 ? [styled('bold', 'Needs you'), ...needing.flatMap(row), ''] : []),
    ...left.map((line) => styled('dim', line)),
    `${needing.length === 0 ? 'Nothing needs you' : need}; ${good.length} of ${findings.length} are in order.`,
  ].join('\n')
}

/** Rows that say something where they are in order, too: what it is, and the key to compare. */
const SHOWN_WHEN_GOOD: readonly string[] = ['address', 'agents', 'pause', 'backup_key']
