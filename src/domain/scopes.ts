/** What a credential may be allowed to do, in the order in which a person is shown it. */
export const SCOPES = {
  'availability:read': 'See when consults can be booked',
  'bookings:write': 'Book, move and cancel consults',
  'clients:write': 'Create client profiles',
  'intake:write': 'Submit intake answers',
  'payments:write': 'Create payment links for invoices',
} as const

export type Scope = keyof typeof SCOPES
