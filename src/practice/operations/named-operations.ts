import { Problem, problemWords } from '../../core/domain/problem/problem.ts'
import type { Asked } from '../../core/domain/problem/problems.ts'
import type { Context } from './context.ts'
import { OPERATIONS, toolsFor } from './index.ts'

/*
 * Our texts say which operation a caller should use next, by its name: as a tool, and as the
 * operationId of a route. A caller reads only the sentences about operations that it has, so each
 * name is in a sentence that the rest of its text can do without.
 */

/** What of a text a caller reads. */
export type TextFor = (text: string) => string

const NAMES = new RegExp(`\\b(?:${OPERATIONS.map(({ name }) => name).join('|')})\\b`, 'g')

/** A route in brackets behind the name of its operation: only a caller over REST can use it. */
const ROUTE = / \((?:GET|POST|DELETE) \/v1\/[^)]*\)/g

/** What is quoted is a text of someone else: it holds no end of a sentence of ours, and no name. */
const QUOTED = /“[^”]*”/g
const SENTENCE = /(?:“[^”]*”|[^.?!“]|[.?!](?!\s|$))+(?:[.?!]|$)\s*/g

/** The texts for a caller to whom these operations can be named; `isTool` if it calls them as tools. */
export function textNaming(names: Pick<ReadonlySet<string>, 'has'>, isTool = false): TextFor {
  const isForCaller = (sentence: string) =>
    (sentence.replaceAll(QUOTED, '').match(NAMES) ?? []).every((name) => names.has(name))
  return (text) => {
    const named = isTool ? text.replaceAll(ROUTE, '') : text
    if (isForCaller(named)) return named
    return (named.match(SENTENCE) ?? []).filter(isForCaller).join('').trimEnd()
  }
}

/** The texts for a caller: of a tool those that name its tools, of a route those that its scopes reach. */
export function textFor(
  caller: Pick<Context, 'scopes' | 'granted'>,
  isTool: boolean | undefined,
): TextFor {
  // Most texts name no operation.
  let names: ReadonlySet<string> | undefined
  const has = (name: string) => (names ??= namesFor(caller, isTool)).has(name)
  return textNaming({ has }, isTool)
}

function namesFor(
  caller: Pick<Context, 'scopes' | 'granted'>,
  isTool: boolean | undefined,
): ReadonlySet<string> {
  const reached = isTool
    ? toolsFor(caller)
    : OPERATIONS.filter(({ scope }) => caller.scopes.includes(scope))
  return new Set(reached.map(({ name }) => name))
}

/** The answer with those of its texts that say what to do next as the caller reads them. */
export function answerFor<B extends object>(body: B, text: TextFor): B {
  const { warnings, next_step } = body as { warnings?: string[]; next_step?: string }
  return {
    ...body,
    // A warning that is about an operation alone is none for a caller without it.
    ...(warnings && { warnings: warnings.map(text).filter((one) => one !== '') }),
    ...(next_step !== undefined && { next_step: text(next_step) }),
  }
}

/** The same refusal of what was asked, with its words as the caller reads them. */
export function refusalFor(problem: Problem, asked: Asked, text: TextFor): Problem {
  const { refusal, replayed, audited, openPage } = problem
  const { detail, next_step } = problemWords(refusal, asked)
  const errors = refusal.errors?.map((error) => ({ ...error, detail: text(error.detail) }))
  const asRead = {
    ...refusal,
    ...(text(detail) !== detail && { detail: text(detail) }),
    ...(text(next_step) !== next_step && { next_step: text(next_step) }),
    errors,
  }
  return new Problem(asRead, { asked, replayed, audited, openPage })
}
