import type { Context } from 'hono'

import type { ProblemBody } from '../../core/domain/problem/problem.ts'
import type { AppEnv } from '../http/app-env.ts'
import { statePage } from './views.ts'
import { visitorPage } from './visitor.ts'

/** What a client reads where an address or a form is refused before its link is read: nothing of the API. */
export function clientRefusalPage(
  c: Context<AppEnv>,
  { code, effect }: Pick<ProblemBody, 'code' | 'effect'>,
): string {
  const view = visitorPage(c)
  const { words } = view
  if (effect === 'unknown') return statePage(view, words.refused.title, words.refused.unknown)
  switch (code) {
    case 'not_found':
    case 'method_not_allowed':
      return statePage(view, words.states.noLink, words.states.copyAll)
    case 'rate_limited':
      return statePage(view, words.refused.title, words.refused.tooMany, true)
    case 'payload_too_large':
      return statePage(view, words.refused.title, words.refused.tooLong)
    default:
      return statePage(view, words.refused.title, words.refused.back)
  }
}
