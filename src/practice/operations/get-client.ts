import * as z from 'zod'

import { NOTES_NOTICE } from '../../core/domain/intake.ts'
import { modeOfId } from '../../core/domain/mode.ts'
import { counted } from '../../core/domain/plural.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import type { ClientRecords } from '../../core/ports/records.ts'
import type { Ports } from '../../core/ports/services.ts'
import { EXAMPLE_BOOKING } from './booking/schema.ts'
import { checkClientId } from './client/identity.ts'
import { clientIdField } from './create-client-profile.ts'
import { EXAMPLE_LINK } from './create-payment-link.ts'
import { EXAMPLE_KEPT_CLIENT } from './list-clients.ts'
import { defineRead, practiceMode, mockMark } from './operation.ts'
import { ON_PAGE, limitField, moreField } from './pagination.ts'
import {
  clientLine,
  clientView,
  intakeLine,
  intakeView,
  intakeViewSchema,
  bookingView,
  bookingViewSchema,
  linkLine,
  linkView,
  madeBookingLine,
  linkViewSchema,
  shownClientSchema,
  idsLike,
} from './record-views.ts'
import { answerOfRead } from './schemas.ts'
import { EXAMPLE_INTAKE } from './submit-intake-answers.ts'

const description =
  'Returns a client (customer record) by its client_id as it is kept, masked, with the ' +
  'intake answers, and with the bookings and payment links that were made here for the same ' +
  `email address; of each the newest, ${ON_PAGE} unless limit says otherwise. ` +
  'What was booked or paid elsewhere, or under another address, is not known here. ' +
  `${NOTES_NOTICE}`

const { client_id: _client, ...intake } = EXAMPLE_INTAKE
const { state: _state, invitee_email: _email, invitee_name: _name, ...booking } = EXAMPLE_BOOKING
const { url: _url, state: _active, reconciliation: _reconciliation, ...link } = EXAMPLE_LINK

export const getClient = defineRead({
  name: 'get_client',
  title: 'Read a client',
  description,
  scope: 'clients:read',
  route: 'GET /v1/clients/{client_id}',
  provider: null,
  problems: ['client_not_found'],
  input: z.strictObject({ client_id: clientIdField, limit: limitField }),
  output: answerOfRead(
    'get_client',
    'ClientRead',
    'One client, with the bookings and payment links that were made here for them.',
    {
      client: shownClientSchema,
      notes_notice: z
        .literal(NOTES_NOTICE)
        .describe('A fixed note for readers that see no schema; it is the same in every answer.'),
      intake: z.array(intakeViewSchema).describe('Newest first.'),
      bookings: z.array(bookingViewSchema).describe('Newest first.'),
      payment_links: z.array(linkViewSchema).describe('Newest first.'),
      more: z.strictObject({
        intake: moreField,
        bookings: moreField,
        payment_links: moreField,
      }),
    },
  ),
  async run({ client_id, limit = ON_PAGE }, ports) {
    // Mock records of the same email address are not shown among live ones.
    const modes = { bookings: ports.scheduling.mode, paymentLinks: ports.payments.mode }
    const found = await ports.records.ofClient(client_id, modes, limit)
    const { intake, bookings, paymentLinks } = found
    const client = await shownClient(client_id, found.client, ports)
    if (!client) throw problem('client_not_found')
    return {
      client,
      notes_notice: NOTES_NOTICE,
      intake: intake.entries.map(intakeView),
      bookings: bookings.entries.map(bookingView),
      payment_links: paymentLinks.entries.map(linkView),
      more: {
        intake: intake.count - intake.entries.length,
        bookings: bookings.count - bookings.entries.length,
        payment_links: paymentLinks.count - paymentLinks.entries.length,
      },
    }
  },
  lines({ client, mode, intake, bookings, payment_links, more }, says) {
    const older = (count: number, what: string) =>
      count > 0 && `${counted(count, `older ${what}`)} ${count === 1 ? 'is' : 'are'} not shown.`
    return [
      `${clientLine(client)}${mockMark(mode)}`,
      NOTES_NOTICE,
      intake.length === 0 ? 'No intake answers.' : 'Intake answers, newest first:',
      intake.map(intakeLine),
      older(more.intake, 'submission'),
      bookings.length === 0
        ? 'No bookings made here for this email address.'
        : 'Bookings made here, as they were then:',
      bookings.map(madeBookingLine),
      older(more.bookings, 'booking'),
      payment_links.length === 0
        ? 'No payment links made here for this email address.'
        : says('Payment links made here. get_payment_link says whether one is paid.'),
      payment_links.map(linkLine),
      older(more.payment_links, 'link'),
    ]
  },
  resources: [
    {
      address: 'consult://clients/{client_id}',
      name: 'client',
      title: 'A client',
      description,
      request: (client_id) => ({ fields: {}, path: { client_id } }),
      complete: (beginning, ports) => idsLike('client', practiceMode(ports), beginning, ports),
    },
  ],
  example: {
    input: { client_id: EXAMPLE_KEPT_CLIENT.client_id },
    result: {
      client: EXAMPLE_KEPT_CLIENT,
      notes_notice: NOTES_NOTICE,
      intake: [{ ...intake, submitted_at: '2037-11-23T14:05:40Z' }],
      bookings: [{ ...booking, created_at: '2037-11-23T14:07:02Z', ended_here: false }],
      payment_links: [{ ...link, created_at: '2037-11-23T14:09:30Z' }],
      more: { intake: 0, bookings: 0, payment_links: 0 },
    },
  },
})

/** The client of an id that was issued here, in this mode, and not erased; its record may be on its way. */
async function shownClient(client_id: string, value: ClientRecords['client'], ports: Ports) {
  const mode = practiceMode(ports)
  // The mode is part of the id: a mock client is not shown among live ones.
  if (value) return modeOfId(client_id) === mode ? clientView({ value }) : undefined
  if (value === null || (await checkClientId(await ports.keyring(), client_id, mode)) !== 'issued')
    return undefined
  const unknown = { entity_type: null, display_name: null, contact_email: null, timezone: null }
  return { client_id, ...unknown, created_at: null }
}
