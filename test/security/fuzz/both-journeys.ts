import { randomUUID } from 'node:crypto'

import { startLocal } from '../../../src/cli/local.ts'
import { DAY } from '../../../src/core/domain/time/duration.ts'
import { submitIntakeAnswers } from '../../../src/practice/operations/submit-intake-answers.ts'
import { type Era, PAST_PLAIN_PATH, askMcp } from '../../support/agents.ts'

type Fields = Record<string, unknown>

/**
 * Takes so many whole journeys, each on the plain path at one connector and by the SDK at another.
 * Gives the answers that differ in more than ids and times.
 */
export async function compareJourneys(script: string, journeys: number): Promise<string[]> {
  // Without limits on the calls of a minute, which are the same for both paths.
  const vars = { ALLOW_ANONYMOUS: 'true', SIGNING_SECRET: SECRET }
  const start = () => startLocal({ script, vars, onLog: () => {} })
  const [plain, sdk] = await Promise.all([start(), start()])
  const different: string[] = []
  try {
    for (let number = 0; number < journeys; number++) {
      const era = number % 2 === 0 ? '2025-11-25' : '2026-07-28'
      const [own, reference] = await Promise.all([
        journey(sender(plain.url, era, {}), era, number),
        journey(sender(sdk.url, era, PAST_PLAIN_PATH), era, number),
      ])
      for (const [at, answer] of own.entries())
        if (answer !== reference[at])
          different.push(`journey ${number}\nplain: ${answer}\nSDK:   ${reference[at]}`)
    }
  } finally {
    await Promise.all([plain.stop(), sdk.stop()])
  }
  return different
}

const SECRET = 'a-secret-of-the-two-paths-0123456789'

type Send = (method: string, params?: Fields) => Promise<{ seen: string; result: Fields }>

function sender(url: string, era: Era, more: Record<string, string>): Send {
  return async (method, params) => {
    const { status, headers: given, text, message } = await askMcp(url, era, method, params, more)
    const answered = [...given].filter(([name]) => !CHANGING.includes(name))
    const seen = JSON.stringify([status, answered, text.replaceAll(new URL(url).host, 'HOST')])
    return { seen: alike(seen), result: message.result ?? {} }
  }
}

/** Headers that differ for each answer. */
const CHANGING = ['date', 'request-id', 'content-length']

/** A text without what differs for each call: its ids, tokens and times. */
const alike = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\b(?:ct|bk|cl|pl|in|op|intake)_[\w.-]+/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
    .replaceAll(/\d{1,2}:\d\d(?::\d\d)?/g, 'CLOCK')

/** From the first message of a client to a paid link, with a repeat and a refusal on the way. */
async function journey(send: Send, era: Era, number: number): Promise<string[]> {
  const seen: string[] = []
  const ask: Send = async (method, params) => {
    const answer = await send(method, params)
    seen.push(answer.seen)
    return answer
  }
  const call = async (name: string, given: Fields): Promise<Fields> => {
    const { result } = await ask('tools/call', { name, arguments: given })
    return (result['structuredContent'] ?? {}) as Fields
  }
  const change = async (name: string, given: Fields): Promise<Fields> => {
    const idempotency_key = randomUUID()
    const { confirmation_token } = await call(name, { ...given, idempotency_key })
    const commit = { ...given, idempotency_key, confirm: true, confirmation_token }
    const { result } = await call(name, commit)
    if (number % 3 === 0) await call(name, commit)
    return (result ?? {}) as Fields
  }

  if (era === '2026-07-28') await ask('server/discover')
  else await ask('initialize', BEGIN)
  await ask('tools/list')
  const from = new Date(Date.now() + (2 + (number % 20)) * DAY).toISOString()
  const { slots = [] } = await call('list_availability', { start_time: from, timezone: ZONE })
  const [first, second] = (slots as { start_time: string }[]).map(({ start_time }) => start_time)
  const guest = { timezone: ZONE, invitee_email: `guest${number}@guests.example` }
  const { booking_id } = await change('book_consult', { ...guest, start_time: first })
  const moved = await change('reschedule_booking', { booking_id, start_time: second })
  await call('cancel_booking', { booking_id, idempotency_key: randomUUID() })
  await change('cancel_booking', { booking_id: moved['booking_id'], reason: `reason ${number}` })
  const profile = { entity_type: 'llc', display_name: `Robin ${number}` }
  const { client_id } = await change('create_client_profile', {
    ...profile,
    contact_email: `client${number}@guests.example`,
  })
  await change('submit_intake_answers', { client_id, answers: ANSWERS })
  await change('create_payment_link', { invoice_id: 'in_mock_open' })
  await call('cancel_booking', { booking_id, idempotency_key: 'short', nonsense: 1 })
  return seen
}

const ZONE = 'Europe/Lisbon'
const ANSWERS = (submitIntakeAnswers.example.input as Fields)['answers']

const BEGIN = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'a journey', version: '1' },
}
