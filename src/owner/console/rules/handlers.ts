import type { AppContext } from '../../../api/http/app-env.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import {
  EVERYBODY,
  type KeptRules,
  type Rules,
  loosens,
} from '../../../core/domain/rules/house-rules.ts'
import { localTime } from '../../../core/domain/time/time.ts'
import type { WaitingChange } from '../../../core/ports/confirmation.ts'
import { changesInWords, needsNoPerson } from '../../../practice/operations/house-rules.ts'
import { wantProof } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { PageInstead } from '../../access/owner-pages.ts'
import { FIRST } from '../../access/pages/confirm.ts'
import { PROOF } from '../../access/passkey.ts'
import { changeRules, isCaller, whyNobodyApproves } from '../../admin/rules.ts'
import { declining } from '../approvals/handlers.ts'
import { callerView } from '../callers/handlers.ts'
import { showRules } from '../settings/handlers.ts'
import { type Act, type ActDone, type Show, formAgain, nothingChanged } from '../shell/handlers.ts'
import { clockOf } from '../shell/load.ts'
import { setOf } from '../shell/shell.ts'
import { rulesOf } from './form.ts'

/** Pauses all callers, or one: at once, with nothing asked. */
export const pauseCallers: Act = async (c, { form }) => {
  const caller = await callerIn(c, form)
  const done = caller === EVERYBODY ? 'paused' : 'paused_one'
  return change(c, { caller, rules: { paused: true }, may: 'tighten', done })
}

/** Resumes all callers, or one, on a proof for just that. */
export const resumeCallers: Act = async (c, own) => {
  const caller = await callerIn(c, own.form)
  const { rules, pausedSince } = await keptSet(c, caller)
  const done = caller === EVERYBODY ? 'resumed' : 'resumed_one'
  if (!rules.paused) return done
  const { zone } = clockOf(c)
  const since = pausedSince === null ? [] : [`Paused since ${localTime(pausedSince, zone)}.`]
  await wantProof(c, own, {
    question: caller === EVERYBODY ? 'Let agents act again?' : 'Let this caller act again?',
    changes: [
      ...since,
      caller === EVERYBODY
        ? 'They can read and make changes again, as far as you allow.'
        : 'It can read and make changes again, as far as you allow.',
    ],
    facts: [caller, String(pausedSince)],
    verb: 'Resume with your passkey',
  })
  return change(c, { caller, rules: { paused: false }, may: 'loosen', done })
}

/** Sets the rules of all callers, or of one: stricter ones at once, looser ones on a proof for just these. */
export const setRules: Act = async (c, own) => {
  const caller = await callerIn(c, own.form)
  const before = (await keptSet(c, caller)).rules
  const read = await withApprovers(c, rulesOf(own.form, before))
  if ('errors' in read) {
    const show: Show =
      caller === EVERYBODY ? showRules : (page, visit) => callerView(page, visit, caller)
    return formAgain(c, own, show, read.errors)
  }
  const after: Rules = { ...before, ...read.rules }
  const asked = { caller, rules: read.rules, done: 'rules' } as const
  if (!loosens(before, after)) return change(c, { ...asked, may: 'tighten' })
  const released = await releasedBy(c, caller, after)
  const shown = own.form.get(FIRST)
  if (shown !== null && !own.session.isTrial) {
    const declined = released.filter(({ code }) => shown.split(' ').includes(code))
    await Promise.all(declined.map((one) => decline(c, one)))
    for (const name of [FIRST, PROOF]) own.form.delete(name)
    return setRules(c, own)
  }
  await wantProof(c, own, {
    question: caller === EVERYBODY ? 'Let all agents do more?' : 'Let this caller do more?',
    changes: [
      ...changesInWords(before, after, clockOf(c)),
      ...(released.length > 0
        ? [`These no longer need your approval (${pluralOf(released.length, 'change')}):`]
        : []),
      ...released.map(({ summary }) => summary),
    ],
    ...(released.length > 0 && {
      first: { value: released.map(({ code }) => code).join(' '), text: 'Decline them first' },
    }),
    facts: [caller, JSON.stringify(before), JSON.stringify(after)],
    verb: 'Allow with your passkey',
  })
  return change(c, { ...asked, may: 'loosen' })
}

/** The caller that a form names. Raises a page that says so where there is none any more. */
export async function callerIn(c: AppContext, form: URLSearchParams): Promise<string> {
  const caller = form.get('caller') ?? ''
  if (await isCaller(caller, c.var.services.access)) return caller
  throw new PageInstead(nothingChanged(c, 'This app or key was removed.'))
}

const keptSet = async (c: AppContext, caller: string): Promise<KeptRules> =>
  setOf(await c.var.services.houseRules.all(), caller)

/** Declines a change, if it is still the one with the code that the owner was shown. */
async function decline(c: AppContext, { operation_id, code }: WaitingChange) {
  const { approvals } = c.var.services
  const asked = await approvals.read(operation_id)
  if (asked?.code !== code) return
  await approvals.decide(asked, declining(asked, OWNER_ID))
}

/** What waits for a person now, and would not under these rules. */
async function releasedBy(c: AppContext, caller: string, rules: Rules): Promise<WaitingChange[]> {
  const { approvals, houseRules } = c.var.services
  const [all, waiting] = await Promise.all([houseRules.all(), approvals.waiting()])
  const sets = [...all.filter((set) => set.caller !== caller), { caller, rules, pausedSince: null }]
  return waiting.filter((one) => needsNoPerson(sets, one))
}

interface RulesChange {
  caller: string
  rules: Partial<Rules>
  may: 'tighten' | 'loosen'
  done: ActDone
}

async function change(
  c: AppContext,
  { caller, rules, may, done }: RulesChange,
): Promise<ActDone | Response> {
  switch (await changeRules(c, caller, rules, may)) {
    case 'kept':
      return done
    case 'full':
      return nothingChanged(
        c,
        'There are too many sets of rules. Remove those of apps and keys that have ended.',
      )
    case 'loosens':
    case 'overtaken':
      return nothingChanged(c, 'The rules were changed while you looked. Look at them again.')
  }
}

async function withApprovers(c: AppContext, read: ReturnType<typeof rulesOf>) {
  const unmet =
    'rules' in read ? await whyNobodyApproves(read.rules, c.var.services.access) : undefined
  return unmet === undefined ? read : { errors: { approval: unmet } }
}
