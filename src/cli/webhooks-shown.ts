import type * as z from 'zod'

import { MOST_COUNTED, type DeliveryResult } from '../core/domain/events/webhook-schedule.ts'
import { capitalised } from '../core/domain/name.ts'
import { nounFor } from '../core/domain/plural.ts'
import type { webhookSchema, webhookTestSchema } from '../practice/operations/webhooks.ts'

/** A webhook in the answer of `GET /v1/webhooks`. */
export type WebhookShown = z.infer<typeof webhookSchema>
export type TestShown = z.infer<typeof webhookTestSchema>

/** The command line with these words after `npm run webhooks --`. */
type NextCommand = (words: string) => string

/** The result of a delivery in words, and what to do about a failure. */
const RESULTS: Record<DeliveryResult, { says: string; fix?: string }> = {
  ok: { says: 'the receiver accepted it' },
  http_3xx: {
    says: 'the receiver answered with a redirect, which is not followed',
    fix: 'Add the address that it leads to.',
  },
  http_4xx: {
    says: 'the receiver refused it (4xx)',
    fix: 'Check that the address is complete, and that the workflow is on: n8n answers 404 until it is.',
  },
  http_5xx: { says: 'the receiver failed (5xx)', fix: 'Its own log says why.' },
  timeout: {
    says: 'the receiver did not answer within 15 seconds',
    fix: 'Let it answer first and work afterwards.',
  },
  connection: {
    says: 'the receiver could not be reached',
    fix: 'Check that the name of its host is right, that it runs, and that its certificate is valid.',
  },
  gone: {
    says: 'the receiver answered 410: this address is switched off for good',
    fix: 'Make a new address in the tool, and add that.',
  },
  secret_lost: {
    says:
      'nothing was sent: its secret cannot be opened, since a signing secret of the ' +
      'connector was removed',
  },
}

/** A few lines about a webhook: its receiver, events, caller and progress, and what to do about a failure. */
export function webhookLines(webhook: WebhookShown, command: NextCommand): string {
  const { webhook_id, host, state, events, caller, created_at } = webhook
  return [
    `${webhook_id}  ${host}  ${state}`,
    events.join(', '),
    `of ${caller}, since ${created_at}`,
    ...progress(webhook, command),
  ].join('\n  ')
}

function progress(webhook: WebhookShown, command: NextCommand): string[] {
  const { webhook_id, state, last_ok_at, first_failed_at, last_result, waiting, skipped } = webhook
  const arrived =
    last_ok_at === null
      ? 'no event has arrived yet (a test is not counted)'
      : `last arrived ${last_ok_at}`
  const given = skipped === 0 ? '' : `; ${eventCount(skipped)} skipped`
  const known = `${arrived}; ${waitingWords(waiting)}${given}`
  const why = last_result === null || last_result === 'ok' ? '' : `: ${RESULTS[last_result].says}`
  switch (state) {
    case 'active':
      return first_failed_at === null
        ? [known]
        : [known, `failing since ${first_failed_at}${why}; it is tried again for three days`]
    case 'paused': {
      const resume = command(`resume ${webhook_id}`)
      const repaired =
        last_result === 'secret_lost'
          ? `${command(`secret ${webhook_id}`)}, then ${resume}`
          : resume
      // The owner can pause one, too.
      const isFailing = first_failed_at !== null || last_result === 'secret_lost'
      return [
        known,
        `paused${isFailing ? `, and deliveries failed${why}` : ''}`,
        `to send the waiting events${isFailing ? ', once that is repaired' : ''}: ${repaired}`,
      ]
    }
    case 'ended':
      return [
        `ended${last_result === 'gone' ? why : ': the key that made it has ended'}; add it again`,
      ]
  }
}

/** How many events wait, in words. */
export const waitingWords = (waiting: number) =>
  waiting === 0 ? 'nothing waits' : `${eventCount(waiting)} ${waiting === 1 ? 'waits' : 'wait'}`

function eventCount(count: number) {
  const known = count < MOST_COUNTED ? count : `at least ${MOST_COUNTED.toLocaleString('en-US')}`
  return `${known} ${nounFor(count, 'event')}`
}

/** The result of a test in words. */
export function testLines(
  { webhook_id, result, duration_ms }: TestShown,
  command: NextCommand,
): string {
  const { says, fix } = RESULTS[result]
  const sentence = `${capitalised(says)}, after ${duration_ms} ms.`
  if (result === 'ok') return `${sentence} Look for webhook.test in the tool.`
  const what = fix ?? `Give it another one: ${command(`secret ${webhook_id}`)}`
  return `${sentence} ${what}\nThen try again: ${command(`test ${webhook_id}`)}`
}
