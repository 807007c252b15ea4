import { styleText } from 'node:util'

import type { LogLine } from '../core/domain/log-line.ts'
import { jsonIn } from '../core/json.ts'

/** A line of the connector's log for a person at a terminal; any other line stays as it is. */
export function readableLine(line: string, at: Date): string {
  const entry = jsonIn(line) as Entry | undefined
  const time = styleText('dim', at.toTimeString().slice(0, 8))
  const known = entry && EVENTS[entry.event ?? '']
  if (known) {
    const [colour, words, facts, ...hint] = known
    return [time, styleText(colour, words), ...facts.map((one) => entry[one]), ...hint].join('  ')
  }
  if (entry?.status === undefined) return line
  const { status, operation = '', code = '', duration_ms, mode, caller, request_id } = entry
  return [
    time,
    styleText(colourOf(status), String(status)),
    operation.padEnd(21),
    code.padEnd(26),
    `${duration_ms} ms`.padStart(8),
    styleText('dim', [mode, caller, request_id].filter(Boolean).join('  ')),
  ].join('  ')
}

type Entry = Partial<LogLine> & {
  event?: string
  operation_id?: string
  provider?: string
  webhook_id?: string
}

type Colour = 'dim' | 'green' | 'yellow' | 'red'

/**
 * What is printed of a line that is not about an answer: in which colour, in which words, its
 * facts, and a hint.
 */
const EVENTS: Readonly<
  Record<string, readonly [Colour, string, facts: readonly (keyof Entry)[], hint?: string]>
> = {
  needs_attention: ['red', 'needs attention', ['operation', 'operation_id'], '(npm run resolve)'],
  check: ['dim', 'self-check', ['code']],
  degraded: ['red', 'degraded', [], '(npm run doctor)'],
  backup_failed: ['red', 'no backup was made', [], '(npm run doctor)'],
  provider_webhook_broken: ['red', 'provider webhook broken', ['provider'], '(npm run doctor)'],
  webhook_paused: ['yellow', 'webhook paused', ['caller', 'webhook_id'], '(npm run webhooks)'],
  recovered: ['green', 'recovered', []],
  rate_limiter_failed: ['yellow', 'calls could not be counted', ['request_id']],
  audit_failed: ['yellow', 'an audit entry was lost', ['request_id']],
}

function colourOf(status: number): Colour {
  if (status < 400) return 'green'
  return status < 500 ? 'yellow' : 'red'
}
