import { createHash, randomBytes } from 'node:crypto'

import { HOUR } from '../../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../../src/owner/access/passkey-enrolment.ts'
import { softAuthenticator } from '../../support/authenticator.ts'
import { type Browser, browser, confirmed } from '../../support/browser.ts'
import { enrol, signIn } from '../../support/passkeys.ts'
import { app } from '../oauth/app.ts'
import type { Inquirer } from './answers.ts'
import { type Canary, canary } from './canaries.ts'
import { journey } from './journeys.ts'

/** An enrolment link of the owner, and the setting that makes it good. */
export function newEnrolment() {
  const token = newEnrolmentToken(Date.now() + HOUR, randomBytes(32))
  return { token, setting: createHash('sha256').update(token).digest('hex') }
}

/** From which network the browser and the app of these tests come. */
export const NETWORKS = { browser: ['192.0.2.'], app: ['198.51.100.'] } as const satisfies Record<
  string,
  [string]
>

const FORM = {
  'Content-Type': 'application/x-www-form-urlencoded',
  'Sec-Fetch-Site': 'same-origin',
}
const query = (fields: Record<string, string>): string => new URLSearchParams(fields).toString()

/**
 * The owner enrols, lets an app in and looks after it, while others fail at all of it. Returns the secrets that were
 * handed out on the way. `url` is the address as a passkey wants it.
 */
export async function signingIn(url: string, token: string, asking: Inquirer): Promise<string[]> {
  const secrets = [token]
  const web = browser(url)
  const authenticator = softAuthenticator(url)
  const practice = {
    url,
    token,
    logs: [],
    signingSecret: '',
    kv: undefined as never,
    durableObjects: undefined as never,
    stop: async () => {},
  }
  const enrolled = await enrol(practice, web, authenticator)
  if (enrolled.status !== 200) throw new Error(`not enrolled: ${enrolled.status}`)
  secrets.push(...web.cookies.values())
  const planner = app(url)
  const { clientId, code, tokens } = await planner.connected(web, {
    scopes: [
      'availability:read',
      'bookings:write',
      'clients:write',
      'intake:write',
      'payments:write',
    ],
    change: { scope: '' },
  })
  const refreshed = await planner.refresh(clientId, tokens.refresh_token)
  for (const one of [tokens, refreshed.body]) secrets.push(one.access_token, one.refresh_token)
  secrets.push(code)
  for (const face of ['MCP 2025-11-25', 'MCP 2026-07-28'] as const)
    await journey(asking.as(refreshed.body.access_token), face)
  const owners = await web.open('/owner/settings')
  await lookingAfter(asking, web)
  await failing(asking)
  await web.submit('/owner/sign-out', owners.form('/owner/sign-out'))
  const back = await signIn(web, authenticator)
  if (back.status !== 200) throw new Error(`not signed in: ${back.status}`)
  secrets.push(...web.cookies.values())
  const stays = await app(url).connected(web)
  secrets.push(stays.code, stays.tokens.access_token, stays.tokens.refresh_token)
  await planner.revoke(clientId, refreshed.body.refresh_token)
  await web.open('/owner')
  secrets.push(...(await approving(url, web)))
  return secrets
}

/** Someone is invited to approve, makes a passkey, and is removed; the secrets that were handed out on the way. */
async function approving(url: string, web: Browser): Promise<string[]> {
  const invite = (await web.open('/owner/settings/people')).form('/owner/approvers/invite')
  const asked = await web.submit('/owner/approvers/invite', [...invite, ['name', 'Front desk']])
  const [, token = ''] = /#(inv_[\w-]{43})/.exec((await confirmed(web, asked)).html) ?? []
  const invited = browser(url)
  const enrolled = await enrol({ token }, invited, softAuthenticator(url))
  if (enrolled.status !== 200) throw new Error(`not enrolled: ${enrolled.status}`)
  const remove = (await web.open('/owner/settings/people')).form(
    '/owner/passkeys/remove',
    'Remove: Front desk',
  )
  const removed = await confirmed(web, await web.submit('/owner/passkeys/remove', remove))
  if (removed.status !== 303) throw new Error(`not removed: ${removed.status}`)
  return [token, ...invited.cookies.values()]
}

