import * as z from 'zod'

import { EXAMPLE_CLIENT } from './create-client-profile.ts'
import { defineRead, practiceMode, mockMark } from './operation.ts'
import {
  ON_PAGE,
  cursorField,
  issueCursor,
  limitField,
  moreLine,
  nextCursorField,
  readCursor,
  sameInitialsLine,
} from './pagination.ts'
import { clientLine, clientView, clientViewSchema } from './record-views.ts'
import { answerOfRead } from './schemas.ts'

export const EXAMPLE_KEPT_CLIENT = { ...EXAMPLE_CLIENT, created_at: '2037-11-23T14:03:10Z' }

export const listClients = defineRead({
  name: 'list_clients',
  title: 'List clients',
  description:
    'Lists the clients (customer records) whose profiles were created here, newest first, ' +
    'masked. next_cursor leads to the next page. find_client finds a client by email ' +
    'address.',
  scope: 'clients:read',
  route: 'GET /v1/clients',
  provider: null,
  problems: [],
  input: z.strictObject({ limit: limitField, cursor: cursorField.optional() }),
  output: answerOfRead('list_clients', 'Clients', 'The clients, newest first.', {
    clients: z.array(clientViewSchema),
    next_cursor: nextCursorField,
  }),
  async run({ limit = ON_PAGE, cursor }, ports) {
    const { records, keyring } = ports
    const { before } =
      cursor === undefined
        ? { before: Number.MAX_SAFE_INTEGER }
        : await readCursor(await keyring(), 'clients', cursor, z.object({ before: z.int() }))
    const found = await records.newest('client', practiceMode(ports), before, limit + 1)
    const shown = found.slice(0, limit)
    return {
      clients: shown.map(clientView),
      next_cursor:
        found.length > shown.length
          ? await issueCursor(await keyring(), 'clients', { before: shown.at(-1)!.seq })
          : null,
    }
  },
  lines: ({ clients, next_cursor, mode }, says) => [
    `${clients.length === 0 ? 'No clients' : 'Clients, newest first'}${mockMark(mode)}:`,
    clients.map(clientLine),
    sameInitialsLine({
      initials: clients.map(({ display_name }) => display_name),
      people: 'Clients',
      row: 'client',
      askFor: 'the email address. find_client searches by it',
      says,
    }),
    next_cursor === null ? 'That is all.' : moreLine(next_cursor),
  ],
  resources: [
    {
      address: 'consult://clients',
      name: 'clients',
      title: 'Clients',
      description:
        'The clients, newest first: the first page. The next one is ' +
        'consult://clients?cursor=, followed by the next_cursor.',
      request: () => ({ fields: {} }),
    },
    {
      address: 'consult://clients{?cursor}',
      name: 'more_clients',
      title: 'More clients',
      description: 'The next page of the list of clients, by its next_cursor.',
      request: (cursor) => ({ fields: { cursor } }),
    },
  ],
  example: { input: {}, result: { clients: [EXAMPLE_KEPT_CLIENT], next_cursor: null } },
})
