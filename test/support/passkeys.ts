import type { SoftAuthenticator } from './authenticator.ts'
import { type Browser, type Page, confirmed } from './browser.ts'

/** Goes through enrolment with the token of the practice, or another. */
export async function enrol(
  { token: own }: { token: string },
  web: Browser,
  authenticator: SoftAuthenticator,
  token: string | undefined = own,
): Promise<Response> {
  const asked = await web.postJson('/owner/passkey/options', { purpose: 'enrol', token })
  if (asked.status !== 200) return asked
  const options = (await asked.json()) as { challenge: string }
  web.authenticator = authenticator
  return web.postJson('/owner/passkey/enrol', {
    token,
    credential: await authenticator.create(options),
  })
}

/** Signs in with a passkey. */
export async function signIn(web: Browser, authenticator: SoftAuthenticator): Promise<Response> {
  const asked = await web.postJson('/owner/passkey/options', { purpose: 'sign-in' })
  if (asked.status !== 200) return asked
  web.authenticator = authenticator
  return web.postJson(
    '/owner/passkey/sign-in',
    await authenticator.get((await asked.json()) as { challenge: string }),
  )
}

/** Has a passkey made in a browser that is signed in, and offers it to be added. */
export async function offerPasskey(web: Browser, authenticator: SoftAuthenticator): Promise<Page> {
  const asked = await web.postJson('/owner/passkey/options', { purpose: 'add' })
  const credential = await authenticator.create((await asked.json()) as { challenge: string })
  const fields = (await web.open('/owner/settings/passkeys'))
    .form('/owner/passkeys/add')
    .filter(([name]) => name !== 'credential')
  return web.submit('/owner/passkeys/add', [...fields, ['credential', JSON.stringify(credential)]])
}

/** The owner invites someone to approve changes, with the passkey; the token that the link brings. */
export async function invitation(web: Browser, name: string): Promise<string> {
  const fields = (await web.open('/owner/settings/people')).form('/owner/approvers/invite')
  const page = await confirmed(
    web,
    await web.submit('/owner/approvers/invite', [...fields, ['name', name]]),
  )
  return /#(inv_[\w-]{43})/.exec(page.html)?.[1] ?? ''
}
