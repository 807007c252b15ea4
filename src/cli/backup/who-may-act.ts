import { stripVTControlCharacters } from 'node:util'

import { isOfTrial } from '../../core/domain/scopes.ts'
import { utcDay } from '../../core/domain/time/time.ts'
import type { BackupLine, Stays } from '../../core/ports/backup.ts'
import type { Prompts } from '../prompts.ts'

/** What acts for someone, as a backup has it. */
interface Actor {
  kind: 'key' | 'passkey' | 'webhook'
  id: string
  /** Who or what it is, in words. */
  text: string
  /** Since when, in epoch milliseconds. */
  since: number
  isAdmin?: true
}

/**
 * All who could act through a connector when its backup was made, and since when its log was signed
 * by which key.
 */
interface WhoMayAct {
  actors: Actor[]
  /** How many apps were in use; none comes back. */
  apps: number
  /** When each signing secret was first used, in epoch milliseconds. */
  secretsSince: number[]
}

export const noneMayAct = (): WhoMayAct => ({ actors: [], apps: 0, secretsSince: [] })

/** None of what is read here is bytes. */
type Row = Record<string, string | number | null>

/** Adds those who are in a line of a backup. */
export function whoIsIn(
  { object, tables }: Extract<BackupLine, { object: string }>,
  who: WhoMayAct,
) {
  for (const { t, c, rows } of tables) {
    const read = READ[`${object}.${t}`]
    if (!read) continue
    for (const row of rows)
      read(Object.fromEntries(c.map((column, nth) => [column, row[nth] as Row[string]])), who)
  }
}

const READ: Readonly<Record<string, (row: Row, who: WhoMayAct) => void>> = {
  'ACCESS.keys'(
    { id, name, scopes, created_at, expires_at, revoked_at, last_used_on },
    { actors },
  ) {
    const hasEnded = expires_at !== null && Number(expires_at) <= Date.now()
    if (revoked_at !== null || hasEnded) return
    const isAdmin = String(scopes).split(' ').includes('admin')
    const used = last_used_on === null ? 'never used' : `last used ${shown(last_used_on)}`
    actors.push({
      kind: 'key',
      id: String(id),
      text: `API key “${shown(name)}”${isAdmin ? ', may do everything (admin)' : ''}, ${used}`,
      since: Number(created_at),
      ...(isAdmin && { isAdmin }),
    })
  },
  'ACCESS.passkeys'({ id, role, name, created_at, last_used_on }, { actors }) {
    const whose =
      role === 'owner'
        ? `passkey of the owner${name === null ? '' : ` “${shown(name)}”`}`
        : `passkey of “${shown(name)}”, who approves`
    const used = last_used_on === null ? 'never used' : `last used ${shown(last_used_on)}`
    actors.push({
      kind: 'passkey',
      id: String(id),
      text: `${whose}, ${used}`,
      since: Number(created_at),
    })
  },
  'EVENT_LOG.webhooks'({ id, row }, { actors }) {
    const { host, state, created_at } = JSON.parse(String(row)) as Record<string, unknown>
    if (state === 'ended') return
    const text = `webhook to ${shown(host)}`
    actors.push({ kind: 'webhook', id: String(id), text, since: Number(created_at) })
  },
  'ACCESS.app_uses'({ grant_id }, who) {
    if (!isOfTrial(String(grant_id))) who.apps += 1
  },
  'AUDIT_LOG.entries'({ event, at }, { secretsSince }) {
    if (event === 'log_key') secretsSince.push(Number(at))
  },
}

/** A text of someone for a terminal. */
const shown = (value: unknown) =>
  stripVTControlCharacters(String(value)).replaceAll(/\p{Cc}|\p{Cf}/gu, '')

const ORDER = ['key', 'passkey', 'webhook'] as const

/** In the order of what they can do, keys with the scope `admin` first; the oldest first. */
const inOrder = (actors: readonly Actor[]): Actor[] =>
  actors.toSorted(
    (a, b) =>
      Number(b.isAdmin ?? false) - Number(a.isAdmin ?? false) ||
      ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
      a.since - b.since,
  )

/** The owner's first key is a setting, so it has no id. */
const FIRST_KEY = 'first_key'

const wordsOf = ({ text, since }: Actor) => `${text}, since ${utcDay(since)}`

/** What of a checked backup tells who may act. */
interface Backed {
  who: WhoMayAct
  secrets: Record<string, string>
  end: { made_at: string }
}

/** What is said of a backup before anyone is asked: who could act, and what ends. */
export function listOf({ who, secrets, end }: Backed): string {
  const actors = inOrder(who.actors).map((one) => `  - ${wordsOf(one)}`)
  const first =
    secrets['OWNER_KEY_SHA256'] === undefined ? [] : [`  - your first key, as of ${end.made_at}`]
  const since = who.secretsSince.map(utcDay).join(', ')
  const number = Object.keys(secrets).filter((name) => name !== 'OWNER_KEY_SHA256').length
  return [
    'Who could act when it was made:',
    ...first,
    ...(actors.length === 0 ? ['  - no one else'] : actors),
    `Signing secrets: ${number} (the log has had keys since ${since}). ` +
      'A secret that you have removed since then is valid again.',
    `Apps: ${who.apps === 0 ? 'none' : `${who.apps} in use. None is restored, so connect them again`}. ` +
      'Client links: all of them end.',
  ].join('\n')
}

/**
 * Asks who of a backup may act again. Who is not ticked is held until the owner lets them in from
 * the console.
 */
export async function askWhoStays(
  { who, secrets }: Pick<Backed, 'who' | 'secrets'>,
  prompts: Pick<Prompts, 'pick'>,
): Promise<{ stays: Stays; firstKeyStays: boolean }> {
  const actors = inOrder(who.actors)
  const hasFirst = secrets['OWNER_KEY_SHA256'] !== undefined
  const options = [
    ...(hasFirst
      ? [{ value: FIRST_KEY, label: 'your first key, which npm run deploy printed' }]
      : []),
    ...actors.map((one) => ({ value: `${one.kind}:${one.id}`, label: wordsOf(one) })),
  ]
  const picked = options.length === 0 ? [] : await prompts.pick(WHO_STAYS, options)
  const those = (kind: Actor['kind']) =>
    actors.flatMap((one) =>
      one.kind === kind && picked.includes(`${kind}:${one.id}`) ? one.id : [],
    )
  return {
    stays: { keys: those('key'), passkeys: those('passkey'), webhooks: those('webhook') },
    firstKeyStays: picked.includes(FIRST_KEY),
  }
}

const WHO_STAYS =
  'Which of them may act again? Leave out those that you removed since, and those that you ' +
  'do not recognize. They are held, and you can let them in later.'
