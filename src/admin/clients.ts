import * as z from 'zod'
import { problem } from '../domain/problem/problem.ts'
import { OWNED_KINDS } from '../domain/records.ts'
import { checkClientId, modeOfClientId } from '../operations/client/identity.ts'
import { clientIdField } from '../operations/create-client-profile.ts'
import type { StoredClient } from '../ports/records.ts'
import type { Services } from '../ports/services.ts'
import { httpEndpoint } from '../openapi/endpoint.ts'
import { namedObject } from '../operations/schemas.ts'

const params = z.object({ client_id: clientIdField })

const countFields = Object.fromEntries(
  OWNED_KINDS.map(({ count, description }) => [count, z.int().meta({ description })]),
)

const holdingsSchema = namedObject('ClientHoldings', 'What a deletion of the client erases.', {
  client_id: clientIdField,
  deleted: z.boolean().meta({ description: 'It was deleted already.' }),
  display_name: z.union([z.string(), z.null()]).meta({ description: 'Initials only.' }),
  contact_email: z.union([z.string(), z.null()]).meta({ description: 'Masked.' }),
  ...countFields,
})

const deletedSchema = namedObject('DeletedClient', { client_id: clientIdField, deleted: z.literal(true) })

const shownSchema = z.object({ display_name: z.string(), contact_email: z.string() })

/** What is kept about a client. Raises `client_not_found` for an id that was not issued here. */
export async function storedClient(
  { keyring, clientErasure }: Services,
  clientId: string,
): Promise<StoredClient> {
  // A mock client can be deleted after going live, too.
  const verdict = await checkClientId(await keyring(), clientId, modeOfClientId(clientId))
  if (verdict === 'foreign') throw problem('client_not_found')
  const stored = await clientErasure.stored(clientId)
  // Once the secret of the id is gone, only the records can confirm the id.
  if (verdict === 'unlisted' && !stored.erased && stored.value === null) throw problem('client_not_found')
  return stored
}

export const CLIENT_ENDPOINTS = [
  httpEndpoint({
    http: { method: 'get', path: '/v1/clients/{client_id}/deletion' },
    operationId: 'preview_client_deletion',
    summary: 'Show what a deletion of a client erases',
    description: 'Reads only.',
    scopes: ['admin'],
    params,
    answer: { description: 'What is kept about the client.', schema: holdingsSchema },
    problems: ['client_not_found'],
    async run({ client_id }, _owner, c) {
      const { erased, value, counts } = await storedClient(c.var.services, client_id)
      const shown = value === null ? undefined : shownSchema.parse(JSON.parse(value))
      return {
        client_id,
        deleted: erased,
        display_name: shown?.display_name ?? null,
        contact_email: shown?.contact_email ?? null,
        ...Object.fromEntries(OWNED_KINDS.map(({ kind, count }) => [count, counts[kind] ?? 0])),
      }
    },
  }),
  httpEndpoint({
    http: { method: 'delete', path: '/v1/clients/{client_id}' },
    operationId: 'delete_client',
    summary: "Delete a client's data",
    description:
      'Erases the record of the client, all intake answers, and what previews and stored answers show of them. It cannot be undone. What is left is the client_id, marked as deleted, and its entries in the audit log. A repeat answers the same.',
    scopes: ['admin'],
    params,
    answer: {
      description: 'It is deleted. Copies in caches may show it for about a minute more.',
      schema: deletedSchema,
    },
    problems: ['client_not_found'],
    async run({ client_id }, { caller, requestId }, c) {
      const { services } = c.var
      await storedClient(services, client_id)
      await services.clientErasure.eraseClient(client_id, { caller, requestId })
      return { client_id, deleted: true as const }
    },
  }),
]
