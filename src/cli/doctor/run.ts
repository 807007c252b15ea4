import { readFile } from 'node:fs/promises'

import { DAY } from '../../core/domain/time/duration.ts'
import {
  type Check,
  Failed,
  type Finding,
  Missing,
  NotChecked,
  runChecks,
} from '../../owner/health/check-runner.ts'
import { signedIn } from '../admin-client.ts'
import { KEY_FILE, compareWith, readBackupKey } from '../backup/key.ts'
import { cliErrorOf, painterFor, textOf, wrapped } from '../command.ts'
import { PROBES, type Probe } from './probes.ts'

/** After so long the doctor asks for a drill again. */
const DRILL_EVERY = 190 * DAY

export type Report = Awaited<ReturnType<typeof runDoctor>>

/** Probes a connector from outside, and reads its own checks if the key allows that. */
export async function runDoctor(probe: Probe) {
  const keyFile = await readFile(KEY_FILE).then(textOf, () => undefined)
  const own: Finding[] = []
  const ofBackups = keyFile === undefined ? [] : [KEY_CHECK, drillCheck(keyFile)]
  const made = await runChecks([...PROBES, selfCheck(own), ...ofBackups], probe)
  const findings = made.flatMap((one) => (one.id === SELF_CHECK && own.length > 0 ? own : one))
  return { url: probe.origin, ok: findings.every(({ state }) => state !== 'failed'), findings }
}

const SELF_CHECK = 'self_check'
type Answer = { findings?: Finding[]; detail?: string; next_step?: string }

/** The check that asks the connector for its own checks, and puts them into `own`. */
const selfCheck = (own: Finding[]): Check<Probe> => ({
  id: SELF_CHECK,
  what: 'Its own checks',
  fix: 'Look at the log with npx wrangler tail while this runs again.',
  needs: ['address'],
  async run({ ask, key }) {
    const { status, json } = await ask('/v1/doctor', { headers: signedIn(key) })
    const { findings, detail, next_step } = (json ?? {}) as Answer
    if (!findings?.every(({ what, state }) => what !== undefined && state !== undefined)) {
      if (status === 401 || status === 403)
        throw new NotChecked('It needs a key with the scope admin in CONNECTOR_API_KEY.')
      throw new Failed(detail ?? `It answers ${status}.`, next_step)
    }
    own.push(...findings)
    return 'They are listed one by one.'
  },
})

const COMPARED = {
  reaches: { says: 'Your key opens its backups', Thrown: undefined },
  broken: { says: 'Backups made now could not be restored with your key', Thrown: Failed },
  another: { says: 'Your key is for another connector', Thrown: NotChecked },
  none: { says: 'Your key names no log, so a restore asks you to compare', Thrown: NotChecked },
} as const

/** Whether this machine's key opens the backups of this connector. */
const KEY_CHECK: Check<Probe> = {
  id: 'backup_key',
  what: 'Key of the backups',
  fix: 'Make a new key: npm run backup -- --new-key, then npm run deploy.',
  needs: ['address'],
  async run({ ask }) {
    const key = await readBackupKey(KEY_FILE).catch((thrown: unknown) => {
      const { message, nextStep } = cliErrorOf(thrown)
      throw new Failed(message, nextStep)
    })
    const get = async (path: string) => (await ask(path)).text
    // Where nothing was compared, no new key is asked for.
    const compared = await compareWith(key, get).catch(() => undefined)
    if (!compared) throw new NotChecked('It does not say its log keys.')
    const { says, Thrown } = COMPARED[compared.is]
    const found = `${says}. The key of its log is ${compared.hash}.`
    if (Thrown) throw new Thrown(found)
    return found
  },
}

/** When a restore was last tried, as the file of the key notes it. */
const drillCheck = (keyFile: string): Check<Probe> => ({
  id: 'drill',
  what: 'Drill of a restore',
  fix: 'Check that your newest backup can be restored: npm run restore -- --drill',
  async run() {
    const last = [...keyFile.matchAll(/^# drill: (\S+)\s*$/gm)].at(-1)?.[1]
    if (last === undefined) throw new Missing('None was done yet.')
    const found = `The last one was on ${last.slice(0, 10)}.`
    if (!(Date.now() - Date.parse(last) < DRILL_EVERY)) throw new Missing(found)
    return found
  },
})

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
