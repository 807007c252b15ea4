import type { Delivery, Hint } from './provider-webhooks.ts'

/** Something that a person does on the page of a mock provider. Times are epoch milliseconds. */
export type MockAct =
  | { act: 'book'; start: number }
  | { act: 'move'; bookingId: string; start: number }
  | { act: 'cancel'; bookingId: string }
  | { act: 'no_show'; bookingId: string; isOn: boolean }
  | { act: 'pay'; invoiceId: string; how: 'paid' | 'failed' | 'void' }

/** The pages of the mock providers. */
export interface MockPages {
  /** What the act was about, or why it was not done: the provider is live, or there is nothing to act on. */
  act(act: MockAct): Promise<Pick<Hint, 'bookings' | 'invoices'> | 'not a mock' | 'taken' | 'not there'>
  /** The signed webhook that a mock sends about it. */
  delivery(about: Pick<Hint, 'bookings' | 'invoices'>): Promise<Delivery>
}
