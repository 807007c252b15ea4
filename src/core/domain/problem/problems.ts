import { MOST_WEBHOOKS, MOST_WEBHOOKS_OF_A_CALLER } from '../events/webhook-schedule.ts'
import { withCommas } from '../plural.ts'

interface ProblemKind {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 502 | 503
  title: string
  detail: string
  next_step: string
  /** The very same request may succeed later. */
  retryable?: true
  /**
   * What is said in their place where no commit was asked for: a read has no key, and a preview no
   * token yet.
   */
  instead?: Partial<Record<Exclude<Asked, 'commit'>, { detail?: string; next_step: string }>>
}

/** What a caller asked for. */
export type Asked = 'read' | 'preview' | 'commit'

const SAME_KEY = 'Repeat the same request with the same idempotency key'
const LATER = 'Repeat the same request after retry_after_seconds.'
const COMMIT = 'to a person, then commit with its confirmation_token.'
const PREVIEW_FIRST = `Send the request with confirm=false first, show the preview ${COMMIT}`
const PREVIEW_AGAIN = `Send the same request with confirm=false for a fresh preview, show it ${COMMIT}`

const ROWS = {
  idempotency_key_missing: {
    status: 400,
    title: 'Idempotency key missing',
    detail:
      'No idempotency key was sent. Every change carries one, so that a repeat can never act twice.',
    next_step:
      'Choose a random key (such as a UUID) and send it as the argument idempotency_key of ' +
      'a tool, or as the header Idempotency-Key of a request. ' +
      'Use the same key for the preview and the commit.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Idempotency key invalid',
    detail: 'The idempotency key must have 8 to 200 characters.',
    next_step: 'Send a key of 8 to 200 characters, such as a random UUID.',
  },
  validation_failed: {
    status: 400,
    title: 'Request not valid',
    detail: 'One or more fields are not as expected; nothing was done.',
    next_step: 'Correct the fields that are listed and send the request again.',
  },
  sensitive_data_refused: {
    status: 400,
    title: 'Sensitive data refused',
    detail:
      'A text field seems to hold a national identifier, an employer identification ' +
      'number, a card or account number, or a document. ' +
      'This service neither accepts nor keeps them; nothing was done.',
    next_step:
      'Remove it from the listed fields that contain it, correct the other listed fields, ' +
      'and send the request again.',
  },
  confirmation_token_missing: {
    status: 400,
    title: 'Confirmation token missing',
    detail: 'A commit (confirm=true) carries the confirmation_token that its preview returned.',
    next_step: PREVIEW_FIRST,
  },
  confirmation_token_invalid: {
    status: 400,
    title: 'Confirmation token invalid',
    detail: 'No preview under this idempotency key returned this confirmation_token.',
    next_step:
      'Send the same request under the same key with confirm=false: it returns the preview ' +
      'and its token, or the stored answer if it was committed already.',
  },
  preview_required: {
    status: 400,
    title: 'Preview required',
    detail: 'There is no preview under this idempotency key. A commit has the key of its preview.',
    next_step: PREVIEW_FIRST,
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    detail:
      'This idempotency key belongs to another operation or to other values. ' +
      'What is kept under it has not changed.',
    next_step:
      'Another time or another detail is a new change: choose a new key for it. ' +
      'To continue the earlier change, repeat exactly its values; ' +
      'the fields that differ are listed, where they are known.',
  },
  confirmation_expired: {
    status: 409,
    title: 'Confirmation expired',
    detail: 'The preview is too old, or a newer one took its place; nothing was done.',
    next_step: PREVIEW_AGAIN,
  },
  preview_stale: {
    status: 409,
    title: 'Preview out of date',
    detail: 'What the preview showed has changed since; the changes are listed. Nothing was done.',
    next_step: PREVIEW_AGAIN,
  },
  slot_unavailable: {
    status: 409,
    title: 'Time not available',
    detail: 'This time is not free. Nothing was done.',
    next_step:
      'Offer the person the free times nearby, if any are listed. list_availability has all. ' +
      'Then send the chosen start_time under a new idempotency key.',
  },
  booking_not_active: {
    status: 409,
    title: 'Booking not active',
    detail: 'The booking is cancelled, or has begun already; nothing was done.',
    next_step:
      'If it was moved, use the booking_id that the move returned. ' +
      'If you do not have it, repeat the commit of the move under its own key. ' +
      'Book a new consult only if the person wants one.',
  },
  booking_not_pending: {
    status: 409,
    title: 'Booking does not wait',
    detail: 'The practice has accepted this booking already; nothing was done.',
    next_step: 'Tell the person that it is confirmed. To end it, cancel the booking.',
  },
  invoice_not_payable: {
    status: 409,
    title: 'Invoice not payable',
    detail:
      'The invoice cannot be paid in its present status, see invoice_status; nothing was done.',
    next_step: 'Check the invoice with the practice.',
  },
  payment_link_not_active: {
    status: 409,
    title: 'Payment link cannot be ended',
    detail: 'No one can pay through this link any more; nothing was done.',
    next_step: 'Tell the person. There is nothing left to end.',
  },
  commit_in_progress: {
    status: 409,
    title: 'Commit in progress',
    detail: 'The commit under this idempotency key is still running.',
    next_step: `${SAME_KEY} after retry_after_seconds; it returns the outcome. Do not choose a new key.`,
    retryable: true,
  },
  duplicate_in_doubt: {
    status: 409,
    title: 'Same change under another key',
    detail:
      'The same slot, booking or invoice is being changed under another idempotency key, ' +
      'or the outcome there is not known yet. This request did nothing.',
    next_step:
      'Find out the outcome of the other request first. ' +
      'The confirmation_token of this request remains valid until it expires.',
    retryable: true,
  },
  reschedule_restored: {
    status: 409,
    title: 'Not moved; the old time is booked again',
    detail:
      'The old time was given up, the new time was then refused, and the old time has been ' +
      'booked again. The booking has a new id.',
    next_step:
      'Use the new booking_id, in the field booking, from now on. To try another time, reschedule it under a new idempotency key.',
  },
  partially_applied: {
    status: 409,
    title: 'Only partly done',
    detail:
      'The old booking was cancelled, but the new one could not be made. ' +
      'No consult is booked now.',
    next_step:
      'Tell the person at once, and book another time under a new idempotency key. ' +
      'The field booking has the old one.',
  },
  booking_not_found: {
    status: 404,
    title: 'Booking not found',
    detail: 'There is no booking with this booking_id.',
    next_step:
      'Check the booking_id; it starts with bk_. find_bookings finds it by the email address of ' +
      'the invitee.',
  },
  client_not_found: {
    status: 404,
    title: 'Client not found',
    detail: 'There is no client with this client_id.',
    next_step:
      'Check the client_id; it starts with cl_. find_client finds it by the email address.',
  },
  invoice_not_found: {
    status: 404,
    title: 'Invoice not found',
    detail: 'There is no invoice with this id or number.',
    next_step:
      'Check the invoice_id with the payment provider. find_invoices finds it by the email ' +
      'address of the payer.',
  },
  payment_link_not_found: {
    status: 404,
    title: 'Payment link not found',
    detail: 'No payment link with this payment_link_id was made here.',
    next_step: 'Check the payment_link_id. create_payment_link returned it.',
  },
  client_link_not_found: {
    status: 404,
    title: 'Client link not found',
    detail: 'No client link with this link_id was made here, or it is not open any more.',
    next_step: 'Check the link_id. invite_client returned it.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not found',
    detail: 'This caller has no webhook with this webhook_id.',
    next_step:
      'GET /v1/webhooks, or npm run webhooks -- list, lists this caller’s webhooks. Make a new one if it has ended.',
  },
  webhook_url_refused: {
    status: 400,
    title: 'Address of the webhook refused',
    detail: 'Nothing is sent to such an address.',
    next_step: 'Send the https address of a host on the internet, without user name and password.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhooks',
    detail:
      `A caller has ${MOST_WEBHOOKS_OF_A_CALLER} webhooks at most, and all callers together ` +
      `${withCommas(MOST_WEBHOOKS)}.`,
    next_step:
      'Remove one that is not needed any more: DELETE /v1/webhooks/{webhook_id}, or npm run webhooks -- remove.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    detail: 'This call needs a valid credential.',
    next_step:
      'Send a valid API key, or to /mcp the access token of an app, as the header ' +
      '`Authorization: Bearer …`.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Not allowed',
    detail: 'The credential does not carry the scope this operation needs.',
    next_step: 'Ask the owner of the practice for a credential with the scope.',
  },
  address_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    detail:
      'A trial without credentials answers only at its own address, and only its own web pages.',
    next_step:
      'Call it at its loopback address. For another address set PUBLIC_URL, for pages of ' +
      'another origin ALLOWED_ORIGINS.',
  },
  paused: {
    status: 403,
    title: 'Paused by the owner',
    detail:
      'The owner of the practice has paused all apps and keys; this call did nothing. ' +
      'This answer says nothing about what an earlier call under the same idempotency key ' +
      'has done.',
    next_step:
      'Stop, and tell the person that the owner has paused this. ' +
      'Once it is resumed, send the same request with the same idempotency key.',
    instead: {
      read: {
        detail: 'The owner of the practice has paused all apps and keys; nothing was read.',
        next_step:
          'Stop, and tell the person that the owner has paused this. Once it is resumed, ask again.',
      },
    },
  },
  house_rule: {
    status: 403,
    title: 'A rule of the owner forbids it',
    detail: 'A rule of the owner of the practice does not allow this change; nothing was done.',
    next_step:
      'Tell the person what the rule allows, as rule says it; ' +
      'only the owner can change it. Do not try another amount, key or caller. ' +
      'The confirmation_token of a preview remains valid until it expires.',
    instead: {
      preview: {
        next_step:
          'Tell the person what the rule allows, as rule says it; ' +
          'only the owner can change it. Do not try another amount, key or caller.',
      },
    },
  },
  approval_pending: {
    status: 409,
    title: 'Waiting for approval',
    detail:
      'The owner wants a person to approve this change on the page at approval_url. ' +
      'No one has approved it yet; nothing was done.',
    next_step:
      'Show the person the preview, approval_code and approval_url, and wait until they ' +
      'say that it is approved. Then send the same commit again with the same idempotency ' +
      'key and confirmation_token; the change does not happen automatically.',
    retryable: true,
  },
  approval_declined: {
    status: 409,
    title: 'Declined',
    detail: 'A person has declined this change; nothing was done.',
    next_step:
      'Tell the person. Ask before you send it again with confirm=false for a new preview.',
  },
  not_found: {
    status: 404,
    title: 'No such path',
    detail: 'Page or path not found.',
    next_step: 'See /docs/api for all paths; /openapi.json has them for programs.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail:
      'This path does not accept this method; the Allow header lists the methods that it accepts.',
    next_step: 'See /openapi.json for all paths and their methods.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    detail: 'The body is larger than 32 KiB.',
    next_step: 'Send a smaller body. Documents are not accepted.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Media type not supported',
    detail: 'Bodies are JSON.',
    next_step: 'Send the body as JSON with Content-Type: application/json.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many calls',
    detail:
      'There were too many calls in a short time; this one did nothing. ' +
      'This answer says nothing about what an earlier call under the same idempotency key ' +
      'has done.',
    next_step:
      `${SAME_KEY} after retry_after_seconds. Do not choose a new key for a change that was ` +
      'sent before.',
    instead: {
      read: {
        detail: 'There were too many calls in a short time; this one did nothing.',
        next_step: LATER,
      },
    },
    retryable: true,
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong in this service.',
    next_step: `${SAME_KEY}; if it happens again, tell the owner the request_id.`,
    instead: {
      read: {
        next_step: 'Repeat the same request; if it happens again, tell the owner the request_id.',
      },
    },
    retryable: true,
  },
  provider_misconfigured: {
    status: 502,
    title: 'Provider refuses the practice',
    detail:
      'The provider refused the settings of the practice (its key, plan, rights or event ' +
      'type); nothing was done.',
    next_step:
      'Tell the owner of the practice. Once the settings are correct, send the same commit ' +
      'again: the confirmation_token remains valid until it expires.',
    instead: {
      read: {
        next_step: 'Tell the owner of the practice. Once the settings are correct, ask again.',
      },
      preview: {
        next_step:
          'Tell the owner of the practice. Once the settings are correct, send the same ' +
          'request with confirm=false again.',
      },
    },
  },
  provider_busy: {
    status: 503,
    title: 'Provider busy',
    detail: 'The provider did not answer; nothing was done.',
    next_step:
      `${SAME_KEY} after retry_after_seconds. The confirmation_token remains valid until it ` +
      'expires.',
    instead: {
      read: { next_step: LATER },
      preview: { next_step: `${SAME_KEY} after retry_after_seconds.` },
    },
    retryable: true,
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome not known yet',
    detail:
      'The change was sent to the provider and its answer did not come. ' +
      'It may have happened. The service keeps looking.',
    next_step:
      `${SAME_KEY} and confirm=true after retry_after_seconds; ` +
      'it asks the provider again and returns the outcome. Do not choose a new key.',
    retryable: true,
  },
  resolved_by_owner: {
    status: 409,
    title: 'Confirmed not to have happened',
    detail: 'The outcome was not known; the owner has found out that the change did not happen.',
    next_step:
      'If the change is still wanted, send the same request with confirm=false for a fresh preview.',
  },
  receipt_pending: {
    status: 503,
    title: 'Receipt not there yet',
    detail: 'The change has ended, and its entry is still on its way to the audit log.',
    next_step: 'Ask for the receipt again after retry_after_seconds.',
    retryable: true,
  },
  not_configured: {
    status: 503,
    title: 'Not configured',
    detail: 'A setting of this service is missing or not valid.',
    next_step: 'Tell the owner of the practice: `npm run deploy` makes what is missing.',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof ROWS
/** Every refusal, for REST, MCP and the documents. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = ROWS
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]