/** Opens every page of the console, sends every form that leaves the owner signed in, and makes every mistake in them. */
async function lookingAfter({ ask }: Inquirer, web: Browser): Promise<void> {
  const Cookie = [...web.cookies].map((pair) => pair.join('=')).join('; ')
  const get = (path: string) => ask(path, { headers: { Cookie } })
  const csrf =
    new Map((await web.open('/owner/settings')).form('/owner/sign-out')).get('csrf') ?? ''
  // A form that is refused shows its author once more what was entered, and nothing keeps it.
  const post = (path: string, fields: Record<string, string>, mayHold: readonly Canary[] = []) =>
    ask(path, { headers: { ...FORM, Cookie }, body: query({ csrf, ...fields }), mayHold })
  const people = [canary('contact_email'), canary('invitee_email'), canary('other_email')]
  const found = await Promise.all(people.map((person) => post('/owner/clients', { person })))
  await post('/owner/clients', { person: canary('display_name') }, ['display_name'])
  const [, client_id = ''] = /<code>(cl_[\w-]+)<\/code>/.exec(found[0] ?? '') ?? []
  if (client_id === '') throw new Error('the client of the journey was not found')
  await post('/owner/clients', { person: client_id })
  await post('/owner/clients/delete', { client_id })
  await post('/owner/clients/delete', { client_id, typed: canary('wrong_value') }, ['wrong_value'])
  await post('/owner/clients/delete', { client_id, typed: client_id.slice(-6) })
  await post('/owner/clients/delete', {
    client_id: canary('other_email'),
    typed: canary('wrong_value'),
  })
  for (const path of [
    '',
    '/audit',
    '/callers',
    '/callers/owner',
    '/settings',
    '/settings/people',
    '/settings/health',
  ])
    await get(`/owner${path}`)
  for (const index of [0, 1, 2, 3]) await get(`/owner/audit/${index}`)
  const wrong = { event: canary('query'), caller: canary('other_email'), code: canary('query') }
  await get(
    `/owner/audit?${query({ ...wrong, id: canary('contact_email'), from: canary('query') })}`,
  )
  await get(`/owner/audit/${canary('path')}`)
  await get(`/owner/callers/${canary('path')}`)
  await post('/owner/audit/export', wrong)
  await post('/owner/audit/export', { caller: 'owner' })
  await post('/owner/unresolved', {
    operation_id: canary('path'),
    outcome: 'happened',
    url: canary('other_email'),
  })
  await post('/owner/doctor', {})
  for (const path of ['/owner/pause', '/owner/resume', '/owner/rules'])
    await post(path, { caller: canary('other_email'), amount: '5' })
  for (const path of ['/owner/apps/revoke', '/owner/keys/revoke', '/owner/passkeys/remove'])
    await post(path, { id: canary('other_email') })
}

/** Everything that can be done wrong at the door, with what must not be kept in it. */
async function failing({ ask }: Inquirer): Promise<void> {
  const wrong = {
    id: canary('wrong_value'),
    token: canary('authorization'),
    credential: { id: canary('other_email') },
    [canary('unknown_field')]: canary('wrong_value'),
  }
  await ask('/owner/passkey/options', {
    body: { purpose: 'enrol', token: canary('authorization') },
  })
  await ask('/owner/passkey/enrol', { body: wrong })
  await ask('/owner/passkey/sign-in', { body: wrong })
  await ask('/owner/passkey/sign-in', { body: `{"id": "${canary('malformed_json')}` })
  for (const path of ['/owner/sign-out', '/authorize'])
    await ask(path, {
      headers: FORM,
      body: query({ csrf: canary('wrong_value'), handle: canary('authorization') }),
    })
  await ask('/oauth/register', {
    body: { redirect_uris: `https://${canary('other_email')}`, client_name: 5 },
  })
  await ask('/oauth/register', { body: `{"client_name": "${canary('malformed_json')}` })
  for (const grant_type of ['authorization_code', 'refresh_token', canary('wrong_value')]) {
    const [refresh_token, code] = [canary('authorization'), canary('authorization')]
    const body = query({ grant_type, client_id: canary('wrong_value'), code, refresh_token })
    await ask('/oauth/token', { headers: FORM, body })
  }
  const request = {
    response_type: 'code',
    client_id: canary('wrong_value'),
    state: canary('other_email'),
  }
  await ask(`/authorize?${query({ ...request, redirect_uri: `https://${canary('origin')}/` })}`)
  for (const client_id of [
    `https://x.invalid/${canary('other_email')}#`,
    `https://x.invalid/\n{"event":"${canary('wrong_value')}"}`,
    `HTTPS://${canary('origin')}.invalid/app.json`,
  ])
    await ask(`/authorize?${query({ ...request, client_id, redirect_uri: 'https://a.invalid/' })}`)
  await ask(`/owner?done=${canary('query')}`)
}
