import * as z from 'zod'

import { emailSchema } from '../../core/domain/email.ts'
import { clientsUnder } from './client/identity.ts'
import { EXAMPLE_KEPT_CLIENT } from './list-clients.ts'
import { defineRead, mockMark } from './operation.ts'
import { ON_PAGE, limitField, moreField } from './pagination.ts'
import { clientLine, clientView, clientViewSchema } from './record-views.ts'
import { answerOfRead } from './schemas.ts'

export const findClient = defineRead({
  name: 'find_client',
  title: 'Find a client',
  description:
    'Finds the clients (customer records) whose profile was created here with exactly this ' +
    'email address, upper or lower case. Returns their client_id and profile, masked, newest ' +
    'first. It does not search by name, nor for a part of an address.',
  scope: 'clients:read',
  // The email address is sent in the body, since URLs end up in logs.
  route: 'POST /v1/clients/search',
  provider: null,
  problems: [],
  input: z.strictObject({
    contact_email: emailSchema.meta({
      description:
        'The whole email address of the client; compared, and neither kept nor returned.',
      examples: ['jordan@example.com'],
    }),
    limit: limitField,
  }),
  output: answerOfRead(
    'find_client',
    'FoundClients',
    'The clients with an email address, newest first.',
    {
      clients: z.array(clientViewSchema),
      more: moreField,
    },
  ),
  async run({ contact_email, limit = ON_PAGE }, ports) {
    const { current } = await ports.keyring()
    const { entries, count } = await clientsUnder(contact_email, current, ports, limit)
    return { clients: entries.map(clientView), more: count - entries.length }
  },
  lines({ clients, more, mode }) {
    const found =
      clients.length === 0
        ? 'No client was created here with this email address'
        : 'Clients with this email address, newest first'
    return [
      `${found}${mockMark(mode)}.`,
      clients.map(clientLine),
      more > 0 && `${more} older ones are not shown.`,
    ]
  },
  example: {
    input: { contact_email: 'jordan@example.com' },
    result: { clients: [EXAMPLE_KEPT_CLIENT], more: 0 },
  },
})
