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
export function wantedLanguage(header: string | undefined): PageLanguage {
  const wanted = (header ?? '').split(',').flatMap((one) => {
    const [range = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((part) => part.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    const [language] = range.split('-')
    return isLanguage(language) && weight > 0 ? [{ language, weight }] : []
  })
  // Of equal weights the first stays first.
  return wanted.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? 'en'
}
