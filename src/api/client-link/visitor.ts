import type { Context } from 'hono'

import { type PageLanguage, nameIn, termsIn } from '../../core/domain/practice.ts'
import type { AppEnv } from '../http/app-env.ts'
import { LANGUAGES, isLanguage, wantedLanguage } from './language.ts'
import type { LinkPage } from './link-page.ts'

/** Every page of a link is in the language that the browser asks for, unless its address names one. */
export const CLIENT_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept, Accept-Language',
}

/** What every page for a visitor has: their language, and the practice. */
export function visitorPage(c: Context<AppEnv>): LinkPage {
  const { practice, modes } = c.var.site()
  const asked = c.req.query('lang')
  const chosen: PageLanguage | undefined = isLanguage(asked) ? asked : undefined
  const language = chosen ?? wantedLanguage(c.req.header('Accept-Language'))
  return {
    practice: nameIn(practice, language),
    phone: practice.phone,
    terms: termsIn(practice, language),
    path: c.req.path,
    chosen: { language: chosen },
    language,
    words: LANGUAGES[language].words,
    zone: practice.timezone,
    isMock: modes.scheduling === 'mock',
  }
}
