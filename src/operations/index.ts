import { bookConsult } from './book-consult.ts'
import { cancelBooking } from './cancel-booking.ts'
import { createClientProfile } from './create-client-profile.ts'
import { createPaymentLink } from './create-payment-link.ts'
import { getClient } from './get-client.ts'
import { getPaymentLink } from './get-payment-link.ts'
import { listClients } from './list-clients.ts'
import { getBooking } from './get-booking.ts'
import { listAvailability } from './list-availability.ts'
import { listBookings } from './list-bookings.ts'
import type { MutationOperation, Operation, Read } from './operation.ts'
import { rescheduleBooking } from './reschedule-booking.ts'
import { submitIntakeAnswers } from './submit-intake-answers.ts'

/** The operations of this service, each a tool of MCP too, in the order in which they are shown everywhere. */
export const OPERATIONS: readonly Operation[] = [
  listAvailability,
  bookConsult,
  rescheduleBooking,
  cancelBooking,
  createClientProfile,
  submitIntakeAnswers,
  createPaymentLink,
]

/** What can be read besides: over REST, and as MCP resources. */
export const READS: readonly Read[] = [listBookings, getBooking, listClients, getClient, getPaymentLink]

/** The operations that change something. */
export const MUTATIONS = OPERATIONS.filter((one): one is MutationOperation => one.kind === 'mutation')

const mutations = new Map(MUTATIONS.map((operation) => [operation.name, operation]))

/** The mutation with this name, if there is one. */
export const mutationNamed = (name: string): MutationOperation | undefined => mutations.get(name)
