import { createHash, randomBytes } from 'node:crypto'

import { inject } from 'vitest'

import { startLocal } from '../../src/cli/local.ts'
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import { softAuthenticator } from './authenticator.ts'
import { browser } from './browser.ts'
import { enrol } from './passkeys.ts'

export type Practice = Awaited<ReturnType<typeof startPractice>>

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** What a practice of a test differs in. */
export interface PracticeOptions {
  /** When the enrolment link ends; an hour from now unless given. */
  enrolmentEnds?: number
  /** Whether there is an enrolment link at all. */
  enrolment?: boolean
  vars?: Record<string, string>
}

/** A connector that lets no one in without a credential, with an enrolment link for its owner. */
export async function startPractice({
  enrolmentEnds = Date.now() + HOUR,
  enrolment = true,
  vars = {},
}: PracticeOptions = {}) {
  const token = newEnrolmentToken(enrolmentEnds, randomBytes(32))
  const logs: string[] = []
  const signingSecret = randomBytes(32).toString('base64url')
  const local = await startLocal({
    script: inject('workerScript'),
    onLog: (line) => logs.push(line),
    vars: {
      SIGNING_SECRET: signingSecret,
      ALLOW_ANONYMOUS: 'false',
      PRACTICE_NAME: 'Harbor Tax & Books',
      ...(enrolment ? { OWNER_ENROLMENT_SHA256: hashOf(token) } : {}),
      ...vars,
    },
  })
  // Passkeys belong to a name: an address cannot have them.
  const url = local.url.replace('127.0.0.1', 'localhost')
  return {
    url,
    token,
    signingSecret,
    logs,
    kv: local.kv,
    durableObjects: local.durableObjects,
    stop: local.stop,
  }
}

/** The owner's browser, enrolled and signed in. */
export async function ownerBrowser(practice: Pick<Practice, 'url' | 'token'>) {
  const web = browser(practice.url)
  const authenticator = softAuthenticator(practice.url)
  const enrolled = await enrol(practice, web, authenticator)
  if (enrolled.status !== 200)
    throw new Error(`not enrolled: ${enrolled.status} ${await enrolled.text()}`)
  return { ...web, authenticator }
}
