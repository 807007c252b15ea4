import { newApiKey } from '../../src/access/api-key.ts'
import type { Inquirer } from './answers.ts'
import { canary } from './canaries.ts'
import { journey } from './journeys.ts'

/** A key with which the owner begins. */
export const ownerKey = newApiKey('test', crypto.getRandomValues(new Uint8Array(32)))

const keyIn = (text: string): { id: string; key: string } => {
  const { id, key } = JSON.parse(text) as { id?: string; key?: string }
  if (id === undefined || key === undefined) throw new Error(`no key: ${text}`)
  return { id, key }
}

const wrongBodies = (): (object | string)[] => [
  { [canary('unknown_field')]: canary('wrong_value') },
  { name: [canary('wrong_value')], scopes: [canary('wrong_value')], expires_in_days: canary('wrong_value') },
  { outcome: canary('wrong_value'), booking_id: canary('other_email') },
  { overlap_hours: canary('wrong_value') },
  `{"name": "${canary('malformed_json')}`,
]

/** Hands out keys, uses and ends them, and makes every mistake on the way. Returns the keys: secrets all of them. */
export async function owning(owner: Inquirer, as: (key: string) => Inquirer): Promise<string[]> {
  const scopes = ['availability:read', 'bookings:write', 'clients:write', 'intake:write', 'payments:write']
  const made = keyIn(await owner.ask('/v1/keys', { body: { name: 'Front desk', scopes } }))
  await journey(as(made.key), 'REST')
  await as(made.key).ask('/v1/me')
  await as(made.key).ask('/v1/keys')
  const rotated = keyIn(await owner.ask(`/v1/keys/${made.id}/rotate`, { body: { overlap_hours: 0 } }))
  await as(rotated.key).ask('/v1/me')
  await owner.ask(`/v1/keys/${made.id}`, { method: 'DELETE' })
  await as(rotated.key).ask('/v1/me')
  for (const path of ['/v1/keys', '/v1/me', '/v1/unresolved', '/v1/doctor']) await owner.ask(path)
  for (const path of ['/v1/keys', `/v1/keys/${canary('path')}/rotate`, `/v1/unresolved/${canary('path')}`]) {
    for (const body of wrongBodies()) await owner.ask(path, { body })
  }
  await owner.ask(`/v1/unresolved/${canary('path')}`, { body: { outcome: 'did_not_happen' } })
  await owner.ask(`/v1/keys/${canary('path')}`, { method: 'DELETE' })
  return [made.key, rotated.key]
}
