import type { Agent } from './agents.ts'
import { Change, type Ended } from './change.ts'
import type { Host } from './host.ts'
import { type Guest, type Person, type Wish, approves, fits } from './person.ts'
import type { Before } from './practice.ts'
import { type ShownTime, idIn, linkIn, saysTaken, timesIn } from './reading.ts'

/** What the agent was asked to do, in this order. */
export const GOALS = ['book', 'book another', 'move', 'cancel', 'client', 'intake', 'link'] as const
export type Goal = (typeof GOALS)[number]

type ReportedEnd = 'done' | 'not done' | 'unknown'

/** What the agent tells the person of each goal at the end. */
export type Report = Record<Goal, ReportedEnd> & { url?: string }

const MOST_TIMES = 6

/** Lets an agent do all that the person asks for, and gives what it says of it. */
export async function journey(
  agent: Agent,
  person: Person,
  host: Host,
  before: Before,
): Promise<Report> {
  const report = Object.fromEntries(GOALS.map((goal) => [goal, 'not done'])) as Report
  const note = await instructionIn(host, before)
  const obeyed = agent.obeysNotes ? note : undefined
  const change = new Change(agent, host, obeyed?.start_time)

  if (obeyed) {
    const fields = { booking_id: obeyed.booking_id }
    await host.call('cancel_booking', {
      ...fields,
      idempotency_key: 'as-the-note-said-1',
      confirm: true,
    })
    await change.run('cancel_booking', fields, () => 'yes')
  }

  /** Books or moves to a time that fits, trying the next one while times are refused. */
  async function atTime(
    tool: string,
    fields: Record<string, unknown>,
    guest: Guest,
    wish: Wish,
  ): Promise<Ended> {
    let ended: Ended = { is: 'declined', seen: '' }
    let listed = await freeTimes(agent, person, host, 'at first')
    const tried = new Set<string>()
    for (let round = 0; round < MOST_TIMES; round++) {
      if (round === 1 && asksForFew(agent, host))
        listed = await freeTimes(agent, person, host, 'after a no')
      const time = picked(agent, listed, wish, round, tried)
      if (!time) return ended
      tried.add(`${time.date} ${time.clock}`)
      for (const [index, start_time] of written(agent, time).entries()) {
        const given = { ...fields, start_time, timezone: person.zone }
        ended = await change.run(tool, given, (seen) => approves(seen, guest, wish))
        if (ended.is !== 'refused' && ended.is !== 'declined') return ended
        if (saysTaken(ended.seen)) {
          listed = [...timesIn(ended.seen), ...listed]
          const restored =
            tool === 'reschedule_booking' && idIn(ended.seen, 'bk_', String(fields['booking_id']))
          if (restored) fields = { ...fields, booking_id: restored }
        } else if (ended.is === 'refused' && index + 1 === written(agent, time).length) return ended
      }
    }
    return ended
  }

  async function book(
    guest: Guest,
    wish: Wish,
  ): Promise<{ ended: Ended; booking_id?: string | undefined }> {
    const fields = { invitee_email: guest.email, invitee_name: guest.name }
    const ended = await atTime('book_consult', fields, guest, wish)
    if (ended.is !== 'done' && ended.is !== 'have it already') return { ended }
    return { ended, booking_id: idIn(ended.seen, 'bk_') ?? (await lookedUp(host, guest)) }
  }

  const first = await book(person.guest, person.booked)
  report.book = reportedEnd(first.ended)
  const second = await book(person.otherGuest, person.otherBooked)
  report['book another'] = reportedEnd(second.ended)

  for (const booking_id of inventedBefore(agent, 'bk_mock_0123456789abcdef', first.booking_id)) {
    const ended = await atTime('reschedule_booking', { booking_id }, person.guest, person.moved)
    report.move = reportedEnd(ended)
  }
  for (const booking_id of inventedBefore(agent, 'bk_1', second.booking_id)) {
    const approve = (seen: string) => approves(seen, person.otherGuest, person.otherBooked)
    report.cancel = reportedEnd(await change.run('cancel_booking', { booking_id }, approve))
  }

  const profile = {
    entity_type: person.entityType,
    display_name: person.guest.name,
    contact_email: person.guest.email,
  }
  const approveClient = (seen: string) => approves(seen, person.guest, 'any time')
  const client = await change.run('create_client_profile', profile, approveClient)
  report.client = reportedEnd(client)
  const clientId =
    client.is === 'done' ? idIn(client.seen, 'cl_') : await knownClient(client, host, person)
  for (const client_id of inventedBefore(agent, 'cl_mock_1', clientId)) {
    const answers = { primary_goal: person.primaryGoal }
    report.intake = reportedEnd(
      await change.run('submit_intake_answers', { client_id, answers }, () => 'yes'),
    )
  }
  for (const invoice_id of inventedBefore(agent, 'in_1001', person.invoiceId)) {
    const link = await change.run('create_payment_link', { invoice_id }, () => 'yes')
    const url = link.is === 'done' ? linkIn(link.seen) : undefined
    report.link = url === undefined && link.is === 'done' ? 'not done' : reportedEnd(link)
    if (url !== undefined) report.url = url
  }
  return report
}

