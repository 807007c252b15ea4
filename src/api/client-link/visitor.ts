import { nameIn, textIn } from '../../core/domain/practice.ts'
import type { ProblemBody } from '../../core/domain/problem/problem.ts'
import { SCHEDULING_PROVIDERS } from '../../core/domain/providers.ts'
import type { AppContext } from '../http/app-env.ts'
import { LANGUAGES, type LinkPage, isLanguage, wantedLanguage } from './link-page.ts'
import { statePage } from './views.ts'

/** Every page of a link is in the language that the browser asks for, unless its address names one. */
export const CLIENT_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept, Accept-Language',
}

/** What every page for a visitor has: their language, and the practice. */
export function visitorPage(c: AppContext): LinkPage {
  const { practice, modes } = c.var.site()
  const asked = c.req.query('lang')
  const chosen = isLanguage(asked) ? asked : undefined
  const language = chosen ?? wantedLanguage(c.req.header('Accept-Language'))
  const { provider } = c.var.services.scheduling
  const named = {
    practice: nameIn(practice, language),
    provider: provider === 'mock' ? undefined : SCHEDULING_PROVIDERS[provider].label,
    phone: practice.phone,
  }
  return {
    practice: named.practice,
    terms: textIn(practice.bookingTerms, language),
    path: c.req.path,
    chosen: { language: chosen },
    language,
    words: LANGUAGES[language].wordsOf(named),
    zone: practice.timezone,
    isMock: modes.scheduling === 'mock',
  }
}

/** What a client reads where an address or a form is refused before its link is read: nothing of the API. */
export function clientRefusalPage(
  c: AppContext,
  { code, effect }: Pick<ProblemBody, 'code' | 'effect'>,
): string {
  const view = visitorPage(c)
  const { words } = view
  const { title, ...refused } = words.refused
  if (effect === 'unknown') return statePage(view, title, refused.unknown)
  switch (code) {
    case 'not_found':
    case 'method_not_allowed':
      return statePage(view, words.states.noLink, words.states.copyAll)
    case 'rate_limited':
      return statePage(view, title, refused.tooMany, true)
    case 'payload_too_large':
      return statePage(view, title, refused.tooLong)
    default:
      return statePage(view, title, refused.back)
  }
}
