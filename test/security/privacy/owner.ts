import { newApiKey } from '../../../src/core/crypto/api-key.ts'
import type { Inquirer } from './answers.ts'
import { canary } from './canaries.ts'
import { journey } from './journeys.ts'

/** A key with which the owner begins. */
export const ownerKey = newApiKey(crypto.getRandomValues(new Uint8Array(32)))

const keyIn = (text: string): { id: string; key: string } => {
  const { id, key } = JSON.parse(text) as { id?: string; key?: string }
  if (id === undefined || key === undefined) throw new Error(`no key: ${text}`)
  return { id, key }
}

const wrongBodies = (): (object | string)[] => [
  { [canary('unknown_field')]: canary('wrong_value') },
  {
    name: [canary('wrong_value')],
    scopes: [canary('wrong_value')],
    expires_in_days: canary('wrong_value'),
  },
  { outcome: canary('wrong_value'), booking_id: canary('other_email') },
  { overlap_hours: canary('wrong_value') },
  `{"name": "${canary('malformed_json')}`,
]

/** Makes a client with intake answers, looks at what is kept, and has it deleted, twice. */
async function forgetting(owner: Inquirer): Promise<void> {
  const committed = async (operation: string, fields: object) => {
    const key = crypto.randomUUID()
    const { confirmation_token } = await owner.call(
      'REST',
      operation,
      { ...fields, confirm: false },
      key,
    )
    const { result } = await owner.call(
      'REST',
      operation,
      { ...fields, confirm: true, confirmation_token },
      key,
    )
    return String(result?.['client_id'])
  }
  const client_id = await committed('create_client_profile', {
    entity_type: 'individual',
    display_name: canary('display_name'),
    contact_email: canary('contact_email'),
  })
  await committed('submit_intake_answers', {
    client_id,
    answers: { primary_goal: 'other', notes: `Mail ${canary('email_in_notes')}.` },
  })
  const path = `/v1/clients/${client_id}`
  await owner.ask(`${path}/deletion`)
  for (let time = 0; time < 2; time++) await owner.ask(path, { method: 'DELETE' })
  await owner.ask(`${path}/deletion`)
  await owner.ask(`/v1/clients/${canary('path')}`, { method: 'DELETE' })
}

/** Hands out keys, uses and ends them, and makes every mistake on the way. Returns the keys: secrets all of them. */
export async function owning(owner: Inquirer, as: (key: string) => Inquirer): Promise<string[]> {
  const scopes = [
    'availability:read',
    'bookings:write',
    'clients:write',
    'intake:write',
    'payments:write',
  ]
  const made = keyIn(await owner.ask('/v1/keys', { body: { name: 'Front desk', scopes } }))
  await journey(as(made.key), 'REST')
  await as(made.key).ask('/v1/me')
  await as(made.key).ask('/v1/keys')
  const rotated = keyIn(
    await owner.ask(`/v1/keys/${made.id}/rotate`, { body: { overlap_hours: 0 } }),
  )
  await as(rotated.key).ask('/v1/me')
  await owner.ask(`/v1/keys/${made.id}`, { method: 'DELETE' })
  await as(rotated.key).ask('/v1/me')
  for (const path of ['/v1/keys', '/v1/me', '/v1/unresolved', '/v1/doctor']) await owner.ask(path)
  for (const path of [
    '/v1/keys',
    `/v1/keys/${canary('path')}/rotate`,
    `/v1/unresolved/${canary('path')}`,
  ]) {
    for (const body of wrongBodies()) await owner.ask(path, { body })
  }
  await owner.ask(`/v1/unresolved/${canary('path')}`, { body: { outcome: 'did_not_happen' } })
  await owner.ask(`/v1/keys/${canary('path')}`, { method: 'DELETE' })
  await forgetting(owner)
  return [made.key, rotated.key]
}
