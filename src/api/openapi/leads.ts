/**
 * What an operation does, for people, by its id. The descriptions of the operations are written for
 * models, which choose a tool by them.
 */
export const LEADS: Partial<Record<string, string>> = {
  list_availability: 'Returns the free times for a consult, in the zone that you name.',
  book_consult:
    'Books one consult in the practice’s calendar, which sends the client an invitation. ' +
    'Call it twice: preview, then commit.',
  reschedule_booking:
    'Moves a consult to another free time. The moved consult has a new booking_id. ' +
    'Call it twice: preview, then commit.',
  cancel_booking:
    'Cancels a consult and frees its time. The calendar tells the client. ' +
    'Call it twice: preview, then commit.',
  respond_to_booking:
    'Accepts or declines a consult that a client has asked for. Call it twice: preview, then commit.',
  create_client_profile:
    'Creates a client profile. Names and addresses come back masked. Call it twice: preview, then commit.',
  submit_intake_answers:
    'Adds intake answers to a client profile. A later submission replaces nothing. ' +
    'Call it twice: preview, then commit.',
  create_payment_link:
    'Creates a payment page for an invoice and returns its address. Call it twice: preview, then commit.',
  end_payment_link:
    'Ends a payment link, so that it takes no more payments. Call it twice: preview, then commit.',
  invite_client:
    'Creates a link under which a client fills in details and picks a time. ' +
    'Call it twice: preview, then commit.',
  list_bookings: 'Returns the consults between two times. Names and addresses are masked.',
  find_bookings: 'Returns the consults of one email address.',
  get_booking: 'Returns one consult as it is in the calendar now.',
  list_clients: 'Returns the clients, newest first. Names and addresses are masked.',
  get_client: 'Returns a client with intake answers, consults and payment links.',
  find_client: 'Returns the clients with one email address.',
  find_invoices: 'Returns the invoices with a number, or those of one payer.',
  get_payment_link: 'Returns a payment link and whether its invoice is paid.',
  list_event_types: 'Returns the kinds of consult: how long each takes and where it happens.',
  get_client_link: 'Returns the state of a client link, and the ids of what the client made.',
}
