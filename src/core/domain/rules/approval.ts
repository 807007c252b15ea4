import * as z from 'zod'

import { displayAmount, ruleAmountsSchema } from '../money.ts'

/** The operation of a rule that is about every change. */
export const ALL_OPERATIONS = '*'

/**
 * Rules about who approves; the strictest counts. `person` wants a passkey on our own page, `agent`
 * only the token.
 */
export const approvalSchemaFor = (
  operations: readonly string[],
  withAmount: readonly string[],
  withAddress: readonly string[],
) =>
  z
    .array(
      z
        .strictObject({
          operation: z
            .enum([ALL_OPERATIONS, ...operations])
            .describe(`A change, or ${ALL_OPERATIONS} for all of them.`),
          above: ruleAmountsSchema
            .optional()
            .describe(
              'Only above these amounts, in minor units; ' +
                'a currency that is not named always counts. ' +
                `For ${withAmount.join(', ')} alone.`,
            ),
          unless: z
            .literal('known_client')
            .optional()
            .describe(
              'The rule does not apply where the change goes to the email address of a ' +
                'known client: a person has approved a change with this address, or a ' +
                `consult with it has taken place. For ${withAddress.join(', ')} alone; ` +
                'a move counts where it names another address, a link where it asks for a ' +
                'time. For a caller without clients:read no address is known.',
            ),
          level: z
            .enum(['agent', 'person'])
            .describe(
              'person: a person approves it with a passkey. agent: the confirmation_token is enough.',
            ),
        })
        .refine(({ operation, above }) => above === undefined || withAmount.includes(operation), {
          path: ['above'],
          params: {
            expected: `Only for ${withAmount.join(', ')}, which has an amount; leave it out for other operations.`,
          },
        })
        .refine(
          ({ operation, unless }) => unless === undefined || withAddress.includes(operation),
          {
            path: ['unless'],
            params: {
              expected: `Only for ${withAddress.join(', ')}, which name an address; leave it out for other operations.`,
            },
          },
        )
        .meta({ id: 'ApprovalRule' }),
    )
    .max(50)

export type ApprovalRule = z.infer<ReturnType<typeof approvalSchemaFor>>[number]

/** A change as far as these rules ask; the amount is in minor units. */
interface Asked {
  operation: string
  amount?: number
  currency?: string
  /** `new`: it brings an address into play that is no known client's, as far as the caller may know. */
  address?: 'new' | 'known' | undefined
}

/** Whether a person has to approve the change. */
export const needsPerson = (
  rules: readonly ApprovalRule[],
  { operation, amount, currency, address }: Asked,
) =>
  (amount ?? 0) >
  freeUpTo(rulesFor(rules, address), operation, amount === undefined ? undefined : currency)

/** Whether it depends on the address alone that a person has to approve the change. */
export const dependsOnClient = (rules: readonly ApprovalRule[], asked: Asked) =>
  needsPerson(rules, { ...asked, address: 'new' }) &&
  !needsPerson(rules, { ...asked, address: 'known' })

/** The rules that count for a change with such an address. */
const rulesFor = (rules: readonly ApprovalRule[], address: Asked['address']): ApprovalRule[] =>
  rules.filter(({ unless }) => unless === undefined || address === 'new')

/** Whether the second list lets something pass that the first has approved by a person. */
export function needsLess(
  before: readonly ApprovalRule[],
  after: readonly ApprovalRule[],
): boolean {
  const all = [...before, ...after]
  // One name and one currency that no rule has represent all others.
  const operations = new Set(['', ...all.map(({ operation }) => operation)])
  const currencies = new Set(['', ...all.flatMap(({ above = {} }) => Object.keys(above))])
  const isFreer = (address: Asked['address'], operation: string, currency: string | undefined) => {
    const [was, is] = [before, after].map((rules) =>
      freeUpTo(rulesFor(rules, address), operation, currency),
    ) as [number, number]
    return is > was
  }
  return [...operations].some((operation) =>
    [undefined, ...currencies].some(
      (currency) => isFreer('new', operation, currency) || isFreer('known', operation, currency),
    ),
  )
}

/** What these rules say, in sentences for a person. */
export const approvalSentences = (rules: readonly ApprovalRule[]) =>
  rules
    .filter(({ level }) => level === 'person')
    .map(({ operation, above, unless }) => {
      const known = unless === undefined ? '' : ', unless it goes to the address of a known client'
      const what = operation === ALL_OPERATIONS ? 'every change' : `each ${operation}`
      const amounts = Object.entries(above ?? {}).map(([currency, most]) =>
        displayAmount(most, currency),
      )
      return (
        'A person approves ' +
        `${what}${amounts.length === 0 ? '' : ` above ${amounts.join(', or above ')}`}${known}.`
      )
    })

/** The same as one line, for the audit log. */
export const approvalFact = (rules: readonly ApprovalRule[]) =>
  rules
    .map(({ operation, above, unless, level }) => {
      const known = unless === undefined ? '' : ` unless ${unless}`
      const amounts = Object.entries(above ?? {}).map(([currency, most]) => ` >${currency} ${most}`)
      return `${operation}${amounts.join('')}${known}: ${level}`
    })
    .join(', ')

/** Up to which amount no one has to approve: -1 where every change needs it, Infinity where none does. */
const freeUpTo = (
  rules: readonly ApprovalRule[],
  operation: string,
  currency: string | undefined,
) =>
  Math.min(
    Infinity,
    ...rules
      .filter(
        (rule) => rule.level === 'person' && [ALL_OPERATIONS, operation].includes(rule.operation),
      )
      .map(
        ({ above = {} }) =>
          (currency === undefined ? undefined : above[currency.toLowerCase()]) ?? -1,
      ),
  )
