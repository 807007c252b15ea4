import { env } from 'cloudflare:workers'

import type { App } from '../../src/api/http/app-env.ts'
import { createApp } from '../../src/app/app.ts'
import { sha256 } from '../../src/core/crypto/encoding.ts'
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import type { Env } from '../../src/practice/env.ts'
import { auditFrom } from '../../src/practice/wiring/objects.ts'
import { softAuthenticator } from '../support/authenticator.ts'
import { type Browser, type Page, browser } from '../support/browser.ts'
import { enrol } from '../support/passkeys.ts'
import { APP, answered } from './fixtures.ts'

export const ORIGIN = 'http://localhost:8787'

/** The whole app in this process, so that a test can turn its clock, with an owner who is signed in. `add` adds routes. */
export async function ownerPages({ add }: { add?: (app: App) => void } = {}) {
  const token = newEnrolmentToken(Date.now() + HOUR, crypto.getRandomValues(new Uint8Array(32)))
  const settings = { ALLOW_ANONYMOUS: 'false', OWNER_ENROLMENT_SHA256: await sha256(token) }
  const bindings: Env = { ...env, ...settings }
  const app = add ? createApp() : APP
  add?.(app)
  /** Answers a request, with some of the bindings replaced. */
  const askWith =
    (replaced: Partial<Env>) =>
    (request: Request): Promise<Response> =>
      answered(request, { ...bindings, ...replaced }, app)
  const ask = askWith({})
  const web = browser(ORIGIN, ask)
  const enrolled = await enrol({ token }, web, softAuthenticator(ORIGIN))
  if (enrolled.status !== 200) throw new Error(await enrolled.text())
  return {
    web,
    ask,
    askWith,
    /** The entries of the audit log, the newest first. */
    audit: async () => (await auditFrom(bindings).page({ limit: 100 })).entries,
  }
}

export type Rig = Awaited<ReturnType<typeof ownerPages>>
/** The fields of a form, as a browser sends them. */
export type Fields = [string, string][]

/** The fields that each form of the owner who is signed in has. */
export const secretOf = async (web: Browser): Promise<Fields> =>
  (await web.open('/owner/settings')).form('/owner/sign-out')

/** Sends a form of the console with these fields. */
export const post = async (
  web: Browser,
  path: string,
  fields: Record<string, string> = {},
): Promise<Page> => web.submit(path, [...(await secretOf(web)), ...Object.entries(fields)])
