import { isDeepStrictEqual } from 'node:util'

import type { FlowRecord } from '../../../src/core/confirm/record.ts'
import { isEnd } from './caller.ts'
import type { Answer, Flow } from './flow.ts'
import type { Appointment, World } from './providers.ts'
import type { Stored } from './storage.ts'

/** How a flow ended by its answer, in one word. */
export type Outcome = 'committed' | 'restored' | 'partial' | 'nothing' | 'unknown'

export function outcomeOf({ end }: Flow): Outcome {
  const { status, code, effect } = end?.body ?? {}
  if (status === 'committed') return 'committed'
  if (code === 'reschedule_restored') return 'restored'
  if (code === 'partially_applied') return 'partial'
  return effect === 'none' ? 'nothing' : 'unknown'
}

/** Compares the answers of a flow with what the providers hold; each sentence is a broken promise. */
export function audited(flow: Flow, world: World): string[] {
  const wrong = [...answersOf(flow)]
  const must = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what)
  }
  const { kind, end, id } = flow
  const outcome = outcomeOf(flow)
  const { result, booking } = end?.body ?? {}

  switch (kind) {
    case 'book': {
      const mine = world.appointments().filter(({ email }) => email === flow.email)
      must(mine.length <= 1, `made ${mine.length} bookings`)
      must(
        mine.every((one) => one.start === flow.start && one.madeBy === id && hasSaid(one, flow)),
        'booked what no one asked for',
      )
      if (outcome === 'committed')
        must(isThis(mine[0], result), 'answered with a booking that is not there')
      else must(mine.length === 0, `made a booking and answered ${outcome}`)
      must(outcome !== 'restored' && outcome !== 'partial', `answered ${outcome}`)
      break
    }
    case 'move':
    case 'move to another address':
      wrong.push(...auditedMove(flow, world.appointments(), outcome))
      break
    case 'cancel': {
      const old = world.appointments().find(({ bookingId }) => bookingId === flow.old?.bookingId)
      const byUs = old?.active === false && old.endedBy === id
      if (outcome === 'committed') must(byUs, 'answered with a cancellation that is not its own')
      else must(outcome === 'nothing' && !(id !== undefined && byUs), `answered ${outcome}`)
      must(!byUs || flow.decided === 'approve', 'cancelled what no one had approved')
      break
    }
    case 'respond':
      wrong.push(...auditedResponse(flow, world, outcome))
      break
    case 'end payment link': {
      const link = world.links().find((one) => one.id === flow.linkId)
      if (outcome === 'committed') must(link?.active === false, 'answered with an end that is not')
      else must(outcome === 'nothing' && link?.active === true, `answered ${outcome}`)
      break
    }
    case 'payment link': {
      const links = world.links().filter(({ invoiceId }) => invoiceId === flow.invoice?.id)
      must(links.length <= 1, `there are ${links.length} links for one invoice`)
      must(
        links.every(({ amount }) => amount === flow.invoice?.amount),
        'a link with another amount',
      )
      if (outcome === 'committed')
        must(
          result?.['invoice_id'] === flow.invoice?.id &&
            result?.['amount'] === flow.invoice?.amount,
          'answered with a link for another invoice',
        )
      if (outcome === 'committed' && world.style === 'payment_link')
        must(
          links[0]?.active === true && links[0].url === result?.['url'],
          'answered with a link that is not there',
        )
      if (outcome !== 'committed')
        must(
          outcome === 'nothing' && links.every(({ madeBy }) => madeBy !== id),
          `answered ${outcome}`,
        )
      break
    }
    case 'create client':
    case 'submit intake':
      must(outcome === 'committed', `answered ${outcome}`)
      break
  }
  must(
    booking === undefined || outcome === 'restored' || outcome === 'partial',
    'answered with what is left',
  )
  return wrong.map((what) => `${nameOf(flow)} ${what}`)
}

function auditedMove(flow: Flow, all: readonly Appointment[], outcome: Outcome): string[] {
  const wrong: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what)
  }
  const { old, id, kind, end } = flow
  const mine = all.filter(({ email }) => email === old?.email || email === flow.email)
  const before = mine.find(({ bookingId }) => bookingId === old?.bookingId)
  const made = mine.filter((one) => one !== before)
  const [only] = made
  const newEmail = kind === 'move' ? old?.email : flow.email
  must(made.length <= 1, `made ${made.length} bookings`)
  must(mine.filter(({ active }) => active).length <= 1, 'left two active bookings')
  must(
    made.every(
      ({ start, email, madeBy }) =>
        madeBy === id &&
        ((start === flow.start && email === newEmail) ||
          (start === old?.start && email === old.email)),
    ) && made.every((one) => hasSaid(one, flow)),
    'booked what no one asked for',
  )
  must(before?.active === true || before?.endedBy === id, 'gave up the old time without a trace')
  switch (outcome) {
    case 'committed':
      must(
        before?.active === false && only?.start === flow.start && isThis(only, end?.body.result),
        'answered with a move that is not there',
      )
      break
    case 'restored':
      must(
        before?.active === false && only?.start === old?.start && isThis(only, end?.body.booking),
        'answered that the old time is booked again',
      )
      break
    case 'partial':
      must(before?.active === false && made.length === 0, 'answered that nothing is booked')
      break
    case 'nothing':
      must(before?.active === true && made.length === 0, 'answered that nothing was done')
      break
    case 'unknown':
      must(made.length === 0, 'rests in doubt although a look would have found the booking')
      break
  }
  return wrong
}

