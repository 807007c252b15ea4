import * as z from 'zod'
import { NOTES_NOTICE } from '../domain/intake.ts'
import { clientKey } from '../domain/client.ts'
import { modeSchema } from '../domain/mode.ts'
import { problem } from '../domain/problem.ts'
import type { Ports } from '../ports/index.ts'
import type { Entry } from '../ports/register.ts'
import { modeOfClientId } from './client-id.ts'
import { clientIdField } from './create-client-profile.ts'
import { EXAMPLE_CLIENT } from './list-clients.ts'
import {
  keptClient,
  keptClientSchema,
  keptIntake,
  keptIntakeSchema,
  madeBooking,
  madeBookingSchema,
  madeLink,
  madeLinkSchema,
} from './made-here.ts'
import { practiceMode } from './operation.ts'
import { defineView } from './view.ts'

const MOST = 20

const count = z.int().min(0)

export const getClient = defineView({
  name: 'get_client',
  title: 'Read a client',
  description: `Returns a client as it is kept, masked, with the intake answers, and with the bookings and payment links that were made here for the same mail address; of each the newest ${MOST}. What was booked or paid elsewhere, or under another address, cannot be told. ${NOTES_NOTICE}`,
  scope: 'clients:read',
  http: { method: 'get', path: '/v1/clients/{client_id}' },
  problems: ['client_not_found'],
  input: z.strictObject({ client_id: clientIdField }),
  output: z
    .strictObject({
      operation: z.literal('get_client'),
      mode: modeSchema,
      client: keptClientSchema,
      notes_notice: z
        .literal(NOTES_NOTICE)
        .meta({ description: 'The same in every answer, for readers that see no schema.' }),
      intake: z.array(keptIntakeSchema).meta({ description: 'Newest first.' }),
      bookings: z.array(madeBookingSchema).meta({ description: 'Newest first.' }),
      payment_links: z.array(madeLinkSchema).meta({ description: 'Newest first.' }),
      left_off: z
        .strictObject({ intake: count, bookings: count, payment_links: count })
        .meta({ description: 'How many older ones there are that are not shown.' }),
    })
    .meta({ id: 'ClientRead', description: 'One client, and what was done here for them.' }),
  mode: practiceMode,
  async run({ client_id }, ports) {
    const { register, scheduling, payments } = ports
    const key = clientKey(client_id)
    const value = await register.get(key)
    // The mode stands in the id: a client of a rehearsal is not shown among real ones.
    if (value === undefined || modeOfClientId(client_id) !== practiceMode(ports))
      throw problem('client_not_found')
    const [intake, bookings, links] = await Promise.all([
      register.tied(key, 'intake', MOST),
      // What was rehearsed for the same address is not shown among what is real.
      register.tiedTo(key, 'booking', scheduling.mode, MOST),
      register.tiedTo(key, 'payment_link', payments.mode, MOST),
    ])
    const ended = await endedAmong(ports, bookings.entries)
    return {
      operation: 'get_client' as const,
      mode: practiceMode(ports),
      client: keptClient({ value }),
      notes_notice: NOTES_NOTICE,
      intake: intake.entries.map(keptIntake),
      bookings: bookings.entries.map((entry) => madeBooking(entry, ended.has(entry.key))),
      payment_links: links.entries.map(madeLink),
      left_off: {
        intake: intake.count - intake.entries.length,
        bookings: bookings.count - bookings.entries.length,
        payment_links: links.count - links.entries.length,
      },
    }
  },
  example: {
    input: { client_id: EXAMPLE_CLIENT.client_id },
    result: {
      operation: 'get_client',
      mode: 'mock',
      client: EXAMPLE_CLIENT,
      notes_notice: NOTES_NOTICE,
      intake: [
        {
          intake_id: 'intake_Zk3vQ0p9sT1uW2xY4aB6cD',
          state: 'submitted',
          answers: { primary_goal: 'retirement', household_members: 2, notes: 'Prefers mornings.' },
          submitted_at: '2026-11-23T14:05:40Z',
        },
      ],
      bookings: [
        {
          booking_id: 'bk_mock_4f1c2a9b7d3e8f60',
          start_time: '2026-11-24T10:00:00-05:00',
          end_time: '2026-11-24T10:30:00-05:00',
          timezone: 'America/New_York',
          local_time: 'Tuesday, November 24, 2026, 10:00 AM EST',
          event_type: 'consult',
          made_at: '2026-11-23T14:07:02Z',
          ended_here: false,
        },
      ],
      payment_links: [
        {
          payment_link_id: 'pl_in_mock_open',
          invoice_id: 'in_mock_open',
          invoice_number: 'MOCK-0001',
          amount: 25000,
          currency: 'usd',
          amount_display: '$250.00',
          made_at: '2026-11-23T14:09:30Z',
        },
      ],
      left_off: { intake: 0, bookings: 0, payment_links: 0 },
    },
  },
})

/** The keys of those bookings that were cancelled or moved through this service. */
async function endedAmong({ register }: Ports, bookings: Entry[]): Promise<Set<string>> {
  const ends = await register.known(bookings.map(({ key }) => `${key}:end`))
  return new Set(ends.map((key) => key.slice(0, -':end'.length)))
}
