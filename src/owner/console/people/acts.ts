import { emailSchema } from '../../../core/domain/email.ts'
import { Problem } from '../../../core/domain/problem/problem.ts'
import { OWNED_KINDS } from '../../../core/domain/records.ts'
import { withdrawClientLink } from '../../../practice/operations/complete-client-link.ts'
import { performUnderLink } from '../../../practice/operations/perform.ts'
import { clientView } from '../../../practice/operations/record-views.ts'
import { asksAgain } from '../../access/fresh-proof.ts'
import { byEmail, byId, countInWords, storedClient } from '../../admin/clients.ts'
import { type Act, nothingChanged, proofFor } from '../shell/handlers.ts'
import { part, shellOf } from '../shell/load.ts'
import { newest } from './load.ts'
import { peoplePage, TYPED, deletionPage } from './page.ts'

const WHAT_BELONGS = OWNED_KINDS.map(({ title }) => title.toLowerCase()).join(' and ')

const CLIENT_ID = /^cl_[\w-]{20,200}$/

const NOT_HERE = 'There is no client with this id.'

/** Looks for a person, and shows what is kept. A POST, so that no address of a person stands in an address of ours. */
export const findPerson: Act = async (c, { session, form }) => {
  const person = (form.get('person') ?? '').trim()
  const look = CLIENT_ID.test(person)
    ? () => byId(c, person)
    : emailSchema.safeParse(person).success
      ? () => byEmail(c, person)
      : undefined
  const [shell, found, both] = await Promise.all([
    shellOf(c, '/owner/people', { session }),
    look && part(look),
    look ? { links: undefined, latest: undefined } : newest(c),
  ])
  if (look) return c.html(peoplePage({ shell, ...both, found, error: undefined }))
  c.var.log.code = 'validation_failed'
  const error = 'Enter a whole email address, or a client id that begins with cl_.'
  return c.html(peoplePage({ shell, ...both, found, error }), 422)
}

/** Sends all that is kept of a client as a file, on a proof. */
export const exportPerson: Act = async (c, own) => {
  const client_id = own.form.get('client_id') ?? ''
  const found = await byId(c, client_id)
  if (!found.clients[0]?.client) return nothingChanged(c, NOT_HERE)
  const asksForProof = await proofFor(c, own, {
    question: `Download what is kept of ${found.clients[0].client.display_name}?`,
    changes: [
      'The file is masked, as the page is. The connector keeps nothing else.',
      'You can give it to a client who asks for it.',
    ],
    facts: [client_id],
    verb: 'Download with your passkey',
    back: '/owner/people',
  })
  if (asksForProof) return asksForProof
  return c.body(JSON.stringify(found, null, 2), 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="client.json"',
  })
}

/** Deletes a client: first shows what goes, then wants the end of the id typed, and then the passkey. */
export const deleteClient: Act = async (c, own) => {
  const { form, session } = own
  const { services } = c.var
  const client_id = form.get('client_id') ?? ''
  const typed = form.get('typed')?.trim()
  const stored = await storedClient(services, client_id).catch(() => undefined)
  if (!stored || stored.erased) return nothingChanged(c, NOT_HERE)
  const shown = stored.value === null ? undefined : clientView({ value: stored.value })
  const shownAs = shown && `${shown.display_name}, ${shown.contact_email}`
  const isWrong = typed !== undefined && typed !== client_id.slice(-TYPED)
  if (typed === undefined || isWrong) {
    if (isWrong) c.var.log.code = 'validation_failed'
    const shell = await shellOf(c, '/owner/people', { session })
    const owned = OWNED_KINDS.map((row) => countInWords(row, stored.counts[row.kind] ?? 0))
    const page = deletionPage({ shell, client_id, shownAs, owned, isWrong })
    return c.html(page, isWrong ? 422 : 200)
  }
  const asksForProof = await proofFor(c, own, {
    question: `Delete ${shownAs ?? 'this client'}?`,
    changes: [
      `The client ${client_id} is deleted, with all ${WHAT_BELONGS}.`,
      'This cannot be undone.',
    ],
    facts: [client_id],
    verb: 'Delete with your passkey',
    back: '/owner/people',
  })
  if (asksForProof) return asksForProof
  await services.clientErasure.eraseClient(client_id, {
    caller: c.var.log.caller,
    requestId: c.var.requestId,
  })
  return 'deleted'
}

/** Withdraws a link: first shows what a commit would do, then commits just that. It tightens, so it needs no passkey. */
export const withdrawLink: Act = async (c, { session, form }) => {
  const link_id = form.get('link_id') ?? ''
  const token = form.get('confirmation_token') ?? undefined
  try {
    const { body } = await performUnderLink(withdrawClientLink, { link_id }, c.var, token)
    if (token !== undefined) return 'withdrawn'
    form.set('confirmation_token', String(body['confirmation_token']))
    return await asksAgain(c, session, form, {
      question: 'Withdraw this client link?',
      changes: [String(body['summary'])],
      verb: 'Withdraw it',
      back: '/owner/people',
    })
  } catch (thrown) {
    if (thrown instanceof Problem) return nothingChanged(c, GONE)
    throw thrown
  }
}

const GONE = 'The link was used, has ended, or is in use just now. Look at the list again.'
