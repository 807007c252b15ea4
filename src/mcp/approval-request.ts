import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import { SECOND } from '../domain/duration.ts'
import type { Refusal } from '../domain/problem.ts'

/** The name of our one request for input. */
const APPROVAL = 'approval'

/** How long a call waits for the decision of a person who has just opened the page. */
const WAIT_MS = 20 * SECOND

/** What a client of protocol 2026-07-28 can do about an approval, and has answered; clients before it declare nothing. */
export interface ApprovalClient {
  opensPages: boolean
  /** It was asked to open the page of the approval, and says what became of that. */
  answered: boolean
  /** How long the call waits for a decision: only where the person agreed to open the page. */
  waitMs: number | undefined
}

/** What the request says of its client. */
export function approvalClient({ mcpReq }: ServerContext): ApprovalClient {
  const declared = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
  const { elicitation } = declared?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
  const answer = inputResponse(mcpReq.inputResponses, APPROVAL)
  const isOpened = answer.kind === 'elicit' && answer.action === 'accept'
  return {
    opensPages: elicitation?.url !== undefined,
    answered: answer.kind === 'elicit',
    waitMs: isOpened ? WAIT_MS : undefined,
  }
}

/**
 * Asks the client to open the page on which a person approves the change, once; nothing where it cannot, or did. That the
 * person agreed to open it says nothing of the decision, so the call is sent again to learn it.
 */
export function openApprovalPage(
  { code, approval_url: url, approval_code }: Refusal,
  { opensPages, answered }: ApprovalClient,
  title: string,
): InputRequiredResult | undefined {
  if (code !== 'approval_pending' || url === undefined || !opensPages || answered) return undefined
  const message = `${title}: the owner wants a person to approve it. Its code is ${approval_code}. Open the page to approve or decline it.`
  return inputRequired({ inputRequests: { [APPROVAL]: inputRequired.elicitUrl({ message, url }) } })
}
