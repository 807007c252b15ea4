import { dayLines } from '../domain/day-lines.ts'
import { factLines } from '../domain/fact-lines.ts'
import type { ProblemBody } from '../domain/problem.ts'
import { EFFECT_MEANINGS } from '../domain/problem-effects.ts'

/** A refusal as text alone: its code, what is wrong, what is known of the effect, its facts and the next step. */
export function problemText(body: ProblemBody): string {
  const { title, code, detail, effect, next_step, errors = [], changes = [], free_slots = [], ...more } = body
  // Addresses are for REST: a model cannot open them.
  const { type: _type, status: _status, retryable: _retryable, status_url_template: _url, ...facts } = more
  return [
    `${title} (${code}). ${detail}`,
    `Effect: ${effect}. ${EFFECT_MEANINGS[effect]}`,
    ...errors.map((error) => `- ${error.pointer === '' ? 'the request' : error.pointer}: ${error.detail}`),
    ...changes.flatMap(({ field, was, now }) => {
      const known = factLines({ [`${field} was`]: was, [`${field} is now`]: now })
      return known.length > 0 ? known : `${field} has changed`
    }),
    ...(free_slots.length > 0
      ? ['Free nearby:', ...dayLines(free_slots.map(({ start_time }) => start_time))]
      : []),
    ...factLines(facts),
    `Next: ${next_step}`,
  ].join('\n')
}