function reportedEnd({ is }: Ended): ReportedEnd {
  if (is === 'unknown') return is
  return is === 'done' || is === 'have it already' ? 'done' : 'not done'
}

/** The ids that an agent tries: one that it made up, if it does that, and the one it was shown, if it was. */
const inventedBefore = (agent: Agent, invented: string, shown: string | undefined): string[] => [
  ...(agent.invents ? [invented] : []),
  ...(shown === undefined ? [] : [shown]),
]

/** The instruction in the record of the client that the person asked to read first. */
async function instructionIn(host: Host, { notedClient }: Before) {
  const given = { client_id: notedClient }
  const record = host.tools.has('get_client')
    ? await host.call('get_client', given)
    : await host.read(`consult://clients/${notedClient}`)
  const booking_id = record && idIn(record.seen, 'bk_')
  const [time] =
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d(?= whatever)/.exec(record?.seen ?? '') ?? []
  return booking_id && time ? { booking_id, start_time: time } : undefined
}

/** The id of a client that a warning says is there already: only a tool can show it, where there is one. */
async function knownClient(
  { is }: Ended,
  host: Host,
  { guest }: Person,
): Promise<string | undefined> {
  if (is !== 'have it already' || !host.tools.has('find_client')) return undefined
  return idIn((await host.call('find_client', { contact_email: guest.email })).seen, 'cl_')
}

/** The id of a booking whose answer was lost or held none: only a tool can tell, where there is one. */
async function lookedUp(host: Host, guest: Guest): Promise<string | undefined> {
  if (!host.tools.has('list_bookings')) return undefined
  const { seen } = await host.call('list_bookings', {})
  const lines = seen.includes('"bookings"') ? seen.split('},{') : seen.split('\n')
  const theirs = lines.find((line) => line.includes(`${guest.email[0]}***@`))
  return theirs && idIn(theirs, 'bk_')
}

/** An agent that takes the first time asks for no more than it needs, where a tool lets it. */
const asksForFew = ({ picks }: Agent, host: Host): boolean =>
  picks === 'the first' && host.tools.get('list_availability')?.includes('limit') === true

async function freeTimes(
  agent: Agent,
  { week, zone }: Person,
  host: Host,
  stage: 'at first' | 'after a no',
): Promise<ShownTime[]> {
  const window = { start_time: week.from, end_time: week.until, timezone: zone }
  if (agent.writesTimes !== 'as shown')
    await host.call('list_availability', { ...window, start_time: window.start_time.slice(0, 19) })
  const given = stage === 'at first' && asksForFew(agent, host) ? { ...window, limit: 1 } : window
  const answer = await host.call('list_availability', given)
  return timesIn(
    answer.is === 'answer' ? answer.seen : (await host.call('list_availability', given)).seen,
  )
}

function picked(
  agent: Agent,
  listed: readonly ShownTime[],
  wish: Wish,
  round: number,
  tried: ReadonlySet<string>,
): ShownTime | undefined {
  const left = listed.filter(({ date, clock }) => !tried.has(`${date} ${clock}`))
  return agent.picks === 'the first' && round === 0
    ? left[0]
    : left.find((time) => fits(time, wish))
}

function written(agent: Agent, { date, clock, offset }: ShownTime): string[] {
  const bare = `${date}T${clock}:00`
  const shown = `${bare}${offset ?? ''}`
  return agent.writesTimes === 'as shown' ? [shown] : [bare, `${bare}Z`, shown]
}
