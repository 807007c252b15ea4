import type { Practice } from '../../core/domain/practice.ts'
import type { Scope } from '../../core/domain/scopes.ts'
import { zoneSchema } from '../../core/domain/time/time.ts'

interface Prompt {
  name: string
  title: string
  description: string
  scopes: readonly Scope[]
  /** All optional: some hosts pass only the first words, and the prompt asks for what is missing. */
  arguments: readonly { name: string; description: string; example: string }[]
  text(given: Readonly<Record<string, string>>, practice?: Pick<Practice, 'bookingAsks'>): string
}

const CONFIRM =
  'Use one new random idempotency_key per change, the same for its preview and its commit. ' +
  'Call each change with confirm=false first, show me the preview together with the ' +
  'details you sent, which it masks, and wait for my yes before you call it with ' +
  'confirm=true and the confirmation_token. If no answer comes, or it says outcome_unknown ' +
  'or commit_in_progress, repeat the same call with the same key; ' +
  'never choose a new key for it. Another time, person or amount is a new change, with a ' +
  'new key.'

const ASKS_MORE =
  'If it answers that the kind of consult asks more, put those questions to me in their ' +
  'own words, and send my answers as I give them; never answer for me.'

const CUT_SHORT = 'If my words look cut short, ask me for the rest.'

const said = (words: string | undefined, otherwise: string) =>
  words ? `"${words.replaceAll('"', '')}"` : otherwise

/** A host may split words at spaces: text that is no zone belongs to the words before it. */
function wordsAndZone(words = '', zone = ''): { words: string; zone: string } {
  const isZone = zoneSchema.safeParse(zone).success
  return isZone ? { words, zone } : { words: `${words} ${zone}`.trim(), zone: '' }
}

/** The example prompts, offered over MCP and shown at /docs/example-prompts.md. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'book_a_consult',
    title: 'Book a consult',
    description: 'Finds a free time and books a consult after you have seen the preview.',
    scopes: ['availability:read', 'bookings:write'],
    arguments: [
      { name: 'when', description: 'When it should be, in your words', example: 'Tuesday morning' },
      {
        name: 'timezone',
        description: 'IANA time zone of the invitee',
        example: 'America/New_York',
      },
    ],
    text(given, { bookingAsks } = { bookingAsks: [] }) {
      const { words, zone } = wordsAndZone(given['when'], given['timezone'])
      return (
        'Find a free consult time that fits ' +
        `${said(words, 'what I want (ask me when)')}${zone ? ` in the time zone ${zone}` : ''} ` +
        'with list_availability, and offer me up to three. ' +
        'When I have chosen one, ask me for the name and the email address of the invitee ' +
        `and book it with book_consult.${bookingAsks.length > 0 ? ` ${ASKS_MORE}` : ''} ` +
        `${CUT_SHORT} ${CONFIRM}`
      )
    },
  },
  {
    name: 'move_or_cancel_a_consult',
    title: 'Move or cancel a consult',
    description:
      'Moves a booked consult to another time, or cancels it, after you have seen the preview.',
    scopes: ['availability:read', 'bookings:write'],
    arguments: [
      { name: 'booking_id', description: 'The booking, bk_…', example: 'bk_mock_4f1c2a9b7d3e8f60' },
      {
        name: 'wish',
        description: 'What should happen, in your words',
        example: 'move it to Thursday afternoon',
      },
    ],
    text: ({ booking_id, wish }) =>
      `${booking_id ? `It is about the consult ${booking_id}` : 'Ask me which consult it is about'}, ` +
      `and what I want is ${said(wish, 'to move or to cancel it (ask me which)')}. ` +
      'To move it, look for free times with list_availability, let me choose one, and use ' +
      'reschedule_booking; tell me the new booking_id afterwards. ' +
      `To cancel it, use cancel_booking. ${CUT_SHORT} ${CONFIRM}`,
  },
  {
    name: 'onboard_a_client',
    title: 'Onboard a client',
    description:
      'Creates a client profile, submits the intake answers and makes a payment link for an invoice.',
    scopes: ['clients:write', 'intake:write', 'payments:write'],
    arguments: [
      { name: 'entity_type', description: 'Legal form of the client', example: 'individual' },
      { name: 'primary_goal', description: 'What the client wants most', example: 'retirement' },
      {
        name: 'invoice_id',
        description: 'The invoice to be paid, if there is one',
        example: 'in_mock_open',
      },
    ],
    text({ entity_type, primary_goal, invoice_id }) {
      const type = said(entity_type, 'that I name (ask me)')
      const goal = said(primary_goal, 'one that I name (ask me)')
      const paymentLink = invoice_id
        ? ` Last, use create_payment_link for the invoice ${invoice_id} and give me the link.`
        : ''
      return (
        `Onboard a new client of the type ${type} whose primary goal is ${goal}. ` +
        'Ask me for the name and the email address, then use create_client_profile. ' +
        'Ask me for the other intake answers that I want to give, then use ' +
        'submit_intake_answers with the client_id. Never ask for Social Security, tax, ' +
        `account or card numbers or for documents.${paymentLink} ${CUT_SHORT} ${CONFIRM}`
      )
    },
  },
]

export const exampleArguments = (prompt: Prompt): Record<string, string> =>
  Object.fromEntries(prompt.arguments.map(({ name, example }) => [name, example]))
