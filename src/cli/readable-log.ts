import { styleText } from 'node:util'

import type { LogLine } from '../core/domain/log-line.ts'
import { jsonIn } from './command.ts'

/** A line of the connector's log for a person at a terminal; any other line stays as it is. */
export function readableLine(line: string, at: Date): string {
  const entry = jsonIn(line) as Entry | undefined
  const time = styleText('dim', at.toTimeString().slice(0, 8))
  if (entry?.event === 'needs_attention') {
    const { operation, operation_id } = entry
    return `${time}  ${styleText('red', 'needs attention')}  ${operation}  ${operation_id}  (npm run resolve)`
  }
  if (entry?.event === 'check') return `${time}  ${styleText('dim', 'self-check')}  ${entry.code}`
  if (entry?.event === 'degraded')
    return `${time}  ${styleText('red', 'degraded')}  (npm run doctor)`
  if (entry?.event === 'backup_failed')
    return `${time}  ${styleText('red', 'no backup was made')}  (npm run doctor)`
  if (entry?.event === 'provider_webhook_broken')
    return `${time}  ${styleText('red', 'provider webhook broken')}  ${entry.provider}  (npm run doctor)`
  if (entry?.event === 'webhook_paused')
    return (
      `${time}  ${styleText('yellow', 'webhook paused')}  ${entry.caller}  ` +
      `${entry.webhook_id}  (npm run webhooks)`
    )
  if (entry?.event === 'recovered') return `${time}  ${styleText('green', 'recovered')}`
  if (entry?.event === 'rate_limiter_failed')
    return `${time}  ${styleText('yellow', 'calls could not be counted')}  ${entry.request_id}`
  if (entry?.event === 'audit_failed')
    return `${time}  ${styleText('yellow', 'an audit entry was lost')}  ${entry.request_id}`
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

function colourOf(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green'
  return status < 500 ? 'yellow' : 'red'
}
