import { styleText } from 'node:util'

import type { LogLine } from '../core/domain/log-line.ts'
import { jsonIn } from '../core/json.ts'

/** A line of the connector's log for a person at a terminal; any other line stays as it is. */
export function readableLine(line: string, at: Date): string {
  const entry = jsonIn(line) as Entry | undefined
  const time = styleText('dim', at.toTimeString().slice(0, 8))
  const known = entry && eventIn(entry)
  if (known) {
    const [colour, words, ...more] = known
    return [time, styleText(colour, words), ...more].join('  ')
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

/** What is printed of a line that is not about an answer: a colour and words, and what follows them. */
function eventIn(entry: Entry): [Colour, string, ...(string | undefined)[]] | undefined {
  const { event, operation, operation_id, code, provider, caller, webhook_id, request_id } = entry
  switch (event) {
    case 'needs_attention':
      return ['red', 'needs attention', operation, operation_id, '(npm run resolve)']
    case 'check':
      return ['dim', 'self-check', code]
    case 'degraded':
      return ['red', 'degraded', '(npm run doctor)']
    case 'backup_failed':
      return ['red', 'no backup was made', '(npm run doctor)']
    case 'provider_webhook_broken':
      return ['red', 'provider webhook broken', provider, '(npm run doctor)']
    case 'webhook_paused':
      return ['yellow', 'webhook paused', caller, webhook_id, '(npm run webhooks)']
    case 'recovered':
      return ['green', 'recovered']
    case 'rate_limiter_failed':
      return ['yellow', 'calls could not be counted', request_id]
    case 'audit_failed':
      return ['yellow', 'an audit entry was lost', request_id]
    default:
      return undefined
  }
}

function colourOf(status: number): Colour {
  if (status < 400) return 'green'
  return status < 500 ? 'yellow' : 'red'
}
