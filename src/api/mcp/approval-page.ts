import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'

import type { Refusal } from '../../core/domain/problem/problem.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import type { ApprovalClient } from './tool-calls.ts'

const APPROVAL = 'approval'

/** How long a call waits for the decision of a person who has just opened the page. */
const WAIT_MS = 20 * SECOND

/** What the client of a request can do about an approval; clients before 2026-07-28 declare nothing. */
export function approvalClient({ mcpReq }: ServerContext): ApprovalClient<InputRequiredResult> {
  const declared = mcpReq.envelope as
    | { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities }
    | undefined
  const { elicitation } = declared?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
  const answer = inputResponse(mcpReq.inputResponses, APPROVAL)
  const isOpened = answer.kind === 'elicit' && answer.action === 'accept'
  const opensPages = elicitation?.url !== undefined && answer.kind !== 'elicit'
  return {
    openPage: opensPages ? openApprovalPage : undefined,
    waitMs: isOpened ? WAIT_MS : undefined,
  }
}

/**
 * Asks the client to open the approval page. Opening decides nothing, so the call is sent again to
 * learn the decision.
 */
function openApprovalPage(
  { approval_url: url, approval_code }: Refusal,
  title: string,
): InputRequiredResult | undefined {
  if (url === undefined) return undefined
  const message =
    `${title}: the owner wants a person to approve it. Its code is ${approval_code}. ` +
    'Open the page to approve or decline it.'
  return inputRequired({ inputRequests: { [APPROVAL]: inputRequired.elicitUrl({ message, url }) } })
}
