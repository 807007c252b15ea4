import { parseAccept } from 'hono/utils/accept'

import type { PageLanguage } from '../../core/domain/practice.ts'
import { ENGLISH, type Words } from './words-en.ts'
import { SPANISH } from './words-es.ts'

/** The words of each language, and what each calls itself. */
export const LANGUAGES: Readonly<Record<PageLanguage, { words: Words; name: string }>> = {
  en: { words: ENGLISH, name: 'English' },
  es: { words: SPANISH, name: 'Español' },
}

export const isLanguage = (text: string | undefined): text is PageLanguage =>
  text !== undefined && Object.hasOwn(LANGUAGES, text)

/**
 * The language of ours that an Accept-Language header wants most (RFC 9110, section 12.5.4);
 * otherwise English.
 */
export function wantedLanguage(header = ''): PageLanguage {
  for (const { type: range, q: weight } of parseAccept(header)) {
    const [language] = range.toLowerCase().split('-')
    if (isLanguage(language) && weight > 0) return language
  }
  return 'en'
}
