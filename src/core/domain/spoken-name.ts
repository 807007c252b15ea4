/** A name of a program as people say it: `Tax planning` for `tax_planning` and for `tax-planning`. */
export const spokenName = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ')

const SHORT_NAME = /^(?=.*[a-z])[a-z0-9][a-z0-9_-]{0,63}$/

/** A kind of consult by its short name; one that is known by the provider's id alone is a consult. */
export const spokenKind = (eventType: string): string =>
  SHORT_NAME.test(eventType) ? spokenName(eventType) : 'Consult'
