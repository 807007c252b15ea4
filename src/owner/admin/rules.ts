import * as z from 'zod'

import type { AppContext } from '../../api/http/app-env.ts'
import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { built } from '../../core/domain/lazy.ts'
import { underName } from '../../core/domain/origin.ts'
import { invalidField, problem } from '../../core/domain/problem/problem.ts'
import {
  type KeptRules,
  type Rules,
  EVERYBODY,
  NO_RULES,
  sentencesOf,
} from '../../core/domain/rules/house-rules.ts'
import { isOfTrial } from '../../core/domain/scopes.ts'
import { isoOrNull } from '../../core/domain/time/time.ts'
import type { Access } from '../../core/ports/access.ts'
import type { Context } from '../../practice/operations/context.ts'
import { rulesSchema } from '../../practice/operations/house-rules.ts'
import { firstOf, listQuery, listSchema } from '../../practice/operations/pagination.ts'
import { momentField, namedObject, orNull } from '../../practice/operations/schemas.ts'

const callerField = z.string().meta({
  description: `\`${EVERYBODY}\` for all callers together, or a caller as GET /v1/me names it.`,
  examples: [EVERYBODY, 'key:3b2f0f4e-3c0f-4a55-9d0b-0e5a3f6f7c11'],
})

const setSchema = z.lazy(() =>
  namedObject('HouseRulesOfCaller', {
    caller: callerField,
    ...built(rulesSchema).shape,
    paused_at: orNull(momentField),
    allows: z.array(z.string()).meta({ description: 'The rules in sentences, for a person.' }),
  }),
)

const rulesQuery = z.lazy(() =>
  listQuery.extend({
    caller: callerField
      .optional()
      .meta({ description: 'Lists only the sets that apply to this caller.' }),
  }),
)

const NONE = { rules: NO_RULES, pausedSince: null }

/** Only the rules that are known: after a rollback a set can have more. */
const shown = (set: KeptRules, zone: string) => ({
  caller: set.caller,
  paused: set.rules.paused,
  operations: set.rules.operations,
  max_link: set.rules.max_link,
  hours: set.rules.hours,
  changes_a_day: set.rules.changes_a_day,
  approval: set.rules.approval,
  paused_at: isoOrNull(set.pausedSince),
  allows: sentencesOf([{ ...set, changesToday: 0 }], Date.now(), zone),
})

export const RULES_ENDPOINTS = [
  httpEndpoint({
    route: 'GET /v1/rules',
    operationId: 'list_house_rules',
    summary: 'List the house rules',
    description:
      'Lists the limits that the owner sets in addition to scopes: the set for all callers ' +
      'together first, then the set of each caller that has one. ' +
      'Both sets have to allow a change.',
    scopes: ['admin'],
    query: rulesQuery,
    answer: {
      description: 'The sets of rules.',
      schema: z.lazy(() => listSchema('rules', setSchema)),
    },
    async run({ limit, caller }, _owner, c) {
      const { houseRules } = c.var.services
      const sets =
        caller === undefined ? await houseRules.all() : await houseRules.appliedTo(caller)
      const everybody = sets.some(({ caller }) => caller === EVERYBODY)
        ? []
        : [{ caller: EVERYBODY, ...NONE }]
      const { timezone } = c.var.site().practice
      const all = [...everybody, ...sets].map((set) => shown(set, timezone))
      return firstOf('rules', all, limit)
    },
  }),
  httpEndpoint({
    route: 'PUT /v1/rules/{caller}',
    operationId: 'put_house_rules',
    summary: 'Pause a caller, or tighten its house rules',
    description:
      'Replaces the whole set. The new set applies to every later commit. ' +
      'A key can only tighten rules: a change that resumes a caller or allows more is ' +
      'refused, because only the owner can make it, signed in to the console. ' +
      'Until the owner has a passkey, the first key of the owner can make it too.',
    scopes: ['admin'],
    params: z.lazy(() => z.object({ caller: callerField })),
    body: rulesSchema,
    answer: { description: 'The set that applies now.', schema: setSchema },
    problems: ['not_found', 'preview_stale'],
    async run({ caller, ...rules }, owner, c) {
      const { access, houseRules } = c.var.services
      if (!(await isCaller(caller, access))) throw unknownCaller()
      const unmet = await whyNobodyApproves(rules, access)
      if (unmet !== undefined) throw invalidField('/approval', unmet)
      const may = (await mayLoosen(owner, access)) ? 'loosen' : 'tighten'
      switch (await changeRules(c, caller, rules, may, owner.app)) {
        case 'kept': {
          const set = (await houseRules.appliedTo(caller)).find((one) => one.caller === caller)
          return shown(set ?? { caller, ...NONE }, c.var.site().practice.timezone)
        }
        case 'loosens':
          throw problem('insufficient_scope', {
            detail:
              'A key only tightens the rules. This would resume, or allow more than ' +
              'before; nothing was changed.',
            next_step: `The owner does it at ${underName(owner.origin)}/owner, signed in with a passkey.`,
          })
        case 'overtaken':
          throw problem('preview_stale', {
            detail: 'The rules were changed meanwhile; nothing of this was kept.',
            next_step:
              'Look at GET /v1/rules and send the whole set again; npm run pause does so if you run it again.',
          })
        case 'full':
          throw invalidField(
            '',
            'There are too many sets of rules; lift those of callers that are gone.',
          )
      }
    },
  }),
]

/** Replaces rules of a set for the caller of this request, whose app is named where it is one. */
export function changeRules(
  c: AppContext,
  set: string,
  rules: Partial<Rules>,
  may: 'tighten' | 'loosen',
  app: string | null = null,
) {
  const { log, requestId, services } = c.var
  const by = { caller: log.caller, app, operation: log.operation, request_id: requestId }
  return services.houseRules.change(set, rules, by, may)
}

/** Why these rules cannot be met: they ask for a person, and no one has a passkey to approve with. */
export async function whyNobodyApproves(
  { approval }: Pick<Rules, 'approval'>,
  access: Access,
): Promise<string | undefined> {
  const asks = approval?.some(({ level }) => level === 'person') ?? false
  return asks && !(await access.owner.hasPasskeys()) ? NOBODY_APPROVES : undefined
}

const NOBODY_APPROVES =
  'No one could approve a change yet: create a passkey first. ' +
  '`npm run deploy -- --new-link` prints the link for it, and under `npm start` so does ' +
  '`npm run enrol`.'

/**
 * Before the first passkey no one can sign in, so the owner's first key may loosen rules; in a
 * local trial, anyone on the machine.
 */
const mayLoosen = async ({ caller }: Context, access: Access) =>
  (caller === 'owner' || isOfTrial(caller)) && !(await access.owner.hasPasskeys())

const APP = /^oauth:[\w-]+:\S{1,500}$/

/**
 * Whether rules can be set for it. A misspelt key would leave the real one unbound, so it has to be
 * there.
 */
export async function isCaller(caller: string, access: Access): Promise<boolean> {
  if ([EVERYBODY, 'owner'].includes(caller) || isOfTrial(caller) || APP.test(caller)) return true
  return (await access.listKeys()).some(({ id }) => caller === `key:${id}`)
}

const unknownCaller = () =>
  problem('not_found', {
    detail: 'There is no caller with this name.',
    next_step:
      `Use ${EVERYBODY} for all callers, key: and the id of a key, which npm run keys -- list shows, ` +
      'or a caller as GET /v1/me or the audit log names it.',
  })
