import { randomUUID } from 'node:crypto'

import type { DemoCall, Body, Caller } from './callers.ts'
import { type Runner, runnerFor, valueAt } from './runner.ts'

const EMAIL = 'jordan@example.com'
const NAME = 'Jordan Doe'
const PHONE = '212-555-0142'

type Slot = { start_time: string }

/** Does all that the connector can do, once, in the order of a practice. Returns the shapes of answers. */
export async function journey(caller: Caller): Promise<readonly string[]> {
  const runner = runnerFor(caller, [EMAIL, NAME, PHONE])

  runner.step('When is a consult free?')
  const { slots, timezone } = await freeTimes(runner, { text: true })
  const [first, second] = [slots[0], slots.at(-1)]
  if (!first || !second || first === second)
    throw runner.failure('fewer than two times are free in the next 7 days.')
  runner.remark(`${slots.length} times are free, from ${first.start_time} to ${second.start_time}.`)

  runner.step('Book one: a preview for a person to see, then the commit')
  const booking = {
    start_time: first.start_time,
    timezone,
    invitee_email: EMAIL,
    invitee_name: NAME,
  }
  const book = await change(runner, caller, 'book_consult', booking, {
    preview: [
      'summary',
      'preview.invitee_email',
      'preview.invitee_name',
      'confirmation_token',
      'expires_at',
    ],
    result: ['summary', 'result.booking_id', 'result.state'],
  })
  const bookingId = textAt(book.body, 'result.booking_id')

  runner.step('The answer got lost, so the same commit is sent again: one booking, the same answer')
  const repeated = await runner.ask(
    book.commit,
    { status: 'committed', replayed: true, show: ['result.booking_id', 'committed_at'] },
    caller.sent(book.commit),
  )
  if (JSON.stringify(repeated) !== JSON.stringify(book.body))
    throw runner.failure('a repeat gave another answer.')

  runner.step('The same key with another time: refused')
  const changed = {
    ...book.commit,
    fields: { ...book.commit.fields, start_time: second.start_time },
  }
  await runner.ask(
    changed,
    { refusal: 'idempotency_key_reused', show: ['detail', 'effect', 'next_step'] },
    caller.sent(book.commit),
  )

  runner.step('Move the consult')
  const moving = { booking_id: bookingId, start_time: second.start_time }
  const moved = await change(runner, caller, 'reschedule_booking', moving, {
    preview: ['summary', 'warnings', 'preview.old_local_time', 'preview.local_time'],
    result: ['summary', 'result.booking_id', 'result.previous_booking_id'],
  })
  const movedId = textAt(moved.body, 'result.booking_id')
  const whileMoved = await freeTimes(runner)
  if (!includes(whileMoved.slots, first) || includes(whileMoved.slots, second))
    throw runner.failure('the old time is not free again, or the new one still is.')
  runner.remark('The old time is free again, the new one is taken.')

  runner.step('Cancel it')
  const cancelling = { booking_id: movedId, reason: 'The client is travelling.' }
  await change(runner, caller, 'cancel_booking', cancelling, {
    preview: ['summary', 'preview.reason', 'warnings'],
    result: ['summary', 'result.state'],
  })

  runner.step('Create a client: the name is kept as initials, the address masked')
  const client = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
  const created = await change(runner, caller, 'create_client_profile', client, {
    preview: ['summary', 'preview.display_name', 'preview.contact_email', 'preview.timezone'],
    result: ['summary', 'result.client_id'],
  })

  runner.step('Submit intake answers: a telephone number and an address in the notes become labels')
  const answers = {
    primary_goal: 'retirement',
    household_members: 2,
    notes: `Prefers mornings; call ${PHONE} or write to ${EMAIL}.`,
  }
  const intake = { client_id: textAt(created.body, 'result.client_id'), answers }
  await change(runner, caller, 'submit_intake_answers', intake, {
    preview: ['summary', 'preview.answers.notes', 'warnings'],
    result: ['summary', 'result.intake_id', 'result.answers'],
  })

  runner.step('Make a payment link for an invoice')
  const facts = ['invoice_status', 'amount', 'currency', 'due_date', 'payer'].map(
    (name) => `preview.${name}`,
  )
  const invoice = { invoice_id: 'in_mock_open' }
  await change(runner, caller, 'create_payment_link', invoice, {
    preview: ['summary', ...facts],
    result: ['result.payment_link_id', 'result.url'],
  })
  return runner.shapes
}

/** The same fields twice under one key: the preview, then the commit with its token. */
async function change(
  runner: Runner,
  caller: Caller,
  operation: string,
  fields: Body,
  show: { preview: string[]; result: string[] },
): Promise<{ body: Body; commit: DemoCall }> {
  const key = randomUUID()
  const preview: DemoCall = { operation, key, fields: { ...fields, confirm: false } }
  const shown = await runner.ask(preview, { status: 'preview', show: show.preview })
  const token = textAt(shown, 'confirmation_token')
  const commit: DemoCall = {
    operation,
    key,
    fields: { ...fields, confirm: true, confirmation_token: token },
  }
  const body = await runner.ask(
    commit,
    { status: 'committed', show: show.result },
    caller.sent(preview),
  )
  return { body, commit }
}

async function freeTimes(runner: Runner, { text = false } = {}) {
  const body = await runner.ask({ operation: 'list_availability', fields: {} }, { show: [], text })
  return { slots: body['slots'] as Slot[], timezone: textAt(body, 'timezone') }
}

const includes = (slots: readonly Slot[], slot: Slot): boolean =>
  slots.some(({ start_time }) => start_time === slot.start_time)

const textAt = (body: Body, path: string): string => String(valueAt(body, path))
