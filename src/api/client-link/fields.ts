import { answersSchema } from '../../core/domain/intake.ts'
import { entityTypeSchema } from '../../practice/operations/create-client-profile.ts'
import type { KeptLink } from '../../practice/operations/invite-client.ts'

const { primary_goal, tax_situation, preferred_meeting, annual_revenue_band } = answersSchema.shape

/** What was typed and pressed so far, as text by field, and whether the notice was ticked. */
export type TypedForm = Readonly<Record<string, string>>

/** A mistake: the label of its field, and what is expected there; never what was typed. */
export interface Wrong {
  label: string
  text: string
}

/** The choices of each field that has some; their words are in the table of each language. */
export const OPTIONS = {
  entity_type: entityTypeSchema.options,
  primary_goal: primary_goal.options,
  tax_situation: tax_situation.unwrap().options,
  has_existing_cpa: ['yes', 'no'],
  preferred_meeting: preferred_meeting.unwrap().options,
  annual_revenue_band: annual_revenue_band.unwrap().options,
} as const

/** The words for each choice, in one language. */
export type OptionWords = {
  [Name in keyof typeof OPTIONS]: Readonly<Record<(typeof OPTIONS)[Name][number], string>>
}

/** The fields for each thing that a link asks; every client has a name and an email address. */
const NAMES = {
  always: ['name', 'email', 'email_again'],
  details: ['entity_type'],
  // Every answer that is accepted, and the free text last.
  intake: [...answersSchema.keyof().options.filter((name) => name !== 'notes'), 'notes'],
  time: ['start_time'],
} as const

export type FieldName = (typeof NAMES)[keyof typeof NAMES][number]

export const ANSWERS: readonly FieldName[] = NAMES.intake
export const EVERY_FIELD: readonly FieldName[] = Object.values(NAMES).flat()

export const isOptional = (name: FieldName) => ANSWERS.includes(name) && name !== 'primary_goal'

/** The fields of what a link asks for. */
export const fieldsOf = ({ ask }: Pick<KeptLink, 'ask'>): FieldName[] =>
  (['always', ...ask] as const).flatMap((one) => [...NAMES[one]])

/** What is typed: all but the time, which is pressed. */
export const typedFieldsOf = (link: Pick<KeptLink, 'ask'>): FieldName[] =>
  fieldsOf(link).filter((name) => name !== 'start_time')
