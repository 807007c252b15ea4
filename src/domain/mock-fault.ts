import * as z from 'zod'

const ACTIONS = ['slots', 'event_type', 'list', 'book', 'cancel', 'invoice', 'link', 'hook'] as const
const FAULTS = [
  'ok',
  'busy',
  'misconfigured',
  'refused',
  'timeout_before',
  'timeout_after',
  'slow',
  'changed',
  'lost',
  'twice',
  'late',
  'early',
] as const

export type Action = (typeof ACTIONS)[number]
export type Fault = (typeof FAULTS)[number]

export interface ScriptedFault {
  action: Action
  fault: Fault
  /** It is not used up by a call. */
  stays: boolean
}

/**
 * A script of faults for trials, such as `book:ok,book:refused,link:timeout_after*`: each is used up by one call of
 * its action, in order; one with a `*` stays for good.
 */
export const faultScriptSchema = z.string().transform((script, context): ScriptedFault[] =>
  script
    .split(',')
    .map((step) => step.trim())
    .filter((step) => step !== '')
    .flatMap((step) => {
      const [, name, kind, star] = /^(\w+):(\w+)(\*?)$/.exec(step) ?? []
      const action = ACTIONS.find((one) => one === name)
      const fault = FAULTS.find((one) => one === kind)
      if (action && fault) return [{ action, fault, stays: star === '*' }]
      context.addIssue({ code: 'custom', message: 'a step is not action:fault' })
      return []
    }),
)
