import * as z from 'zod'

import type { FactsContext } from '../../core/confirm/mutation.ts'
import { shortMac } from '../../core/crypto/encoding.ts'
import { type Answers, answersSchema, keptAnswersSchema } from '../../core/domain/intake.ts'
import { counted } from '../../core/domain/plural.ts'
import { recordKey } from '../../core/domain/records.ts'
import { redactContacts } from '../../core/domain/sensitive-data/contacts.ts'
import { unfilledWarnings } from '../../core/domain/unfilled-template.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import { checkClientId } from './client/identity.ts'
import { EXAMPLE_CLIENT, clientIdField, entityTypeSchema } from './create-client-profile.ts'
import { defineMutation, practiceMode, recordWrite } from './operation.ts'
import { namedObject, orNull, textOrNull } from './schemas.ts'

const shownClientFields = {
  client_id: clientIdField,
  display_name: textOrNull.describe(
    'Initials only; null until the record of a new client has arrived.',
  ),
  entity_type: orNull(entityTypeSchema),
}

const LABELLED =
  'The notes are kept as shown, with labels in place of email addresses and phone numbers.'

export const intakeFields = {
  intake_id: z.string().meta({
    description: 'The id of this submission.',
    examples: ['intake_Zk3vQ0p9sT1uW2xY4aB6cD'],
  }),
  client_id: clientIdField,
  state: z.literal('submitted'),
  answers: keptAnswersSchema,
}

const recordSchema = z.object({ display_name: z.string(), entity_type: entityTypeSchema })

/** The masked client of an id that was issued here and not erased; its record may still be on its way. */
async function knownClient(
  { ports, flow }: Pick<FactsContext, 'ports' | 'flow'>,
  clientId: string,
) {
  const { records, keyring } = ports
  const verdict = await checkClientId(await keyring(), clientId, practiceMode(ports))
  if (verdict === 'foreign') return undefined
  // Once the secret of the id is gone, only a record can confirm it; an invented id stores nothing.
  if (verdict === 'unlisted' && !(await records.get(recordKey('client', clientId))))
    return undefined
  const value = await records.registerFlow(clientId, flow)
  if (value === null) return undefined
  if (value === undefined) return { display_name: null, entity_type: null }
  return recordSchema.parse(JSON.parse(value))
}

/** The answers as they are kept: contacts in the notes are replaced by labels. */
export const keptAnswers = ({ notes, ...others }: Answers): Answers =>
  notes === undefined ? others : { ...others, notes: redactContacts(notes) }

/** The id of a submission. It derives from the id of the flow, so a repeat makes the same one. */
export const issueIntakeId = async (keyring: Keyring, keyId: string, flowId: string) =>
  `intake_${await shortMac(keyring, keyId, 'intake id', flowId)}`

const { client_id, display_name, entity_type } = EXAMPLE_CLIENT
const answers = {
  primary_goal: 'retirement' as const,
  household_members: 2,
  notes: 'Prefers mornings.',
}
export const EXAMPLE_INTAKE = {
  intake_id: 'intake_Zk3vQ0p9sT1uW2xY4aB6cD',
  client_id,
  state: 'submitted' as const,
  answers,
}

export const submitIntakeAnswers = defineMutation({
  name: 'submit_intake_answers',
  title: 'Submit intake answers',
  description:
    'Submits the intake answers of a client (questionnaire: goals, tax situation, ' +
    'household, notes), in two calls, preview and commit. ' +
    'Use this when a client has answered. create_client_profile returned the client_id. ' +
    'Returns an intake_id and the answers as they are kept; ' +
    'a later submission is added and replaces nothing. ' +
    'Cannot take documents or Social Security, tax, account or card numbers: do not ask ' +
    'for them.',
  scope: 'intake:write',
  route: 'POST /v1/clients/{client_id}/intake',
  provider: null,
  destructive: false,
  problems: ['client_not_found'],
  input: z.strictObject({ client_id: clientIdField, answers: answersSchema }),
  preview: namedObject('PreviewedIntake', { ...shownClientFields, answers: keptAnswersSchema }),
  committed: namedObject('Intake', intakeFields),
  async facts({ client_id }, reading) {
    const { ports, refuse, id, keyId } = reading
    const client = await knownClient(reading, client_id)
    if (!client) throw refuse('client_not_found')
    const intake_id = await issueIntakeId(await ports.keyring(), keyId, id)
    return { pinned: { client_id, intake_id }, client }
  },
  show({ client_id, answers }, { client }) {
    const kept = keptAnswers(answers)
    const count = Object.keys(answers).length
    return {
      preview: { client_id, ...client, answers: kept },
      summary:
        `Submit ${counted(count, 'intake answer')} for ` +
        `${client.display_name ?? 'the client'} (${client_id}).`,
      warnings: [
        kept.notes !== answers.notes && LABELLED,
        unfilledWarnings('The notes hold', [answers.notes ?? '']),
      ],
    }
  },
  result({ preview: { answers }, pinned: { intake_id, client_id } }) {
    return { intake_id, client_id, state: 'submitted' as const, answers }
  },
  summary: () => 'Submitted the intake answers.',
  recordId: ['client_id'],
  records: (result, finished) => [
    recordWrite(recordKey('intake', result.client_id, result.intake_id), result, finished),
  ],
  example: {
    input: { client_id, answers },
    preview: { client_id, display_name, entity_type, answers },
    result: EXAMPLE_INTAKE,
  },
})
