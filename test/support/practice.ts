import type { Practice } from '../../src/core/domain/practice.ts'

/** A practice in New York with one kind of consult, and without any text of its own. */
export const PRACTICE = {
  name: 'The practice',
  timezone: 'America/New_York',
  schedulingPageUrl: null,
  phone: null,
  clientLinkNotice: { en: null, es: null },
  bookingTerms: { en: null, es: null },
  bookingAsks: [],
  eventTypes: [{ name: 'consult', id: 'mock_consult' }],
} satisfies Practice
