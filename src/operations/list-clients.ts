import * as z from 'zod'
import { modeSchema } from '../domain/mode.ts'
import { cursorField, issueCursor, nextCursorField, readCursor } from './cursor.ts'
import { keptClient, keptClientSchema } from './made-here.ts'
import { practiceMode } from './operation.ts'
import { defineView } from './view.ts'

const ON_PAGE = 20

export const EXAMPLE_CLIENT = {
  client_id: 'cl_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b9kLmNoPqRsTuVwXyZ012345',
  entity_type: 'individual',
  display_name: 'J. D.',
  contact_email: 'j***@***.com',
  timezone: 'America/New_York',
  created_at: '2026-11-23T14:03:10Z',
}

export const listClients = defineView({
  name: 'list_clients',
  title: 'List clients',
  description: `Returns the clients whose profiles were created here, newest first, masked. At most ${ON_PAGE} on a page.`,
  scope: 'clients:read',
  http: { method: 'get', path: '/v1/clients' },
  problems: [],
  input: z.strictObject({ cursor: cursorField.optional() }),
  output: z
    .strictObject({
      operation: z.literal('list_clients'),
      mode: modeSchema,
      clients: z.array(keptClientSchema),
      next_cursor: nextCursorField,
    })
    .meta({ id: 'Clients', description: 'Clients, newest first.' }),
  mode: practiceMode,
  async run({ cursor }, ports) {
    const { records, keyring } = ports
    const { before } =
      cursor === undefined
        ? { before: Number.MAX_SAFE_INTEGER }
        : await readCursor(keyring, 'clients', cursor, z.object({ before: z.int() }))
    const found = await records.newest('client', practiceMode(ports), before, ON_PAGE + 1)
    const shown = found.slice(0, ON_PAGE)
    return {
      operation: 'list_clients' as const,
      mode: practiceMode(ports),
      clients: shown.map(keptClient),
      next_cursor:
        found.length > shown.length
          ? await issueCursor(keyring, 'clients', { before: shown.at(-1)!.seq })
          : null,
    }
  },
  example: {
    input: {},
    result: { operation: 'list_clients', mode: 'mock', clients: [EXAMPLE_CLIENT], next_cursor: null },
  },
})
