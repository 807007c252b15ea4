import type { Agent } from './agents.ts'
import { Change, type Ended } from './change.ts'
import type { Host } from './host.ts'
import { linkIn, timesIn, warningsIn } from './reading.ts'

/** How a wish at the front desk ended, and what the agent asked the person on the way. */
export interface Served {
  is: Ended['is'] | 'asked, and no one knew'
  asked: readonly Question[]
  /** What was shown last. */
  seen: string
  url?: string
}

export type Question = 'which appointment' | 'which invoice'

/** The person at the desk. What the agent was not told it can only ask. */
export interface Asker {
  /** The email address that tells two people apart; undefined where the person does not know it. */
  answer(question: Question): string | undefined
}

interface Desk {
  agent: Agent
  host: Host
  person: Asker
}

/** A line of a list that names a thing by its id. */
interface Listed {
  id: string
  line: string
}

const listedIn = (seen: string, id: RegExp): Listed[] =>
  seen.split('\n').flatMap((line) => {
    const [found] = id.exec(line) ?? []
    return found === undefined ? [] : [{ id: found, line }]
  })

const BOOKING = /\bbk_[\w-]+/
const INVOICE = /\bin_\w+/

/** The initials as answers show them: `Dana Fields` is `D. F.` */
export const initialsOf = (name: string): string =>
  name
    .split(' ')
    .map((part) => `${part[0]}.`)
    .join(' ')

/** The answer to a read, asked for again where it was lost. */
async function read(host: Host, tool: string, given: Record<string, unknown>): Promise<string> {
  for (;;) {
    const answer = await host.call(tool, given)
    if (answer.is !== 'lost') return answer.seen
  }
}

/**
 * Narrows a list down to the one thing that is meant. Where several may be meant, the person is asked for the address, and
 * nothing is chosen.
 */
async function theOne(
  { host, person }: Desk,
  first: readonly Listed[],
  { question, tool, field, id }: { question: Question; tool: string; field: string; id: RegExp },
): Promise<{ one?: Listed; asked: Question[] }> {
  if (first.length === 1) return { one: first[0]!, asked: [] }
  const address = person.answer(question)
  if (address === undefined) return { asked: [question] }
  const found = listedIn(await read(host, tool, { [field]: address }), id)
  return { ...(found.length === 1 && { one: found[0]! }), asked: [question] }
}

/** "Can we make it Thursday?": moves the one appointment of a person to the first free time of a day. */
export async function moveTo(
  desk: Desk,
  who: { email: string } | { name: string },
  day: string,
  zone: string,
): Promise<Served> {
  const { agent, host } = desk
  const seen =
    'email' in who
      ? await read(host, 'find_bookings', { invitee_email: who.email })
      : await read(host, 'list_bookings', {})
  const all = listedIn(seen, BOOKING)
  const theirs =
    'email' in who ? all : all.filter(({ line }) => line.includes(initialsOf(who.name)))
  const { one, asked } = await theOne(desk, theirs, {
    question: 'which appointment',
    tool: 'find_bookings',
    field: 'invitee_email',
    id: BOOKING,
  })
  if (!one) return { is: 'asked, and no one knew', asked, seen }
  const times = timesIn(
    await read(host, 'list_availability', {
      start_time: day,
      end_time: day,
      timezone: zone,
    }),
  )
  const free = times.find(({ date }) => date === day)
  if (!free) return { is: 'refused', asked, seen }
  const start_time = `${free.date}T${free.clock}:00${free.offset ?? ''}`
  const moved = await new Change(agent, host, undefined).run(
    'reschedule_booking',
    { booking_id: one.id, start_time, timezone: zone },
    (shown) => (shown.includes(free.date) ? 'yes' : 'no'),
  )
  return { ...moved, asked }
}

/** "Send Dana the link for her open invoice": makes the link of the one open invoice of a person. */
export async function sendLink(desk: Desk, name: string): Promise<Served> {
  const { agent, host } = desk
  const seen = await read(host, 'find_invoices', {})
  const theirs = listedIn(seen, INVOICE).filter(({ line }) => line.includes(initialsOf(name)))
  const { one, asked } = await theOne(desk, theirs, {
    question: 'which invoice',
    tool: 'find_invoices',
    field: 'payer_email',
    id: INVOICE,
  })
  if (!one) return { is: 'asked, and no one knew', asked, seen }
  const made = await new Change(agent, host, undefined).run(
    'create_payment_link',
    { invoice_id: one.id },
    (shown) => (warningsIn(shown).some((one) => /already/i.test(one)) ? 'no' : 'yes'),
  )
  const url = made.is === 'done' ? linkIn(made.seen) : undefined
  return { ...made, asked, ...(url !== undefined && { url }) }
}
