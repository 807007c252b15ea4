import * as z from 'zod'

import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { bookingIdOf, providerIdOf } from '../../core/domain/booking.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import { firstOf, listQuery, listSchema } from '../../practice/operations/pagination.ts'
import { momentField, namedObject } from '../../practice/operations/schemas.ts'

const operation_id = z.string().meta({
  description: 'The id of an operation whose outcome is not known, as GET /v1/unresolved lists it.',
  examples: ['8061cda4e1f5b7f2c3d4a5968778695a4b3c2d1e0f9e8d7c6b5a493827160504'],
})

const unresolvedSchema = z.lazy(() =>
  namedObject(
    'UnresolvedOperation',
    'An operation whose outcome is not known: a person has to find it out at the provider.',
    {
      operation_id,
      operation: z.string(),
      unresolved_at: momentField,
      part: z.string().optional().describe('Which part of it is in doubt, where it has several.'),
    },
  ),
)

/** What a person can name of what was made: each as it is kept, or undefined where the text is none. */
const AS_KEPT = {
  booking_id: (text: string) =>
    [text, bookingIdOf(text)].find((id) => providerIdOf(id) !== undefined),
  payment_link_id: (text: string) => (/^[\w-]{1,128}$/.test(text) ? text : undefined),
  url: (text: string) =>
    /^https?:[^\s@]{1,300}$/.test(text) && URL.canParse(text) ? text : undefined,
}
type MadeName = keyof typeof AS_KEPT
export const MADE_NAMES = Object.keys(AS_KEPT) as MadeName[]

/** What was named, as it is kept, and what is wrong with the rest: an email address would be stored. */
export function madeFacts(named: Partial<Record<MadeName, string | undefined>>) {
  const facts: [MadeName, string][] = []
  const wrong: [MadeName, string][] = []
  for (const name of MADE_NAMES) {
    const text = named[name]
    if (text === undefined) continue
    const fact = AS_KEPT[name](text)
    if (fact !== undefined) facts.push([name, fact])
    else if (name === 'url') wrong.push([name, 'Give the whole address.'])
    else wrong.push([name, 'Give the id as the provider shows it.'])
  }
  return { facts, wrong }
}

/** What the owner is answered who resolves a change that this version does not know. */
export const NEWER_BEGAN_IT = {
  detail: 'A newer version of the connector began this change, so it was left as it is.',
  next_step: 'Deploy that version again, then resolve the change.',
}

/** At most so many of the ids that an operation holds are listed. */
const MOST_HELD = 100

const heldSchema = z.lazy(() =>
  namedObject(
    'HeldNotifications',
    'What a provider named and may be what an operation in doubt has made: its events wait ' +
      'until that is known.',
    {
      operation_id,
      count: z.int(),
      held: z.array(z.string()).meta({
        description: `The bookings and invoices that the providers named, at most ${MOST_HELD}.`,
        examples: [['bk_9f3c1a20']],
      }),
      held_since: momentField,
    },
  ),
)

const verdictSchema = z.lazy(() =>
  namedObject('OutcomeVerdict', 'What the owner found out about an operation.', {
    outcome: z.enum(['happened', 'did_not_happen']).meta({ examples: ['did_not_happen'] }),
    part: z.string().optional().meta({
      description: 'The part that they looked for; required if GET /v1/unresolved names one.',
    }),
    booking_id: z.string().optional().meta({
      description: 'The booking that was made, by its id at the provider; required if one was.',
    }),
    payment_link_id: z
      .string()
      .optional()
      .meta({ description: 'The payment link that was made; required if one was.' }),
    url: z.url().optional().meta({ description: 'The address of that link.' }),
  }),
)

const resolvedSchema = z.lazy(() =>
  namedObject('Resolved', { operation_id, resolved: z.literal(true) }),
)

/** What a verdict lacks that resolves nothing. */
const LACKS = {
  'other part': {
    pointer: '/part',
    detail:
      'Give the part that is in doubt now, as GET /v1/unresolved has it; none if it has none.',
  },
  'facts missing': {
    pointer: '',
    detail: 'This operation needs booking_id, or payment_link_id and url, of what was made.',
  },
}

export const UNRESOLVED_ENDPOINTS = [
  httpEndpoint({
    route: 'GET /v1/unresolved',
    operationId: 'list_unresolved',
    summary: 'List unresolved operations',
    description:
      'Lists operations that were sent to a provider, got no answer, and could not be ' +
      'found there afterwards. Beside them it lists the notifications that an operation in ' +
      'doubt holds, also for one that is still looked for.',
    scopes: ['admin'],
    query: listQuery,
    answer: {
      description: 'The operations, oldest first.',
      schema: z.lazy(() =>
        listSchema('unresolved', unresolvedSchema).extend({
          held_notifications: z.array(heldSchema),
        }),
      ),
    },
    async run({ limit }, _owner, c) {
      const { unresolved, providerSync } = c.var.services
      const [all, held] = await Promise.all([unresolved.list(), providerSync.heldNotifications()])
      const shown = all.map(({ flow: _flow, since: unresolved_at, ...one }) => ({
        ...one,
        unresolved_at,
      }))
      const held_notifications = held.map(({ operation_id, count, targets, since }) => ({
        operation_id,
        count,
        held: targets.slice(0, MOST_HELD),
        held_since: isoSeconds(since),
      }))
      return { ...firstOf('unresolved', shown, limit), held_notifications }
    },
  }),
  httpEndpoint({
    route: 'POST /v1/unresolved/{operation_id}',
    operationId: 'resolve_operation',
    summary: 'Resolve an uncertain operation',
    description:
      'Records what the owner found at the provider. The operation then continues or ends.',
    scopes: ['admin'],
    params: z.lazy(() => z.object({ operation_id })),
    body: verdictSchema,
    answer: { description: 'The operation is resolved.', schema: resolvedSchema },
    problems: ['not_found'],
    async run({ operation_id, outcome, part, ...named }, _owner, c) {
      const { facts, wrong } = madeFacts(named)
      if (wrong.length > 0) {
        const errors = wrong.map(([name, detail]) => ({ pointer: `/${name}`, detail }))
        throw problem('validation_failed', { errors })
      }
      const verdict = await c.var.services.unresolved.resolve(
        operation_id,
        outcome === 'happened',
        Object.fromEntries(facts),
        part,
      )
      if (verdict === 'nothing to resolve') {
        throw problem('not_found', {
          detail: 'No operation with this id needs a person.',
          next_step: 'GET /v1/unresolved, or npm run resolve, lists those that do.',
        })
      }
      if (verdict === 'newer version') throw problem('not_configured', NEWER_BEGAN_IT)
      if (verdict !== 'resolved') throw problem('validation_failed', { errors: [LACKS[verdict]] })
      c.var.note({ event: 'resolution', code: outcome, operation_id })
      return { operation_id, resolved: true as const }
    },
  }),
]
