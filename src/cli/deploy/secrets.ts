import { createHash, randomBytes } from 'node:crypto'
import { newApiKey } from '../../crypto/api-key.ts'
import { HOUR } from '../../domain/time/duration.ts'
import { newEnrolmentToken } from '../../access/passkey-enrolment.ts'
import type { MadeSecret } from './plan.ts'

/** New secrets: what goes to Cloudflare, and what the owner gets to see of them, once. */
export interface NewSecrets {
  stored: Partial<Record<MadeSecret, string>>
  key?: string
  enrolmentToken?: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Makes these secrets. Of the key and the enrolment token only the hash is stored. */
export function newSecrets(names: readonly MadeSecret[], now: number): NewSecrets {
  const made: NewSecrets = { stored: {} }
  if (names.includes('SIGNING_SECRET')) made.stored.SIGNING_SECRET = randomBytes(32).toString('base64url')
  if (names.includes('OWNER_KEY_SHA256')) {
    made.key = newApiKey(randomBytes(32))
    made.stored.OWNER_KEY_SHA256 = sha256(made.key)
  }
  if (names.includes('OWNER_ENROLMENT_SHA256')) {
    made.enrolmentToken = newEnrolmentToken(now + HOUR, randomBytes(32))
    made.stored.OWNER_ENROLMENT_SHA256 = sha256(made.enrolmentToken)
  }
  return made
}
