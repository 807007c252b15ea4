import type { AppContext } from '../../../api/http/app-env.ts'
import { TOPIC_NAMES, topicRow } from '../../../core/domain/events/topics.ts'
import { refusedUrl } from '../../../core/domain/events/webhook-url.ts'
import { askTwice, wantProof } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import type { OwnForm } from '../../access/session.ts'
import { type Act, type Show, formAgain, nothingChanged } from '../shell/handlers.ts'
import { callerNames, part, shellOf } from '../shell/load.ts'
import { webhooksPage, webhookMadePage } from './page.ts'

/** The webhooks of all callers, and a form for one of the owner. */
export const showWebhooks: Show = async (c, visit) => {
  const [shell, webhooks, names] = await Promise.all([
    shellOf(c, '/owner/settings', visit),
    part(() => c.var.services.subscriptions.subscriptions(null)),
    callerNames(c),
  ])
  return webhooksPage({ shell, webhooks, names })
}

/** Makes a webhook of the owner, on a proof, under the same guard of addresses as over REST. */
export const addWebhook: Act = async (c, own) => {
  const { origin } = c.var.site()
  const { subscriptions } = c.var.services
  const url = (own.form.get('url') ?? '').trim()
  const topics = TOPIC_NAMES.filter((topic) => own.form.getAll('topic').includes(topic))
  const refused = refusedUrl(url, origin)
  const errors = {
    ...(refused !== undefined && { url: refused }),
    ...(topics.length === 0 && { topic: 'Tick at least one event.' }),
  }
  if (Object.keys(errors).length > 0) return formAgain(c, own, showWebhooks, errors)
  await wantProof(c, own, {
    question: `Send events to \u2068${new URL(url).host}\u2069?`,
    changes: [
      `The whole address: ${url}`,
      ...topics.map((topic) => topicRow(topic).description),
      'An event has ids, states and times, and no name or email address.',
    ],
    facts: [url, ...topics],
    verb: 'Add it with your passkey',
  })
  const made = await subscriptions.subscribe({ caller: OWNER_ID, url, topics, origin })
  if (made.is === 'too many')
    return formAgain(c, own, showWebhooks, { url: 'You have too many webhooks. Remove one first.' })
  if (made.is === 'there') return 'webhook_there'
  const { id, host } = made.subscription
  c.var.note({ event: 'webhook', code: 'created', record_id: id })
  const shell = await shellOf(c, '/owner/settings', own)
  return c.html(webhookMadePage(shell, host, made.secret))
}

/** Sends an example event at once. */
export const testWebhook: Act = async (c, { form }) => {
  const tested = await c.var.services.subscriptions.testSubscription(form.get('id') ?? '', null)
  if (!tested) return nothingChanged(c, GONE)
  if (tested.result === 'secret_lost') return 'webhook_secret_lost'
  return tested.result === 'ok' ? 'webhook_tested' : 'webhook_not_tested'
}

export const pauseWebhook: Act = async (c, { form }) => {
  const record_id = form.get('id') ?? ''
  if (!(await c.var.services.subscriptions.pauseSubscription(record_id, null)))
    return nothingChanged(c, GONE)
  c.var.note({ event: 'webhook', code: 'paused_by_owner', record_id })
  return 'webhook_paused'
}

/** Lets a webhook send again, on a proof: what it missed leaves at once. */
export const resumeWebhook: Act = async (c, own) => {
  const { subscriptions } = c.var.services
  const one = await webhookIn(c, own)
  if (!one) return nothingChanged(c, GONE)
  const record_id = one.id
  await wantProof(c, own, {
    question: `Send events to \u2068${one.host}\u2069 again?`,
    changes: ['It first gets what it missed.'],
    facts: [record_id],
    verb: 'Resume with your passkey',
  })
  if (!(await subscriptions.resumeSubscription(record_id, null))) return nothingChanged(c, GONE)
  c.var.note({ event: 'webhook', code: 'resumed', record_id })
  return 'webhook_resumed'
}

export const removeWebhook: Act = async (c, own) => {
  const one = await webhookIn(c, own)
  if (!one) return nothingChanged(c, GONE)
  askTwice(c, own, {
    question: `Send no more events to \u2068${one.host}\u2069?`,
    changes: ['The webhook is removed. Not even events that wait now are sent to it.'],
    verb: 'Remove',
  })
  if (await c.var.services.subscriptions.unsubscribe(one.id, null))
    c.var.note({ event: 'webhook', code: 'removed', record_id: one.id })
  return 'webhook'
}

/** The webhook that a form is about; undefined where it is not listed any more. */
const webhookIn = async (c: AppContext, { form }: OwnForm) =>
  (await c.var.services.subscriptions.subscriptions(null)).find(({ id }) => id === form.get('id'))

const GONE = 'This webhook was removed or has ended, or it is paused already.'
