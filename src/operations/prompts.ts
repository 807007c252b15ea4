import type { Scope } from '../domain/scopes.ts'

export interface Prompt {
  name: string
  title: string
  description: string
  /** What its operations need; only callers who hold all of it are offered the prompt. */
  scopes: readonly Scope[]
  arguments: readonly { name: string; description: string; required: boolean; example: string }[]
  text(given: Readonly<Record<string, string>>): string
}

const CONFIRM =
  'Use one new random idempotency_key per change, the same for its preview and its commit. Call each change with confirm=false first, show me the preview, and wait for my yes before you call it with confirm=true and the confirmation_token. If an answer says outcome_unknown or commit_in_progress, repeat the same call with the same key; never choose a new key for it.'

/** The example prompts, offered over MCP and shown at /docs/example-prompts.md. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'book_a_consult',
    title: 'Book a consult',
    description: 'Finds a free time and books a consult after you have seen the preview.',
    scopes: ['availability:read', 'bookings:write'],
    arguments: [
      {
        name: 'when',
        description: 'When it should be, in your words',
        required: true,
        example: 'Tuesday morning',
      },
      {
        name: 'timezone',
        description: 'IANA time zone of the invitee',
        required: false,
        example: 'America/New_York',
      },
    ],
    text: ({ when, timezone }) =>
      `Find a free consult time that fits "${when}"${timezone ? ` in the time zone ${timezone}` : ''} with list_availability, and offer me up to three. When I have chosen one, ask me for the name and the email address of the invitee and book it with book_consult. ${CONFIRM}`,
  },
  {
    name: 'move_or_cancel_a_consult',
    title: 'Move or cancel a consult',
    description: 'Moves a booked consult to another time, or cancels it, after you have seen the preview.',
    scopes: ['availability:read', 'bookings:write'],
    arguments: [
      {
        name: 'booking_id',
        description: 'The booking, bk_…',
        required: true,
        example: 'bk_mock_4f1c2a9b7d3e8f60',
      },
      {
        name: 'wish',
        description: 'What should happen, in your words',
        required: true,
        example: 'move it to Thursday afternoon',
      },
    ],
    text: ({ booking_id, wish }) =>
      `The consult ${booking_id}: ${wish}. To move it, look for free times with list_availability, let me choose one, and use reschedule_booking; tell me the new booking_id afterwards. To cancel it, use cancel_booking. ${CONFIRM}`,
  },
  {
    name: 'onboard_a_client',
    title: 'Onboard a client',
    description:
      'Creates a client profile, submits the intake answers and makes a payment link for an invoice.',
    scopes: ['clients:write', 'intake:write', 'payments:write'],
    arguments: [
      { name: 'entity_type', description: 'Legal form of the client', required: true, example: 'individual' },
      {
        name: 'primary_goal',
        description: 'What the client wants most',
        required: true,
        example: 'retirement',
      },
      {
        name: 'invoice_id',
        description: 'The invoice to be paid, if there is one',
        required: false,
        example: 'in_mock_open',
      },
    ],
    text: ({ entity_type, primary_goal, invoice_id }) =>
      `Onboard a new client of the type ${entity_type} whose primary goal is ${primary_goal}. Ask me for the name and the email address, then use create_client_profile. Ask me for the other intake answers that I want to give, then use submit_intake_answers with the client_id. Never ask for Social Security, tax, account or card numbers or for documents.${invoice_id ? ` Last, use create_payment_link for the invoice ${invoice_id} and give me the link.` : ''} ${CONFIRM}`,
  },
]

/** The arguments of a prompt as its example fills them. */
export const exampleArguments = (prompt: Prompt): Record<string, string> =>
  Object.fromEntries(prompt.arguments.map(({ name, example }) => [name, example]))
