import { BY_NAME_SCOPES, type Scope } from '../../core/domain/scopes.ts'
import { bookConsult } from './book-consult.ts'
import { cancelBooking } from './cancel-booking.ts'
import { completeClientLink, withdrawClientLink } from './complete-client-link.ts'
import { createClientProfile } from './create-client-profile.ts'
import { createPaymentLink } from './create-payment-link.ts'
import { endPaymentLink } from './end-payment-link.ts'
import { findBookings } from './find-bookings.ts'
import { findClient } from './find-client.ts'
import { findInvoices } from './find-invoices.ts'
import { getBooking } from './get-booking.ts'
import { getClient } from './get-client.ts'
import { getPaymentLink } from './get-payment-link.ts'
import { getClientLink, inviteClient } from './invite-client.ts'
import { listAvailability } from './list-availability.ts'
import { listBookings } from './list-bookings.ts'
import { listClients } from './list-clients.ts'
import { listEventTypes } from './list-event-types.ts'
import {
  type PageMutation,
  type MutationOperation,
  type Operation,
  type Read,
  isTool,
} from './operation.ts'
import { rescheduleBooking } from './reschedule-booking.ts'
import { respondToBooking } from './respond-to-booking.ts'
import { submitIntakeAnswers } from './submit-intake-answers.ts'

/**
 * The seven of the specification, and tested against it: as tools every caller that has their
 * scopes sees them.
 */
export const SEED: readonly Operation[] = [
  listAvailability,
  bookConsult,
  rescheduleBooking,
  cancelBooking,
  createClientProfile,
  submitIntakeAnswers,
  createPaymentLink,
]

/**
 * Every operation with a route, in the order in which they are shown. Name a new operation here.
 * Callers see the tools of `SEED`; they see another tool if the owner granted its scope by name.
 */
export const OPERATIONS: readonly Operation[] = [
  ...SEED,
  listBookings,
  findBookings,
  getBooking,
  listClients,
  getClient,
  findClient,
  findInvoices,
  getPaymentLink,
  listEventTypes,
  inviteClient,
  getClientLink,
  endPaymentLink,
  respondToBooking,
]

/**
 * Those whose scope counts only where the owner granted it by name. No public document names them.
 */
export const GRANTED: readonly Operation[] = OPERATIONS.filter(({ scope }) =>
  BY_NAME_SCOPES.includes(scope),
)

const isGranted = (operation: Operation) => GRANTED.includes(operation)

/** The seven, and the changes that were added to them: what a document lists first. */
export const LISTED_FIRST: readonly Operation[] = OPERATIONS.filter(
  (one) => !isGranted(one) && (SEED.includes(one) || one.kind === 'mutation'),
)

/**
 * The other reads: over REST, as resources, and as tools for callers to whom the owner granted
 * them.
 */
export const READS: readonly Read[] = OPERATIONS.filter(
  (one): one is Read => !isGranted(one) && !LISTED_FIRST.includes(one),
)

/** All that can be called as a tool, in the order in which tools are listed. */
export const TOOLS: readonly Operation[] = OPERATIONS.filter(isTool)

/**
 * The tools that a caller sees: the seven by its scopes, the others if the owner granted them by
 * name.
 */
export const toolsFor = ({
  scopes,
  granted,
}: Record<'scopes' | 'granted', readonly Scope[]>): Operation[] =>
  TOOLS.filter((tool) => (SEED.includes(tool) ? scopes : granted).includes(tool.scope))

/** The changes that callers make. */
export const MUTATIONS = OPERATIONS.filter(
  (one): one is MutationOperation => one.kind === 'mutation',
)

/** Only pages of ours make these changes: no route, no tool and no rule names them. */
export const PAGE_MUTATIONS: readonly PageMutation[] = [completeClientLink, withdrawClientLink]

const mutations = new Map<string, PageMutation>(
  [...MUTATIONS, ...PAGE_MUTATIONS].map((operation) => [operation.name, operation]),
)

export const mutationNamed = (name: string): PageMutation | undefined => mutations.get(name)
