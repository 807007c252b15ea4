import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import type {
  ConfirmationCall,
  ConfirmationReply,
} from '../../../../src/core/ports/confirmation.ts'
import { judgeRefusal } from './answers.ts'
import type { Ledger, Shown } from './ledger.ts'
import { judgeShown } from './moves.ts'

/** A call that has reached an object, and the record that it met. */
export interface Arrival {
  object: string
  call: ConfirmationCall
  /** Names the payload, however it is spelled. */
  tag: string
  /** The payload of the record it met; undefined where there was none, or its secret is gone. */
  recordTag: string | undefined
  met: FlowRecord | undefined
  /** A later version wrote that record, and it can't be read. */
  isForeign?: boolean
}

const NO_TOKEN = new Set([
  'confirmation_token_missing',
  'confirmation_token_invalid',
  'preview_required',
  'idempotency_key_reused',
  'confirmation_expired',
])

/** A genuine token of this key, with the payload it was made for. */
export function onArrival({ generations }: Ledger, { object, call, tag }: Arrival): void {
  if (!call.confirm || typeof call.token === 'string') return
  const of = generations.get(call.token.id)
  if (of?.object === object && of.tag === tag && of.operation === call.operation) of.asked = true
}

/** An answer leaves an object; `kept` is the record it leaves behind. */
export function onReply(
  ledger: Ledger,
  arrival: Arrival,
  reply: ConfirmationReply,
  kept: FlowRecord | undefined,
): void {
  const { object, call, tag, recordTag, met } = arrival
  const code = reply.is === 'refused' ? reply.refusal.code : reply.is
  if (arrival.isForeign) {
    const isSaid = reply.is === 'refused' && reply.refusal.effect === 'unknown'
    if (code !== 'not_configured' || !isSaid)
      ledger.report('I42', `${object}: a newer record was answered ${code}`)
    return
  }
  if (call.confirm && typeof call.token === 'string' && !NO_TOKEN.has(code))
    ledger.report(
      'I5',
      `${object}: a commit with a token that is ${call.token} was answered ${code}`,
    )
  if (recordTag !== undefined && recordTag !== tag && code !== 'idempotency_key_reused')
    ledger.report('I12', `${object}: another payload was answered ${code}`)
  if (reply.is === 'refused') judgeRefusal(ledger, object, tag, reply.refusal)
  if (reply.is === 'preview') {
    const of = ledger.generations.get(reply.id)
    if (of?.object !== object || of.tag !== tag)
      ledger.report('I12', `${object}: the preview of another payload was shown`)
    else {
      const { reason, ...saidShown } = reply.preview as { reason?: unknown } & Shown
      if (of.shown && of.clientText !== reason)
        ledger.report('I37', `${object}: one preview was shown with two texts for the client`)
      Object.assign(of, { shown: true, clientText: reason, saidShown })
      judgeShown(ledger, of, reply)
    }
  }
  if (reply.is === 'committed') {
    const of = kept && ledger.generations.get(kept.id)
    if (of?.end === undefined)
      ledger.report('I9', `${object}: answered committed, but no end is kept`)
    else if (of.tag !== tag)
      ledger.report('I12', `${object}: answered another payload that it is committed`)
  }
  if (met) stable(ledger, arrival, met, reply)
}

/** A record that had ended, or whose preview was used up, keeps its answer. */
function stable(
  ledger: Ledger,
  { object, call, tag, recordTag }: Arrival,
  met: FlowRecord,
  reply: ConfirmationReply,
): void {
  const of = ledger.generations.get(met.id)
  if (!of || recordTag !== tag || (call.confirm && typeof call.token === 'string')) return
  const { replayed: _replayed, ...said } = reply as ConfirmationReply & { replayed?: boolean }
  if (met.state === 'done' && JSON.stringify(said) !== JSON.stringify(met.answer))
    ledger.report('I7', `${object}: an end was answered otherwise than before`)
  const ownToken = typeof call.token !== 'string' && call.token.id === met.id
  if (met.state !== 'previewed' || !met.voidedBy || !call.confirm || !ownToken) return
  const refusal = JSON.stringify(reply.is === 'refused' ? reply.refusal : reply.is)
  if (refusal !== of.spent)
    ledger.report('I7', `${object}: a used-up preview was answered otherwise than before`)
}
