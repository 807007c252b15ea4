import { createHash, randomBytes } from 'node:crypto'

import { startLocal } from '../../../src/cli/local.ts'
import { servedApp } from '../../../src/cli/reference/served.ts'
import { hashApiKey, newApiKey } from '../../../src/core/crypto/api-key.ts'
import { DAY, HOUR } from '../../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../../src/owner/access/passkey-enrolment.ts'
import { SEED } from '../../../src/practice/operations/index.ts'
import { PROMPTS } from '../../../src/practice/operations/prompts.ts'
import type { OpenApi } from '../../support/openapi.ts'
import type { Ready, Target, World } from './requests.ts'

/** A connector on a free port of loopback with everything switched on, and what there is to ask of it. */
export async function startWorld(script: string, onLog: (line: string) => void) {
  const key = newApiKey(randomBytes(32))
  const enrolment = newEnrolmentToken(Date.now() + HOUR, randomBytes(32))
  const local = await startLocal({
    script,
    onLog,
    vars: {
      SIGNING_SECRET: randomBytes(32).toString('base64url'),
      ALLOW_ANONYMOUS: 'true',
      ALLOWED_ORIGINS: 'https://app.example.com',
      OWNER_KEY_SHA256: await hashApiKey(key),
      OWNER_ENROLMENT_SHA256: createHash('sha256').update(enrolment).digest('hex'),
    },
  })
  return { url: local.url, stop: local.stop, world: await worldOf(local.url, key) }
}

async function worldOf(url: string, ownerKey: string): Promise<World> {
  const ask = async (
    path: string,
    body?: object,
    key = 'the key of the beginning',
  ): Promise<Record<string, unknown>> => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
    const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {}
    return (await (await fetch(new URL(path, url), sent)).json()) as Record<string, unknown>
  }
  const openApi = (await ask('/openapi.json')) as unknown as OpenApi
  const from = new Date(Date.now() + 2 * DAY).toISOString()
  const { slots } = (await ask(`/v1/availability?start_time=${from}`)) as {
    slots: { start_time: string }[]
  }
  const [first, second] = slots.map(({ start_time }) => start_time) as [string, string]
  const done = async (path: string, fields: object, key: string): Promise<string[]> => {
    const { confirmation_token } = await ask(path, { ...fields, confirm: false }, key)
    const { result } = await ask(path, { ...fields, confirm: true, confirmation_token }, key)
    const { booking_id, client_id } = result as Record<string, string>
    return [String(confirmation_token), booking_id ?? client_id ?? '']
  }
  const guest = {
    start_time: first,
    timezone: 'Europe/Lisbon',
    invitee_email: 'robin@guests.example',
  }
  const profile = {
    entity_type: 'llc',
    display_name: 'Robin Castle',
    contact_email: 'robin@guests.example',
  }
  const scoped = await ask('/v1/keys', {
    name: 'A key with one scope',
    scopes: ['availability:read'],
  })
  const spare = await ask('/v1/keys', {
    name: 'A key to be revoked',
    scopes: ['availability:read'],
  })
  const ids = [
    ...(await done('/v1/bookings', guest, 'the first booking')),
    ...(await done('/v1/clients', profile, 'the first client')),
  ]
  const [, booking_id = '', , client_id = ''] = ids
  const targets = targetsOf(openApi)
  const ready: Ready[] = []
  for (const { tool, path, body } of targets) {
    if (tool === undefined || body === undefined) continue
    const named = { booking_id, client_id }
    const inPath = Object.entries(named).filter(([name]) => path.includes(`{${name}}`))
    const own = Object.fromEntries(inPath)
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name]!)
    for (const n of [1, 2, 3]) {
      const times =
        'start_time' in body
          ? { start_time: slots[slots.length - ready.length - 1]!.start_time }
          : {}
      const invoice = 'invoice_id' in body ? { invoice_id: 'in_mock_open' } : {}
      const fields = { ...body, ...times, ...invoice, confirm: false }
      const key = `a preview of ${tool} ${n}`
      const { confirmation_token } = await ask(at, fields, key)
      if (typeof confirmation_token !== 'string') throw new Error(`no preview of ${tool}`)
      ready.push({
        tool,
        path,
        ids: own,
        key,
        body: { ...fields, confirm: true, confirmation_token },
      })
    }
  }
  return {
    targets,
    ready,
    paths: [...new Set((await servedApp()).routes.map(({ path }) => path))].filter(
      (path) => !/[*:]/.test(path),
    ),
    prompts: PROMPTS.map(({ name, arguments: given }) => ({
      name,
      arguments: given.map((one) => one.name),
    })),
    credentials: [ownerKey, String(scoped['key'])],
    ids: [...ids, 'in_mock_open', String(spare['id'])],
    start: second,
  }
}

/** Everything that the OpenAPI document names, so that a new route is asked as soon as it is there. */
function targetsOf({ paths, components }: OpenApi): Target[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content['application/json']
      const example = Object.values(content?.examples ?? {})[0]?.value ?? content?.example
      const named = components.schemas[content?.schema.$ref?.split('/').at(-1) ?? '']
      const fields = Object.keys(named?.properties ?? {}).map((field) => [field, 'x'])
      return {
        method: method.toUpperCase(),
        path,
        tool: SEED.find(({ name }) => name === operation.operationId)?.name,
        body: content
          ? ((example ?? Object.fromEntries(fields)) as Record<string, unknown>)
          : undefined,
        query: (operation.parameters ?? []).flatMap((one) =>
          one.in === 'query' ? [one.name] : [],
        ),
      }
    }),
  )
}
