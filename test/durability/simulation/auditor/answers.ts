import type { FinalReply } from '../../../../src/core/confirm/record.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'
import { type Generation, type Ledger, madeBy, ofKey, unproved } from './ledger.ts'
import { judgeMoved, othersOn, saysLost } from './moves.ts'

const bodySaid = (answer: FinalReply): Record<string, unknown> =>
  answer.is === 'committed' ? (answer.body as { result: Record<string, unknown> }).result : {}

/** The end of a flow must be what is there. */
export function judgeEnd(ledger: Ledger, of: Generation, answer: FinalReply): void {
  if (answer.is === 'committed') {
    judgeCommitted(ledger, of, bodySaid(answer))
    if (of.operation === 'reschedule_booking')
      judgeMoved(ledger, of, bodySaid(answer), String(Reflect.get(answer.body, 'summary')))
    return judgeDifference(ledger, of, answer)
  }
  const { code, effect, booking, detail = '' } = answer.refusal
  const claim = `${of.object} ended with ${code}`
  if (of.operation !== 'reschedule_booking' || effect !== 'partial')
    return ledger.report('I15', `${claim}, which is no end of ${of.operation}`)
  if (!madeBy(of, 'cancelled'))
    ledger.report('I15', `${claim}, but the old booking was not cancelled`)
  if (madeBy(of, 'new')) ledger.report('I15', `${claim}, but the new booking exists`)
  const restored = madeBy(of, 'restored')
  if (code === 'reschedule_restored') {
    if (!restored || restored.id !== booking?.booking_id)
      ledger.report('I15', `${claim}, but the restored booking is not there`)
    judgeTimes(ledger, claim, { ...booking })
    const there = ledger.bookingNamed(String(booking?.booking_id))
    if (there) saysLost(ledger, of, there, detail)
  } else if (restored) ledger.report('I15', `${claim}, but the old time is booked again`)
  const doubtful = unproved(of).filter((one) => one.act === 'book' && !(one.undo && restored))
  if (doubtful.length > 0) ledger.report('I10', `${claim} while ${doubtful[0]!.marker} is in doubt`)
  for (const attempt of of.attempts) if (attempt.act === 'book') attempt.banned = code
}

function judgeCommitted(ledger: Ledger, of: Generation, result: Record<string, unknown>): void {
  const claim = `${of.object} is committed`
  const missing = (what: string) => ledger.report('I9', `${claim}, but ${what}`)
  switch (of.operation) {
    case 'book_consult':
      if (madeBy(of, 'new')?.id !== result['booking_id']) missing('the booking is not there')
      judgeTimes(ledger, claim, result)
      return
    case 'cancel_booking':
      if (madeBy(of, 'cancelled')?.id !== result['booking_id'])
        missing('the booking was not cancelled by it')
      return
    case 'respond_to_booking': {
      const there = ledger.bookingNamed(String(result['booking_id']))
      if (there && there.answered !== result['decision']) missing('the request was not answered so')
      return
    }
    case 'reschedule_booking': {
      const made = madeBy(of, 'new')
      if (!made || made.id !== result['booking_id']) missing('the new booking is not there')
      if (!madeBy(of, 'cancelled')) missing('the old booking is active')
      if (madeBy(of, 'restored')) ledger.report('I15', `${claim}, but the old time is booked again`)
      judgeTimes(ledger, claim, result)
      return
    }
    case 'create_client_profile':
      if (result['client_id'] !== of.pinned['client_id']) missing('under another client_id')
      return
    case 'invite_client':
      if (result['link_id'] !== of.pinned['link_id']) missing('under another link_id')
      return
    case 'submit_intake_answers':
      if (result['intake_id'] !== of.pinned['intake_id']) missing('under another intake_id')
      return
    case 'create_payment_link': {
      const { invoice_id, amount } = of.pinned
      const link = ledger.linkNamed(String(result['payment_link_id']))
      if (link?.invoiceId !== invoice_id || (link?.amount ?? amount) !== amount)
        missing('no such link is there')
      return
    }
    case 'end_payment_link':
      if (ledger.linkNamed(String(result['payment_link_id']))?.active !== false)
        missing('the link can still be paid')
      return
    default:
      missing('no one knows this operation')
  }
}

/** An answer says what differs from its preview, and only that. */
function judgeDifference(ledger: Ledger, of: Generation, answer: FinalReply): void {
  const there = ledger.bookingNamed(String(bodySaid(answer)['booking_id']))
  if (!there || !('start_time' in of.pinned)) return
  const body = answer.is === 'committed' ? answer.body : {}
  const said = String(Reflect.get(body, 'differs_from_preview') ?? '')
  const at = (field: string) => Date.parse(String(of.pinned[field]))
  const differs = [
    ...(there.start === at('start_time') ? [] : ['start_time']),
    ...(there.end === at('end_time') ? [] : ['end_time']),
    ...(Number(of.pinned['other_people'] ?? 0) === othersOn(there) ? [] : ['other_people']),
  ]
  if (said !== differs.join(','))
    ledger.report(
      'I26',
      `${of.object} says that ${said || 'nothing'} differs, not ${differs.join()}`,
    )
}

/** The answer has the times of the booking. */
function judgeTimes(ledger: Ledger, claim: string, said: Record<string, unknown>): void {
  const there = ledger.bookingNamed(String(said['booking_id']))
  const at = (time: unknown) => Date.parse(String(time))
  if (!there) return
  if (there.start !== at(said['start_time']) || there.end !== at(said['end_time']))
    ledger.report('I26', `${claim} with other times than the booking has`)
}

/** A refusal must say the truth about this payload. */
export function judgeRefusal(
  ledger: Ledger,
  object: string,
  tag: string,
  { code, effect }: Refusal,
): void {
  const mine = ofKey(ledger, object).filter((of) => of.tag === tag)
  const there = mine.flatMap(({ effects }) => effects)
  const ended = mine.some(({ end }) => end?.includes('"is":"committed"'))
  if (effect === 'none') {
    if (there.length > 0 || ended)
      ledger.report('I8', `${object}: answered ${code} without effect, but there is one`)
    const doubtful = mine.flatMap(unproved)
    if (doubtful.length > 0)
      ledger.report(
        'I10',
        `${object}: answered ${code} without effect while ${doubtful[0]!.marker} is in doubt`,
      )
    for (const { attempts } of mine) for (const attempt of attempts) attempt.banned ??= code
  }
  if (effect === 'done' && !ended)
    ledger.report('I9', `${object}: answered ${code} and done, but it is not`)
}
