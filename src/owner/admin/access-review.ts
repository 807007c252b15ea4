import * as z from 'zod'

import type { AppContext } from '../../api/http/app-env.ts'
import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import { momentField, namedObject } from '../../practice/operations/schemas.ts'
import { disconnect } from '../access/connected-apps.ts'
import { requireReviewed, revokeKey } from './keys.ts'

const ids = (description: string) => z.array(z.string()).max(1000).optional().meta({ description })

const requestSchema = z.lazy(() =>
  namedObject('AccessReviewRequest', {
    end: ids('The credentials that the owner does not know.'),
    keep: ids('The credentials that the owner knows.'),
  }),
)

const answerSchema = z.lazy(() =>
  namedObject('AccessReview', {
    unreviewed: z.array(
      z.strictObject({
        kind: z.enum(['key', 'app']),
        id: z.string(),
        name: z.string(),
        created_at: momentField,
      }),
    ),
  }),
)

/** The deploy command asks the owner who was let in before a provider was live. */
export const accessReview = httpEndpoint({
  route: 'POST /v1/admin/access-review',
  operationId: 'review_access',
  summary: 'Review who was let in before a provider was live',
  description:
    'Lists the API keys and apps that were let in while every provider was a mock, and ' +
    'that are still valid now that a provider is live. It ends the ones in `end`. ' +
    'Once each is in `end` or `keep`, none is listed any more. ' +
    'With an empty body it only lists them. A key that is itself on the list cannot ' +
    'decide.',
  scopes: ['admin'],
  body: requestSchema,
  answer: { description: 'The credentials that are left to review.', schema: answerSchema },
  async run({ end = [], keep = [] }, owner, c) {
    const { services } = c.var
    const found = await services.unreviewedAccess()
    const ended = found.filter(({ id }) => end.includes(id))
    const left = found.filter((one) => !ended.includes(one))
    if (end.length + keep.length > 0) await requireReviewed(owner, services)
    for (const { kind, id } of ended) await (kind === 'key' ? revokeKey : disconnect)(c, id)
    const isOver = found.length > 0 && left.every(({ id }) => keep.includes(id))
    if (isOver) await recordReview(c)
    const unreviewed = isOver
      ? []
      : left.map(({ since, ...one }) => ({ ...one, created_at: isoSeconds(since) }))
    return { unreviewed }
  },
})

/** Takes the owner's word that all who are left of those let in before a provider was live are known. */
export async function recordReview(c: AppContext) {
  await c.var.noteBefore({ event: 'key', code: 'reviewed' })
  await c.var.services.access.recordReview()
}
