import * as z from 'zod'

import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { modeSchema } from '../../core/domain/mode.ts'
import { changesLeft, sentencesOf } from '../../core/domain/rules/house-rules.ts'
import { namedObject, orNull, textField } from '../../practice/operations/schemas.ts'

const meSchema = z.lazy(() =>
  namedObject('Me', {
    caller: textField('Who is calling; idempotency keys belong to this caller.'),
    label: z
      .string()
      .meta({ description: 'The name of the credential, for a person.', examples: ['Front desk'] }),
    scopes: z.array(z.string()).meta({ description: 'The scopes of the credential.' }),
    adapters: z.strictObject({ scheduling: modeSchema, payments: modeSchema }),
    paused: z.boolean().meta({
      description:
        'Whether the owner has paused this caller, or all callers: a paused caller can do nothing.',
    }),
    rules: z.array(z.string()).meta({
      description:
        'What the rules of the owner allow this caller, in sentences; empty if there is no rule.',
      examples: [['Payment links up to $500.00.']],
    }),
    changes_left_today: orNull(z.int().min(0)).meta({
      description:
        'How many changes the rules still allow on this day of the practice; null: no rule limits them.',
    }),
  }),
)

/** The call with which an automation tests its credential; it needs no scope. */
export const whoAmI = httpEndpoint({
  route: 'GET /v1/me',
  operationId: 'who_am_i',
  summary: 'Get the caller',
  description:
    'Returns the caller, its scopes, the modes and the rules of the owner. ' +
    'Use it as the connection test of an automation. ' +
    'It also answers while the caller is paused.',
  scopes: [],
  answer: { description: 'The caller.', schema: meSchema },
  async run(_input, { caller, label, scopes }, c) {
    const { modes, practice } = c.get('site')()
    const sets = await c.get('services').houseRules.appliedTo(caller)
    return {
      caller,
      label,
      scopes: [...scopes],
      adapters: modes,
      paused: sets.some(({ rules }) => rules.paused),
      rules: sentencesOf(sets, Date.now(), practice.timezone),
      changes_left_today: changesLeft(sets),
    }
  },
})