/** Cal.com keeps no marker of an answer, so what counts is what the line has seen, and the request itself. */
function auditedResponse(flow: Flow, world: World, outcome: Outcome): string[] {
  const wrong: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what)
  }
  const { old, decision, fields } = flow
  const request = world.appointments().find(({ bookingId }) => bookingId === old?.bookingId)
  const answers = world
    .passages()
    .filter(
      ({ path, status = 0 }) =>
        /\/(?:confirm|decline)$/.test(path) &&
        path.includes(`/${old?.bookingId.slice('bk_'.length)}/`) &&
        isDone(status),
    )
  must(answers.length <= 1, `${answers.length} answers to one request`)
  must(request?.answered === undefined || answers.length === 1, 'an answer that no one gave')
  if (outcome === 'committed') {
    must(request?.answered === decision, 'answered with a decision that is not there')
    must(request?.answeredWith === fields['reason'], 'another reason than the one that was sent')
  } else {
    must(request?.answered !== decision, `decided so, and answered ${outcome}`)
    must(outcome === 'nothing' || outcome === 'unknown', `answered ${outcome}`)
  }
  return wrong
}

const isDone = (status: number): boolean => status >= 200 && status < 300

/** Its invitee said there what the invitee of the flow said, and nothing else. */
const hasSaid = ({ said }: Appointment, flow: Flow): boolean =>
  isDeepStrictEqual(said, flow.said ?? {})

const isThis = (
  one: Appointment | undefined,
  answer: Record<string, unknown> | undefined,
): boolean =>
  one !== undefined &&
  one.active &&
  one.bookingId === answer?.['booking_id'] &&
  answer['state'] === (one.waits ? 'pending_host_approval' : 'confirmed') &&
  one.start === Date.parse(String(answer['start_time']))

/** Once a flow was answered how it ended, every later answer is the same. */
function* answersOf({ replies, end }: Flow): Iterable<string> {
  if (!end) {
    yield 'never came to rest'
    return
  }
  const first = replies.find(isEnd)
  if (!first) return
  for (const one of replies.filter(isEnd)) {
    if (!isSame(one.body, first.body))
      yield `answered two ends: ${first.body.code ?? 'committed'}, ${one.body.code ?? 'committed'}`
  }
  if (replies.some((one) => one.instance > first.instance && !isEnd(one)))
    yield 'answered an end that was forgotten'
}

/** Whether two answers say the same; the id of the request and the times that are free now are their own each time. */
export function isSame(one: Answer, other: Answer): boolean {
  const { request_id: _one, free_slots: _then, ...said } = one
  const { request_id: _other, free_slots: _now, ...alsoSaid } = other
  return isDeepStrictEqual(said, alsoSaid)
}

/** The records that belong to an outcome are delivered, or still in the outbox of its own object with a time to wake. */
export function undelivered(
  flow: Flow,
  record: FlowRecord | undefined,
  delivered: Set<string>,
): string[] {
  const waiting = (record?.outbox?.items ?? []).flatMap((item) =>
    item.kind === 'record' ? [item.key] : [],
  )
  return recordsOf(flow)
    .filter((key) => !delivered.has(key) && !waiting.includes(key))
    .map((key) => `${nameOf(flow)} lost its record ${key}`)
}

function recordsOf({ kind, end, old, decision, linkId }: Flow): string[] {
  const { status, effect, result = {}, booking = {} } = end?.body ?? {}
  if (status !== 'committed' && effect !== 'partial') return []
  const bookingId = result['booking_id'] ?? booking['booking_id']
  switch (kind) {
    case 'book':
      return [`booking:${String(bookingId)}`]
    case 'move':
    case 'move to another address':
      return [
        `booking:${old?.bookingId}:end`,
        ...(typeof bookingId === 'string' ? [`booking:${bookingId}`] : []),
      ]
    case 'cancel':
      return [`booking:${old?.bookingId}:end`]
    case 'respond':
      return [`booking:${old?.bookingId}:${decision === 'accept' ? 'acceptance' : 'end'}`]
    case 'end payment link':
      return [`payment_link:${linkId}:end`]
    case 'payment link':
      return [`payment_link:${String(result['payment_link_id'])}`]
    case 'create client':
      return [`client:${String(result['client_id'])}`]
    case 'submit intake':
      return [`intake:${String(result['client_id'])}:${String(result['intake_id'])}`]
  }
}

/** A flow and its replies, short enough to read in a report. */
export function nameOf({ number, label, id, replies }: Flow): string {
  const story = replies.map(({ body, instance, replayed, confirm }) => {
    const word = body.code ?? body.status
    return `${instance}:${confirm ? '' : 'preview '}${word}${replayed ? ' (replayed)' : ''}`
  })
  return `flow ${number} (${label}, ${id ?? 'no preview'}) [${story.slice(-12).join(', ')}]`
}

/** A change that ended has one entry in the audit log or in its outbox; an entry that is in both counts once. */
export function wronglyAudited(
  flow: Flow,
  stored: Stored | undefined,
  ends: Map<string, Set<string>>,
): string[] {
  if (stored?.record.state !== 'done') return []
  const { record, object } = stored
  const waiting = (record.outbox?.items ?? []).flatMap((item) =>
    item.kind === 'audit' && item.event === 'commit'
      ? [`${item.at} ${object.slice(0, 16)}.${item.id}`]
      : [],
  )
  const entries = new Set([...(ends.get(object) ?? []), ...waiting])
  return entries.size === 1
    ? []
    : [`${flow.label} ${flow.id}: its end is in the audit log ${entries.size} times`]
}
