import { createHash, randomBytes } from 'node:crypto'

import { HOUR, SECOND } from '../../core/domain/time/duration.ts'
import { isFields, jsonIn } from '../../core/json.ts'
import { NOBODY, type RestoreLine, type Restored } from '../../core/ports/backup.ts'
import { CliError } from '../command.ts'
import type { CheckedBackup } from './file.ts'

/** How long a restore may take before its token ends. */
const LIFETIME = 6 * HOUR
export const AGAIN = 'Run the same command again: it goes on where it broke off.'

/** A new address may take a few minutes to answer. */
const MOST_TRIES = 24

/** The token of one restore of one backup, and the hash by which the connector knows it. */
export function newRestoreToken({ end }: CheckedBackup): { token: string; hash: string } {
  const ends = Math.floor((Date.now() + LIFETIME) / SECOND)
  const token = `rst_${ends}_${randomBytes(32).toString('base64url')}.${end.sha256}`
  return { token, hash: createHash('sha256').update(token).digest('hex') }
}

/**
 * Fills an empty connector with a backup, and finishes; who is not named in `stays` is held. Can be
 * repeated. How many rows each table had before the finish.
 */
export async function fillConnector(
  base: string,
  token: string,
  { lines }: CheckedBackup,
  stays = NOBODY,
) {
  const send = async (text: string): Promise<Restored> => {
    const answer = await answerTo(base, token, text)
    if (answer.refused !== undefined) throw new CliError(answer.refused)
    return answer
  }
  const [head, ...turns] = lines
  await sendAll(head!, send)
  await send(JSON.stringify({ stays } satisfies RestoreLine))
  let last: Restored[] = []
  for (const turn of turns) last = await sendAll(turn, send)
  return last.at(-1)?.rows ?? {}
}

/** How many lines are on their way at once. */
const IN_FLIGHT = 4

/** Sends lines that may arrive in any order. After a failure no other one begins. */
async function sendAll(
  lines: readonly string[],
  send: (text: string) => Promise<Restored>,
): Promise<Restored[]> {
  const answers: Restored[] = []
  // A loop that throws ends the generator, and with it the loops of the others.
  const waiting = each(lines)
  const sendNext = async () => {
    for (const text of waiting) answers.push(await send(text))
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendNext))
  return answers
}

function* each<T>(all: readonly T[]): Generator<T> {
  yield* all
}

async function answerTo(base: string, token: string, body: string): Promise<Restored> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  for (let tries = 1; ; tries++) {
    const asked = fetch(new URL('/v1/restore', base), { method: 'POST', headers, body })
    const answer = await asked.catch(() => undefined)
    const restored = answer?.ok ? jsonIn(await answer.text().catch(() => '')) : undefined
    if (isFields(restored)) return restored as Restored
    if (tries === MOST_TRIES) {
      const what = answer ? `answers ${answer.status}` : 'does not answer'
      const how = answer?.ok ? ', but not as a connector does' : ''
      throw new CliError(`The connector ${what}${how}, and the restore has stopped.`, AGAIN)
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(tries, 10) * SECOND))
  }
}
