import * as z from 'zod'

import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { namedObject } from '../../practice/operations/schemas.ts'
import { ensureProviderWebhooks } from '../../practice/provider-sync/registering.ts'
import { selfCheck } from '../health/self-check.ts'

const findingSchema = namedObject('Finding', 'What the doctor found, and what to do about it.', {
  id: z.string(),
  what: z.string().meta({ description: 'What was looked at.' }),
  state: z.enum(['ok', 'failed', 'not_checked']),
  found: z.string().meta({ description: 'What was found, or why it was not looked at.' }),
  fix: z.string().optional().meta({ description: 'What to do about it.' }),
  code: z
    .string()
    .optional()
    .meta({ description: 'The code of the problem, where one was the reason.' }),
})

const webhookSchema = z.strictObject({
  provider: z.string(),
  state: z.string().meta({ description: 'active, or why not.' }),
  detail: z.string().optional().meta({ description: 'What to change.' }),
})

export const examineInstallation = httpEndpoint({
  http: { method: 'get', path: '/v1/doctor' },
  operationId: 'examine_installation',
  summary: 'Check the installation',
  description:
    'Checks the settings, the providers, every binding and the unresolved operations: by reads, and by a value written to each KV namespace, which is gone within a minute. `/health` shows what it finds about the providers from then on.',
  scopes: ['admin'],
  answer: {
    description: 'What was found.',
    schema: z.strictObject({ ok: z.boolean(), findings: z.array(findingSchema) }),
  },
  async run(_input, { caller, origin }, c) {
    const findings = await selfCheck(c.env, origin, 'examine_installation', caller)
    return { ok: findings.every(({ state }) => state !== 'failed'), findings }
  },
})

export const registerProviderWebhooks = httpEndpoint({
  http: { method: 'post', path: '/v1/admin/provider-webhooks' },
  operationId: 'register_provider_webhooks',
  summary: 'Register the webhooks at the providers',
  description:
    'Makes those that are missing, by which the providers say at once what has changed. Harmless to repeat, and done by itself now and then.',
  scopes: ['admin'],
  answer: {
    description: 'How each stands; none for a mock.',
    schema: z.strictObject({ webhooks: z.array(webhookSchema) }),
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
