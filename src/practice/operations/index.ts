import type { Scope } from '../../core/domain/scopes.ts'
import { bookConsult } from './book-consult.ts'
import { cancelBooking } from './cancel-booking.ts'
import { completeClientLink, withdrawClientLink } from './complete-client-link.ts'
import { createClientProfile } from './create-client-profile.ts'
import { createPaymentLink } from './create-payment-link.ts'
import { findClient } from './find-client.ts'
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
import { submitIntakeAnswers } from './submit-intake-answers.ts'

/** The operations of this service in the order in which they are shown; each is a tool of MCP too. */
export const OPERATIONS: readonly Operation[] = [
  listAvailability,
  bookConsult,
  rescheduleBooking,
  cancelBooking,
  createClientProfile,
  submitIntakeAnswers,
  createPaymentLink,
]

/** Reads over REST, as resources, and as tools for callers to whom the owner granted them. */
export const READS: readonly Read[] = [
  listBookings,
  getBooking,
  listClients,
  getClient,
  findClient,
  getPaymentLink,
  listEventTypes,
]

/** Shown only to callers to whom the owner granted its scope by name. */
export const GRANTED: readonly Operation[] = [inviteClient, getClientLink]

/** All that has a route. */
export const SERVED: readonly Operation[] = [...OPERATIONS, ...READS, ...GRANTED]

/** All that can be called as a tool, in the order in which tools are listed. */
export const TOOLS: readonly Operation[] = SERVED.filter(isTool)

/** The tools that a caller sees: the seven by its scopes, the others if the owner granted them by name. */
export const toolsFor = ({
  scopes,
  granted,
}: Record<'scopes' | 'granted', readonly Scope[]>): Operation[] =>
  TOOLS.filter((tool) => (OPERATIONS.includes(tool) ? scopes : granted).includes(tool.scope))

/** The changes that callers make. */
export const MUTATIONS = SERVED.filter((one): one is MutationOperation => one.kind === 'mutation')

/** Only pages of ours make these changes: no route, no tool and no rule names them. */
export const PAGE_MUTATIONS: readonly PageMutation[] = [completeClientLink, withdrawClientLink]

const mutations = new Map<string, PageMutation>(
  [...MUTATIONS, ...PAGE_MUTATIONS].map((operation) => [operation.name, operation]),
)

export const mutationNamed = (name: string): PageMutation | undefined => mutations.get(name)
