import type { Facts } from '../../../core/domain/facts.ts'
import { recordReview } from '../../admin/access-review.ts'
import { isCaller } from '../../admin/rules.ts'
import { NEWER_BEGAN_IT } from '../../admin/unresolved.ts'
import { operationTitle } from '../audit/sentences.ts'
import { type Act, formAgain, nothingChanged, proofFor } from '../shell/handlers.ts'
import { clockOf } from '../shell/load.ts'
import { showHome, REFUSALS_SHOWN } from './load.ts'

/** Takes refusals of a caller off the first page; a later one is shown again. */
export const dismissRefusals: Act = async (c, { form }) => {
  const { access } = c.var.services
  const caller = form.get('caller') ?? ''
  if (!(await isCaller(caller, access))) return nothingChanged(c, 'This app or key was removed.')
  await access.owner.issueTicket('dismissed', caller, String(clockOf(c).now), REFUSALS_SHOWN)
  c.var.note({ event: 'review', code: 'refusals_dismissed', record_id: caller })
  return 'dismissed'
}

/** Takes the owner's word, on a proof, that all who were let in before a provider was live are known. */
export const keepAccess: Act = async (c, own) => {
  const found = await c.var.services.unreviewedAccess()
  const asksForProof = await proofFor(c, own, {
    question: 'Do you know all of these?',
    changes: found.map(({ kind, name }) => `The ${kind} “\u2068${name}\u2069” keeps its access.`),
    facts: found.map(({ id }) => id),
    verb: 'Yes, with your passkey',
  })
  if (asksForProof) return asksForProof
  await recordReview(c)
  return 'known'
}

/** Lets someone in again who is held since a restore, on a proof. */
export const letIn: Act = async (c, own) => {
  const { access } = c.var.services
  const [kind, id] = [own.form.get('kind'), own.form.get('id')]
  const one = (await access.restored.held()).find((held) => held.kind === kind && held.id === id)
  if (!one) return nothingChanged(c, 'This key or passkey is not held any more.')
  const asksForProof = await proofFor(c, own, {
    question: `Let in \u2068${one.name ?? 'the one without a name'}\u2069 again?`,
    changes: [
      `The ${one.kind} can do again what it could when the backup was made: ${one.does}.`,
      'Do this only if you did not remove it after the backup.',
    ],
    facts: [one.kind, one.id],
    verb: 'Let it in, with your passkey',
  })
  if (asksForProof) return asksForProof
  const record_id = one.kind === 'key' ? `key:${one.id}` : null
  await c.var.noteBefore({
    event: one.kind === 'key' ? 'key' : 'enrolment',
    code: 'let_in',
    record_id,
  })
  await access.restored.release(one.kind, one.id)
  return 'let_in'
}

/** What a provider gave a change, where its outcome can only be known with that. */
const FACT_FIELDS = ['booking_id', 'payment_link_id', 'url']
const ID_WANTED = 'Enter the id as the provider shows it.'
const ADDRESS_WANTED = 'Enter the whole address.'
const FACT = /^[^\s@]{1,300}$/

/** Keeps the word of the owner on a change in doubt, on a proof: a wrong one could have it done twice. */
export const resolve: Act = async (c, own) => {
  const { form } = own
  const operation_id = form.get('operation_id') ?? ''
  const happened = form.get('outcome') === 'happened'
  const operations = c.var.services.unresolved
  const one = (await operations.list()).find((listed) => listed.operation_id === operation_id)
  if (!one) return nothingChanged(c, 'This change is already resolved.')
  const given = FACT_FIELDS.flatMap((name): [string, string][] => {
    const value = happened ? (form.get(name) ?? '').trim() : ''
    return value === '' ? [] : [[name, value]]
  })
  const wrong = given.filter(
    ([name, value]) => !FACT.test(value) || (name === 'url' && !URL.canParse(value)),
  )
  if (wrong.length > 0)
    return formAgain(
      c,
      own,
      showHome,
      Object.fromEntries(
        wrong.map(([name]) => [name, name === 'url' ? ADDRESS_WANTED : ID_WANTED]),
      ),
    )
  const asksForProof = await proofFor(c, own, {
    question: happened ? 'Did it happen?' : 'Did it not happen?',
    changes: [
      `${operationTitle(one.operation)}, sent on ${one.since}: ` +
        `${happened ? 'it happened' : 'it did not happen'}.`,
      ...given.map(([, value]) => `What was made: ${value}`),
      happened
        ? 'The connector then treats it as done.'
        : 'The connector then treats it as not done, and your agent can ask for it again.',
    ],
    facts: [operation_id, String(happened), ...given.flat()],
    verb: 'Confirm with your passkey',
  })
  if (asksForProof) return asksForProof
  const facts: Facts = { state: 'confirmed', ...Object.fromEntries(given) }
  const verdict = await operations.resolve(operation_id, happened, facts)
  if (verdict === 'nothing to resolve') return nothingChanged(c, 'This change is already resolved.')
  if (verdict === 'newer version') return nothingChanged(c, NEWER_BEGAN_IT)
  if (verdict === 'facts missing') {
    const missing = FACT_FIELDS.filter((name) => !given.some(([one]) => one === name))
    const wanted = 'Enter the id of what was made, and its address if it has one.'
    return formAgain(c, own, showHome, Object.fromEntries(missing.map((name) => [name, wanted])))
  }
  c.var.note({ event: 'resolution', code: happened ? 'happened' : 'did_not_happen', operation_id })
  return 'resolved'
}
