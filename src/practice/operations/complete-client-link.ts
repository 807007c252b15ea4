import * as z from 'zod'

import type { Finished, StepContext } from '../../core/confirm/mutation.ts'
import { sha256 } from '../../core/crypto/encoding.ts'
import { markerUnderLink } from '../../core/domain/client-link.ts'
import { canonicalEmail, emailSchema } from '../../core/domain/email.ts'
import type { Facts } from '../../core/domain/facts.ts'
import { answersSchema, keptAnswersSchema } from '../../core/domain/intake.ts'
import { modeSchema } from '../../core/domain/mode.ts'
import { outgoingName } from '../../core/domain/name.ts'
import { type PageLanguage, type Practice, textIn } from '../../core/domain/practice.ts'
import { Problem, problem } from '../../core/domain/problem/problem.ts'
import { recordKey } from '../../core/domain/records.ts'
import { askedChange, refusalBy } from '../../core/domain/rules/house-rules.ts'
import { TRIAL_CALLER, TRIAL_GRANTS } from '../../core/domain/scopes.ts'
import { DAY } from '../../core/domain/time/duration.ts'
import {
  dateTimeSchema,
  instantOf,
  isoUtc,
  localTime,
  zoneSchema,
} from '../../core/domain/time/time.ts'
import type { Standing } from '../../core/ports/access.ts'
import type { AccessServices, ChangeServices, Ports } from '../../core/ports/services.ts'
import { bookConsult, previewedBookingSchema } from './book-consult.ts'
import { saidFields } from './booking/questions.ts'
import { bookedConsultSchema } from './booking/schema.ts'
import { rulesSoon } from './context.ts'
import {
  createClientProfile,
  entityTypeSchema,
  previewedClientSchema,
} from './create-client-profile.ts'
import {
  ASKS,
  type KeptLink,
  NOTHING,
  WITHDRAW,
  inviteClient,
  madeSchema,
  partsOfLink,
  usableLink,
} from './invite-client.ts'
import { type PageMutation, definePageMutation, practiceMode, recordWrite } from './operation.ts'
import { orNull } from './schemas.ts'
import { issueIntakeId, keptAnswers, submitIntakeAnswers } from './submit-intake-answers.ts'

/** How far ahead the free times lie that a link offers. */
export const OFFERED = 14 * DAY

const inputSchema = z.strictObject({
  link_id: z.string(),
  name: outgoingName().min(1),
  email: emailSchema,
  entity_type: entityTypeSchema.optional(),
  answers: answersSchema.optional(),
  start_time: dateTimeSchema.optional(),
  /** What the kind of consult asks, which goes to the scheduling provider and is kept nowhere here. */
  said: z.strictObject(saidFields).optional(),
  /** The zone in which the client read the times; by default that of the link. */
  timezone: zoneSchema.optional(),
  /** The language in which the client read the notice and the terms. */
  language: z.enum(['en', 'es']).default('en'),
  acknowledged: z.boolean(),
})
type Input = z.infer<typeof inputSchema>

/** What a person checks before they send it: as it will be kept, and the time. */
export const previewedCompletion = z.strictObject({
  client: orNull(previewedClientSchema),
  answers: orNull(keptAnswersSchema),
  // The page has what was typed, and what is kept has nothing of it: the schema drops it.
  booking: orNull(previewedBookingSchema.omit({ answers: true, phone: true }).strip()),
})
type Ended = Finished<Facts, z.infer<typeof previewedCompletion>>

/** The ids of what was made, and the consult, masked. */
export const completedLink = madeSchema.extend({
  link_id: z.string(),
  booking: orNull(bookedConsultSchema),
})

/**
 * The version of the owner's notice as a page in this language shows it, its SHA-256; null if there
 * is none.
 */
export async function noticeVersion(
  practice: Practice,
  language: PageLanguage,
): Promise<string | null> {
  const notice = textIn(practice.clientLinkNotice, language)
  return notice === null ? null : sha256(notice.text)
}

type Link = Pick<KeptLink, 'timezone' | 'event_type'>

const profileOf = ({ entity_type, name, email, timezone }: Input, link: Link) => {
  const profile = { entity_type, display_name: name, contact_email: email }
  return { ...profile, timezone: timezone ?? link.timezone }
}

