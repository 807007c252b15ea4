import { EFFECT_MEANINGS, effectsOf } from '../../domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES } from '../../domain/problem/problems.ts'
import { GENERATED, code, markdownPage, markdownTable } from './markdown.ts'

/** Every refusal: its status, whether a repeat can help, its effect, and what to do. */
export const problemsPage = (): string =>
  markdownPage(
    '# Problems',
    GENERATED,
    `Refusals are ${code('application/problem+json')} (RFC 9457), the same over REST and over MCP. ${code('retryable')} means that the very same request may succeed later; ${code('effect')} says what is known of the change that was asked for.`,
    markdownTable(
      ['effect', 'meaning'],
      Object.entries(EFFECT_MEANINGS).map(([effect, meaning]) => [code(effect), meaning]),
    ),
    markdownTable(
      ['code', 'status', 'retryable', 'effect', 'what it means', 'what to do'],
      PROBLEM_CODES.map((one) => {
        const { status, retryable, detail, next_step } = PROBLEMS[one]
        const effects = effectsOf(one).map(code).join(' or ')
        return [
          `<a id="${one}"></a>${code(one)}`,
          String(status),
          retryable ? 'yes' : 'no',
          effects,
          detail,
          next_step,
        ]
      }),
    ),
  )
