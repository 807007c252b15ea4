import { Problem } from '../domain/problem.ts'
import { PROBLEMS } from '../domain/problems.ts'
import type { Doubts, Ports } from '../ports/index.ts'

export interface Finding {
  check: string
  ok: boolean
  /** What was found, and what to do about it. */
  detail: string
}

const WEEK = 7 * 24 * 60 * 60 * 1000
/** No provider has such an invoice, so a working key answers that there is none. */
const NO_SUCH_INVOICE = 'in_doctor0000000000000000'

/** Checks an installation from the inside, by reads only. */
export async function examine(
  { scheduling, payments, practice, records, now }: Ports,
  doubts: Doubts,
): Promise<Finding[]> {
  const scheduled = practice.eventTypes.map((eventType) =>
    finding(`Scheduling (${scheduling.mode}), event type ${eventType.name}`, async () => {
      const slots = await scheduling.slots(eventType, now(), now() + WEEK)
      return `${slots.length} free times in the next 7 days.`
    }),
  )
  return Promise.all([
    ...scheduled,
    finding(`Payments (${payments.mode})`, async () => {
      await payments.invoice(NO_SUCH_INVOICE)
      return 'Invoices can be read.'
    }),
    finding('Records', async () => {
      await records.get('doctor')
      return 'The records can be read.'
    }),
    doubtful(doubts),
  ])
}

async function finding(check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, detail: await look() }
  } catch (thrown) {
    return { check, ok: false, detail: detailOf(thrown) }
  }
}

/** What the provider refuses is told in our words; of any other failure nothing is told. */
const detailOf = (thrown: unknown): string =>
  thrown instanceof Problem
    ? (thrown.refusal.detail ?? PROBLEMS[thrown.refusal.code].detail)
    : 'Could not be checked.'

async function doubtful(doubts: Doubts): Promise<Finding> {
  const check = 'Operations in doubt'
  const waiting = await doubts.list()
  if (waiting.length === 0) return { check, ok: true, detail: 'None.' }
  const names = waiting.map(
    ({ operation_id, operation, since }) => `${operation} ${operation_id} since ${since}`,
  )
  return { check, ok: false, detail: `${names.join('; ')}. Find out what happened, then: npm run resolve` }
}
