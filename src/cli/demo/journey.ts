import { randomUUID } from 'node:crypto'

import { CliError } from '../command.ts'
import { type DemoCall, type Body, type Caller, type CallResult, codeOrStatus } from './callers.ts'
import { type Rows, transcript } from './transcript.ts'

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
  const book = await change(runner, 'book_consult', booking, {
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
    book.commit,
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
    book.commit,
  )

  runner.step('Move the consult')
  const moving = { booking_id: bookingId, start_time: second.start_time }
  const moved = await change(runner, 'reschedule_booking', moving, {
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
  await change(runner, 'cancel_booking', cancelling, {
    preview: ['summary', 'preview.reason', 'warnings'],
    result: ['summary', 'result.state'],
  })

  runner.step('Create a client: the name is kept as initials, the address masked')
  const client = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
  const created = await change(runner, 'create_client_profile', client, {
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
  await change(runner, 'submit_intake_answers', intake, {
    preview: ['summary', 'preview.answers.notes', 'warnings'],
    result: ['summary', 'result.intake_id', 'result.answers'],
  })

  runner.step('Make a payment link for an invoice')
  const facts = ['invoice_status', 'amount', 'currency', 'due_date', 'payer'].map(
    (name) => `preview.${name}`,
  )
  const invoice = { invoice_id: 'in_mock_open' }
  await change(runner, 'create_payment_link', invoice, {
    preview: ['summary', ...facts],
    result: ['result.payment_link_id', 'result.url'],
  })
  return runner.shapes
}

/** The same fields twice under one key: the preview, then the commit with its token. */
async function change(
  runner: Runner,
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
  const body = await runner.ask(commit, { status: 'committed', show: show.result }, preview)
  return { body, commit }
}

async function freeTimes(runner: Runner, { text = false } = {}) {
  const body = await runner.ask({ operation: 'list_availability', fields: {} }, { show: [], text })
  return { slots: body['slots'] as Slot[], timezone: textAt(body, 'timezone') }
}

const includes = (slots: readonly Slot[], slot: Slot) =>
  slots.some(({ start_time }) => start_time === slot.start_time)

const textAt = (body: Body, path: string) => String(valueAt(body, path))

/** The expected response, and the parts to print: paths such as `preview.invitee_email`. */
interface Expected {
  status?: 'preview' | 'committed'
  refusal?: string
  replayed?: boolean
  show: readonly string[]
  text?: boolean
}

/** Runs the steps: prints each call, sends it, checks the response, and prints parts of it. */
function runnerFor(caller: Caller, secrets: readonly string[]) {
  const { count, step, asked, answered, remark } = transcript()
  const shapes: string[] = []
  const failure = (what: string) =>
    new CliError(
      `Step ${count()} over ${caller.name}: ${what}`,
      'Where a rule or a pause of your own connector stops it, run npm run demo alone: it starts one without.',
    )

  return {
    shapes,
    step,
    /** Of a call that repeats one `before`, prints what is new. */
    async ask(ask: DemoCall, expected: Expected, before?: DemoCall): Promise<Body> {
      const known = before ? caller.sent(before) : {}
      const news = Object.entries(caller.sent(ask)).filter(([name, value]) => known[name] !== value)
      const again = news.length > 0 ? 'the same again, with' : 'the very same again'
      const line = before ? again : caller.line(ask)
      asked(line, rowsOf(Object.fromEntries(news)))
      const result = await caller.call(ask)
      const fault = faultIn(result, expected, secrets)
      if (fault !== undefined) throw failure(fault)
      shapes.push(`${ask.operation} ${shapeOf(result.body)}`)
      const named = expected.show.map(
        (path) => [path.split('.').at(-1), valueAt(result.body, path)] as const,
      )
      const rows = named.flatMap(([name, value]) => rowsOf({ [name!]: value }))
      answered(result.line, result.refused, expected.text ? [...rows, ...result.rows] : rows)
      return result.body
    },
    remark,
    failure,
  }
}

type Runner = ReturnType<typeof runnerFor>

/** The value at a path such as `result.booking_id`. */
const valueAt = (body: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((value, part) => (value as Body | null | undefined)?.[part], body)

function faultIn(
  result: CallResult,
  expected: Expected,
  secrets: readonly string[],
): string | undefined {
  const { body, refused, replayed } = result
  const wanted = expected.refusal ?? expected.status ?? 'OK'
  const got = codeOrStatus(body)
  if (got !== wanted || refused !== (expected.refusal !== undefined)) {
    const { title } = body
    if (got === 'unauthenticated')
      return 'no API key that is valid; put one into CONNECTOR_API_KEY.'
    return `expected ${wanted} and got ${got}${typeof title === 'string' ? ` (${title})` : ''}.`
  }
  if (replayed && expected.replayed !== true) return 'the answer is marked as a repeat and is none.'
  if (!replayed && expected.replayed === true)
    return 'the answer is a repeat and is not marked as one.'
  const text = JSON.stringify(body)
  if (secrets.some((secret) => text.includes(secret)))
    return 'the answer holds personal data in clear.'
  return undefined
}

/** The fields as rows, with one row for each entry of a list and each field of an object. */
const rowsOf = (fields: Body): Rows =>
  Object.entries(fields).flatMap(([name, value]): Rows => {
    if (Array.isArray(value)) return value.map((one) => [name, shown(one)])
    if (value === null || typeof value !== 'object') return [[name, shown(value)]]
    return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, shown(one)])
  })

function shown(value: unknown) {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '(missing)'
  return value.startsWith('ct_') ? `${value.slice(0, 20)}…` : value
}

/** The names of all fields, without the values. */
const shapeOf = (body: unknown): string =>
  body !== null && typeof body === 'object' && !Array.isArray(body)
    ? `{${Object.entries(body)
        .map(([name, value]) => name + shapeOf(value))
        .join(' ')}}`
    : ''
