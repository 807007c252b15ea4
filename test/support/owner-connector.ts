import { createHash, randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { newEnrolmentToken } from '../../src/access/passkey-enrolment.ts'
import { startLocal } from '../../src/cli/local.ts'
import { softAuthenticator } from './authenticator.ts'
import { browser } from '../security/oauth/browser.ts'
import { HOUR } from '../../src/domain/duration.ts'

export type Practice = Awaited<ReturnType<typeof startPractice>>

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

interface PracticeOptions {
  /** When the enrolment link ends; an hour from now unless given. */
  enrolmentEnds?: number
  /** Whether there is an enrolment link at all. */
  enrolment?: boolean
  vars?: Record<string, string>
}

/** A connector that lets nobody in without a credential, with an enrolment link for its owner. */
export async function startPractice({
  enrolmentEnds = Date.now() + HOUR,
  enrolment = true,
  vars = {},
}: PracticeOptions = {}) {
  const token = newEnrolmentToken(enrolmentEnds, randomBytes(32))
  const logs: string[] = []
  const local = await startLocal({
    script: inject('workerScript'),
    onLog: (line) => logs.push(line),
    vars: {
      SIGNING_SECRET: randomBytes(32).toString('base64url'),
      ALLOW_ANONYMOUS: 'false',
      PRACTICE_NAME: 'Harbor Tax & Books',
      ...(enrolment ? { OWNER_ENROLMENT_SHA256: hashOf(token) } : {}),
      ...vars,
    },
  })
  // Passkeys belong to a name: an address cannot have them.
  const url = local.url.replace('127.0.0.1', 'localhost')
  return { url, token, logs, kv: local.kv, durableObjects: local.durableObjects, stop: local.stop }
}

/** The owner's browser, enrolled and signed in. */
export async function ownerBrowser(practice: Practice) {
  const web = browser(practice.url)
  const authenticator = softAuthenticator(practice.url)
  const enrolled = await enrol(practice, web, authenticator)
  if (enrolled.status !== 200) throw new Error(`not enrolled: ${enrolled.status} ${await enrolled.text()}`)
  return { ...web, authenticator }
}

/** Puts the last use of a passkey in the session of a browser into the past. */
export async function provenLongAgo(
  practice: Practice,
  web: ReturnType<typeof browser>,
  milliseconds: number,
): Promise<void> {
  const objects = await practice.durableObjects('ACCESS')
  const access = objects.get(objects.idFromName('access')) as unknown as {
    issueTicket(kind: string, hash: string, content: string, lifetimeMs: number): Promise<void>
  }
  const hash = hashOf(web.cookies.get('owner') ?? '')
  await access.issueTicket('session', hash, String(Date.now() - milliseconds), HOUR)
}

/** Goes through enrolment with the token of the practice, or another. */
export async function enrol(
  practice: Practice,
  web: ReturnType<typeof browser>,
  authenticator: ReturnType<typeof softAuthenticator>,
  token: string | undefined = practice.token,
): Promise<Response> {
  const asked = await web.postJson('/owner/passkey/options', { purpose: 'enrol', token })
  if (asked.status !== 200) return asked
  const options = (await asked.json()) as { challenge: string }
  return web.postJson('/owner/passkey/enrol', { token, credential: authenticator.create(options) })
}

/** Signs in with a passkey. */
export async function signIn(
  web: ReturnType<typeof browser>,
  authenticator: ReturnType<typeof softAuthenticator>,
): Promise<Response> {
  const asked = await web.postJson('/owner/passkey/options', { purpose: 'sign-in' })
  if (asked.status !== 200) return asked
  return web.postJson(
    '/owner/passkey/sign-in',
    authenticator.get((await asked.json()) as { challenge: string }),
  )
}
