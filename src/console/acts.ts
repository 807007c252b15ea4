import type { Context } from 'hono'
import { disconnect } from '../access/connected-apps.ts'
import { parsed, passkeyServices, withoutProof } from '../access/fresh-proof.ts'
import { OWNER_ID } from '../access/oauth-server.ts'
import { notePage } from '../access/pages/layout.ts'
import { newPasskey } from '../access/passkey.ts'
import { type Session, closeSession, ownForm, remember, sessionOf } from '../access/session.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'

/** What the page says after an act. */
export const DONE = {
  app: 'The app is disconnected. It can take up to a minute until this is known everywhere.',
  key: 'The key is revoked. It can take up to a minute until this is known everywhere.',
  added: 'The passkey is added. From now on you can sign in with it too.',
  passkey: 'The passkey is removed, and all sign-ins have ended, this one too.',
  last: 'The last passkey stays: without it nobody could sign in.',
}
type Done = keyof typeof DONE

type OwnForm = { session: Session; form: URLSearchParams }

/** An act of a form that a page of this session sent: any other changes nothing. Ends on the page, which says what was done. */
const act =
  (run: (c: Context<AppEnv>, own: OwnForm) => Promise<Done | Response>) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const session = await sessionOf(c, c.var.services.access)
    const form = session && ownForm(c, session, await readBody(c.req.raw))
    if (!form) return notOwn(c)
    c.var.log.caller = OWNER_ID
    const done = await run(c, { session, form })
    if (done instanceof Response) return done
    remember(c, done)
    return c.redirect(`/owner?done=${done}`, 303)
  }

export const disconnectApp = act(async (c, { form }) => {
  await disconnect(c, form.get('id') ?? '')
  return 'app'
})

export const revokeKey = act(async (c, { form }) => {
  const id = form.get('id') ?? ''
  if (await c.var.services.access.revokeKey(id))
    c.var.note({ event: 'key', code: 'revoked', record_id: `key:${id}` })
  return 'key'
})

/** Adds the passkey that the browser has just made, on the proof of another one for just this one. */
export const addPasskey = act(async (c, { session, form }) => {
  const services = await passkeyServices(c)
  const made = await newPasskey(services, parsed(form.get('credential') ?? ''))
  if (!made) return notMade(c)
  const { id, publicKey } = made.passkey
  const asksForProof = await withoutProof(c, session, form, {
    name: 'add_passkey',
    question: 'Add the passkey that you have just made?',
    changes: ['Whoever holds it can sign in as the owner, and do everything that you can do here.'],
    facts: [id, publicKey],
    verb: 'Add it, with a passkey you had before',
  })
  if (asksForProof) return asksForProof
  await c.var.noteBefore({ event: 'enrolment', code: 'added' })
  return (await services.access.enrol(made.passkey, made.challenge, undefined)) ? 'added' : notMade(c)
})

export const removePasskey = act(async (c, { form }) => {
  if (!(await c.var.services.access.removePasskey(form.get('id') ?? ''))) return 'last'
  c.var.note({ event: 'enrolment', code: 'removed' })
  return 'passkey'
})

export const signOut = act(async (c, { session }) => {
  await closeSession(c, c.var.services.access, session)
  return c.redirect('/owner', 303)
})

const notMade = (c: Context<AppEnv>): Response | Promise<Response> =>
  nothingChanged(c, 'The new passkey could not be checked, or took longer than five minutes. Make it again.')

const notOwn = (c: Context<AppEnv>): Response | Promise<Response> =>
  nothingChanged(
    c,
    'This did not come from a page of yours, or you were signed out meanwhile. Open the page again.',
  )

function nothingChanged(c: Context<AppEnv>, why: string): Response | Promise<Response> {
  c.var.log.code = 'form_refused'
  return c.html(notePage('Nothing was changed', c.var.site().practice.name, why), 403)
}