const bookingOf = (
  { name, email, start_time, said, timezone }: Input,
  link: { timezone: unknown; event_type?: string | null },
) => {
  const invitee = { ...said, invitee_email: email, invitee_name: name }
  const event_type = link.event_type ?? undefined
  return { ...invitee, start_time, timezone: timezone ?? link.timezone, event_type }
}

/** The only part that a provider makes. */
const PART = /^booking\.(.*)/

function partOf(operation: PageMutation, preview: object | null, ended: Ended, mode = ended.mode) {
  if (!preview) return { result: null, records: [] }
  const differs = ended.differs.flatMap((path) => PART.exec(path)?.[1] ?? [])
  const part = { ...ended, preview, mode, differs }
  const result = operation.result(part)
  return { result, records: operation.records(result, part) }
}

const partsOf = (ended: Ended) => {
  const { client, answers, booking } = ended.preview
  return {
    client: partOf(createClientProfile, client, ended),
    intake: partOf(submitIntakeAnswers, answers && { answers }, ended),
    // A real consult is booked also while payments are a mock.
    booking: partOf(bookConsult, booking, ended, modeSchema.parse(ended.pinned['booking_mode'])),
  }
}

/** The consult says under which link it was booked, so that it is known after a loss. */
const underLink = (at: StepContext<Facts>): StepContext<Facts> => ({
  ...at,
  marker: markerUnderLink(String(at.pinned['link_id']), at.marker),
})

/** Profile, answers and consult are one change, so no half of it exists. The booking is its only step. */
export const completeClientLink = definePageMutation({
  name: 'complete_client_link',
  title: 'Complete a client link',
  provider: 'scheduling',
  // What has no booking is the connector's own.
  mode: practiceMode,
  input: inputSchema,
  preview: previewedCompletion,
  committed: completedLink,
  canonical: ({ start_time: start, ...input }) => ({
    ...input,
    email: canonicalEmail(input.email),
    start_time: start === undefined ? null : isoUtc(instantOf(start)),
  }),
  async facts(input, reading) {
    const { ports, id, keyId } = reading
    const link = await usableLink(ports, input.link_id)
    const { link_id, ask, made_by } = link
    const { entity_type, answers, start_time } = input
    const given = { details: entity_type, intake: answers, time: start_time }
    if (ASKS.some((one) => ask.includes(one) !== (given[one] !== undefined)))
      throw problem('validation_failed')
    const ahead = start_time === undefined ? OFFERED : instantOf(start_time) - ports.now()
    if (ahead <= 0 || ahead > OFFERED) throw problem('slot_unavailable')
    const [client, booking] = await Promise.all([
      entity_type ? createClientProfile.facts(profileOf(input, link), reading) : undefined,
      start_time ? bookConsult.facts(bookingOf(input, link), reading) : undefined,
    ])
    const intake_id = answers ? await issueIntakeId(await ports.keyring(), keyId, id) : null
    const own = {
      link_id,
      made_by,
      parts: partsOfLink(ask),
      link_approved: link.approved,
      notice: await noticeVersion(ports.practice, input.language),
      /** What the client read, which may be in another language than the terms of the booking. */
      terms_read:
        start_time === undefined
          ? null
          : (textIn(ports.practice.bookingTerms, input.language)?.text ?? null),
      intake_id,
      timezone: input.timezone ?? link.timezone,
      booking_mode: ports.scheduling.mode,
    }
    const pinned: Facts & typeof own = { ...client?.pinned, ...booking?.pinned, ...own }
    return { pinned, index: client?.index ?? booking?.index ?? [], link, client, booking }
  },
  show(input, { pinned, link, client: clientFacts, booking: bookingFacts }, context) {
    const client =
      clientFacts && createClientProfile.show(profileOf(input, link), clientFacts, context)
    const booking = bookingFacts && bookConsult.show(bookingOf(input, link), bookingFacts, context)
    const { made_by, notice } = pinned
    return {
      preview: previewedCompletion.parse({
        client: client?.preview ?? null,
        answers: input.answers ? keptAnswers(input.answers) : null,
        booking: booking?.preview ?? null,
      }),
      summary: [client?.summary, booking?.summary].join(' ').trim(),
      audit: {
        approved: 'link_holder',
        made_by,
        ...(notice !== null && { notice, acknowledged: input.acknowledged }),
      },
    }
  },
  heldTo: 'maker',
  lockKeys: (pinned) => ('start_time' in pinned ? bookConsult.lockKeys(pinned) : []),
  steps: (pinned) =>
    ('start_time' in pinned ? bookConsult.steps(pinned) : []).map((step) => ({
      ...step,
      execute: (at: StepContext<Facts>, input?: Input) =>
        step.execute(underLink(at), input && bookingOf(input, { timezone: pinned['timezone'] })),
      reconcile: (at: StepContext<Facts>) => step.reconcile(underLink(at)),
    })),
  changes: ['local_time'],
  result(ended) {
    const { link_id, client_id = null, intake_id } = ended.pinned
    const booking = partsOf(ended).booking.result
    const booking_id = booking === null ? null : String(Reflect.get(booking, 'booking_id'))
    return completedLink.parse({ link_id, client_id, intake_id, booking_id, booking })
  },
  summary: (_result, { differs }) =>
    differs.length === 0
      ? 'Completed the client link.'
      : 'Completed the client link, but the consult is not as it was shown.',
  recordId: ['client_id', 'booking_id'],
  records({ booking: _consult, ...made }, ended) {
    const key = recordKey('client_link_end', made.link_id)
    const parts = Object.values(partsOf(ended)).flatMap(({ records }) => records)
    return [...parts, recordWrite(key, { ...made, state: 'completed' }, ended)]
  },
})

