import * as z from 'zod'

import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { namedObject, textField } from '../../practice/operations/schemas.ts'
import { ensureProviderWebhooks } from '../../practice/provider-sync/registering.ts'
import { selfCheck } from '../health/self-check.ts'

const findingSchema = z.lazy(() =>
  namedObject('Finding', 'What the doctor found, and what to do about it.', {
    id: z.string(),
    what: textField('What the check looked at.'),
    state: z.enum(['ok', 'failed', 'missing', 'not_checked']),
    found: textField('What the check found, or why it did not run.'),
    fix: z.string().optional().meta({ description: 'What to do about the problem.' }),
    code: z
      .string()
      .optional()
      .meta({ description: 'The code of the problem, if a problem was the reason.' }),
  }),
)

const webhookSchema = z.lazy(() =>
  z.strictObject({
    provider: z.string(),
    state: textField('active, or why not.'),
    detail: z.string().optional().meta({ description: 'What the owner has to change.' }),
  }),
)

export const examineInstallation = httpEndpoint({
  route: 'GET /v1/doctor',
  operationId: 'examine_installation',
  summary: 'Check the installation',
  description:
    'Checks the settings, the providers, every binding and the unresolved operations. ' +
    'It reads, and it writes one value to each KV namespace, which is deleted within a ' +
    'minute. Afterwards `/health` shows what it found about the providers.',
  scopes: ['admin'],
  answer: {
    description: 'The findings.',
    schema: z.lazy(() => z.strictObject({ ok: z.boolean(), findings: z.array(findingSchema) })),
  },
  async run(_input, { caller, origin }, c) {
    const findings = await selfCheck(c.env, origin, 'examine_installation', caller)
    return { ok: findings.every(({ state }) => state !== 'failed'), findings }
  },
})

export const registerProviderWebhooks = httpEndpoint({
  route: 'POST /v1/admin/provider-webhooks',
  operationId: 'register_provider_webhooks',
  summary: 'Register the webhooks at the providers',
  description:
    'Registers the missing webhooks, with which the providers report changes at once. ' +
    'It is safe to repeat. The connector also does it automatically now and then.',
  scopes: ['admin'],
  answer: {
    description: 'The state of each webhook; none for a mock provider.',
    schema: z.lazy(() => z.strictObject({ webhooks: z.array(webhookSchema) })),
  },
  async run(_input, { origin }, c) {
    const outcomes = Object.entries(await ensureProviderWebhooks(c.env, origin))
    const webhooks = outcomes.map(([provider, found]) => ({
      provider,
      state: found.is,
      ...('detail' in found && { detail: found.detail }),
    }))
    c.var.note({
      event: 'check',
      code: webhooks.find(({ state }) => state !== 'active')?.state.replaceAll(' ', '_') ?? 'ok',
    })
    return { webhooks }
  },
})
