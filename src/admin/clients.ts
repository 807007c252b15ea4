import * as z from 'zod'
import { type App, createRoute } from '../app-env.ts'
import { clientKey, intakePrefix } from '../domain/client.ts'
import { problem } from '../domain/problem.ts'
import { checkClientId, modeOfClientId } from '../operations/client-id.ts'
import { clientIdField } from '../operations/create-client-profile.ts'
import type { ClientDeletion, Ports } from '../ports/index.ts'
import { type Admin, adminRoute, refusals } from './admin.ts'

const params = z.object({ client_id: clientIdField })

const holdingsSchema = z
  .strictObject({
    client_id: clientIdField,
    deleted: z.boolean().meta({ description: 'It was deleted already.' }),
    display_name: z.union([z.string(), z.null()]).meta({ description: 'Initials only.' }),
    contact_email: z.union([z.string(), z.null()]).meta({ description: 'Masked.' }),
    intake_submissions: z.int().meta({ description: 'How many submissions of intake answers are kept.' }),
  })
  .meta({ id: 'ClientHoldings', description: 'What a deletion of the client erases.' })

const deletedSchema = z
  .strictObject({ client_id: clientIdField, deleted: z.literal(true) })
  .meta({ id: 'DeletedClient' })

const holdingsRoute = createRoute({
  ...adminRoute,
  method: 'get',
  path: '/v1/clients/{client_id}/deletion',
  operationId: 'preview_client_deletion',
  summary: 'Show what a deletion of a client erases',
  description: 'Reads only. The count may miss a submission of the last minute; a deletion does not.',
  'x-openai-isConsequential': false,
  request: { params },
  responses: {
    200: {
      description: 'What is kept about the client.',
      content: { 'application/json': { schema: holdingsSchema } },
    },
    ...refusals('client_not_found'),
  },
})

const deleteRoute = createRoute({
  ...adminRoute,
  method: 'delete',
  path: '/v1/clients/{client_id}',
  operationId: 'delete_client',
  summary: "Delete a client's data",
  description:
    'Erases the record of the client, all intake answers, and what previews and stored answers show of them. It cannot be undone. What is left is the client_id, marked as deleted, and its entries in the trail. A repeat answers the same.',
  'x-openai-isConsequential': true,
  request: { params },
  responses: {
    200: {
      description: 'It is deleted. Copies in caches may show it for about a minute more.',
      content: { 'application/json': { schema: deletedSchema } },
    },
    ...refusals('client_not_found'),
  },
})

const shownSchema = z.object({ display_name: z.string(), contact_email: z.string() })

/** What is kept about a client. Raises `client_not_found` for an id that was not issued here; no such id leads to an object. */
async function holdingsOf({ keyring, records }: Ports, deletion: ClientDeletion, clientId: string) {
  // A client of a rehearsal can be deleted after going live, too.
  const verdict = await checkClientId(keyring, clientId, modeOfClientId(clientId))
  if (verdict === 'foreign') throw problem('client_not_found')
  const [{ deleted, keys }, stored, listed] = await Promise.all([
    deletion.holdings(clientId),
    records.get(clientKey(clientId)),
    records.keys(intakePrefix(clientId)),
  ])
  const submissions = new Set([...keys, ...listed].filter((key) => key.startsWith(intakePrefix(clientId))))
  const anything = deleted || stored !== null || keys.length + listed.length > 0
  // Where the secret of the id is gone, only what is kept can tell.
  if (verdict === 'unlisted' && !anything) throw problem('client_not_found')
  return { deleted, stored, submissions: deleted ? 0 : submissions.size }
}

/** Adds the routes with which the owner deletes a client's data. */
export function addClientRoutes(app: App, { asOwner, clientDeletion }: Admin): void {
  for (const route of [holdingsRoute, deleteRoute]) app.document(() => route)

  app.get(holdingsRoute.getRoutingPath(), async (c) => {
    const { ports } = await asOwner(c, holdingsRoute.operationId)
    const client_id = c.req.param('client_id')
    const { deleted, stored, submissions } = await holdingsOf(ports, clientDeletion(c), client_id)
    const shown = deleted ? undefined : shownSchema.safeParse(stored).data
    return c.json({
      client_id,
      deleted,
      display_name: shown?.display_name ?? null,
      contact_email: shown?.contact_email ?? null,
      intake_submissions: submissions,
    })
  })

  app.delete(deleteRoute.getRoutingPath(), async (c) => {
    const { ports, caller } = await asOwner(c, deleteRoute.operationId)
    const client_id = c.req.param('client_id')
    const deletion = clientDeletion(c)
    await holdingsOf(ports, deletion, client_id)
    await deletion.delete(client_id, { caller, requestId: c.var.requestId })
    return c.json({ client_id, deleted: true as const })
  })
}