const linkFields = z.strictObject({ link_id: z.string() })

/**
 * The owner ends a link: a second change under the link's key, so that only one of the two can end
 * it. It tightens, so it is previewed and committed in one call, and what a holder sends meanwhile
 * does not replace it.
 */
export const withdrawClientLink = definePageMutation({
  name: WITHDRAW,
  title: 'Withdraw a client link',
  provider: null,
  input: linkFields,
  preview: linkFields,
  committed: linkFields,
  async facts({ link_id }, { ports }) {
    return { pinned: { link_id }, link: await usableLink(ports, link_id) }
  },
  show({ link_id }, { link: { ask, expires_at } }, { practice }) {
    const until = localTime(instantOf(expires_at), practice.timezone)
    return {
      preview: { link_id },
      summary: `End the link that asks for ${ask.join(', ')}. It could be used until ${until}.`,
      audit: { approved: 'owner' },
    }
  },
  heldTo: 'nothing',
  result: ({ pinned }) => pinned,
  summary: () => 'Withdrew the client link.',
  recordId: ['link_id'],
  records: ({ link_id }, ended) => [
    recordWrite(
      recordKey('client_link_end', link_id),
      { link_id, ...NOTHING, state: 'withdrawn' },
      ended,
    ),
  ],
})

/**
 * What the maker of a link may do now; undefined where the link ends with its maker's access, or
 * with a rule by which a person has to approve what it does. Raises `paused`, and `house_rule` where the
 * maker may make no such change now. Nothing is asked of a provider before this has answered.
 */
export async function standingOfMaker(
  link: KeptLink,
  { access, trialKeyHash, houseRules, practice, now }: Ports & AccessServices & ChangeServices,
): Promise<Standing | undefined> {
  const { made_by, ask, approved } = link
  const [sets, standing] = await Promise.all([
    // A commit waits for the rules of that moment.
    rulesSoon(houseRules, made_by),
    accessOfMaker(made_by, { access, trialKeyHash }),
  ])
  const facts = { made_by, parts: partsOfLink(ask), link_approved: approved }
  const change = askedChange('', 'complete_client_link', facts, 'maker')
  const applied = sets.map((set) => ({ ...set, changesToday: 0 }))
  const refusal = refusalBy(applied, change, now(), practice.timezone)
  if (refusal && refusal.rule?.name !== 'approval') throw new Problem(refusal)
  return refusal ? undefined : standing
}

/** What the maker of a link may do; undefined where its access has ended, and with it the link. */
export async function accessOfMaker(
  made_by: string,
  { access, trialKeyHash }: Pick<AccessServices, 'access' | 'trialKeyHash'>,
): Promise<Standing | undefined> {
  if (made_by === TRIAL_CALLER)
    return trialKeyHash === undefined ? undefined : { scopes: TRIAL_GRANTS }
  const standing = await access.standingOf(made_by)
  return standing?.scopes.includes(inviteClient.scope) ? standing : undefined
}
