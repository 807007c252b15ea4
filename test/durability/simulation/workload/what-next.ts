import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { CallAnswer } from './worker.ts'

/** Something that a caller does. */
export type Act =
  | 'preview'
  | 'commit'
  | 'commit and preview'
  | 'several at once'
  | 'other payload'
  | 'tampered token'
  | 'no token'
  | 'stranger'
  | 'new key'
  | 'next change'
  | 'leave'

/** What a caller may do next, and after what wait, in milliseconds. */
export function whatNext(
  answer: CallAnswer | 'hung up',
  hasToken: boolean,
): (readonly [weight: number, readonly [wait: number, act: Act]])[] {
  const leave = [0, 'leave'] as const
  if (answer === 'hung up')
    return [
      [4, [SECOND, 'commit']],
      [1, [20 * SECOND, 'new key']],
      [1, leave],
    ]
  if (answer.is === 'preview')
    return [
      [8, [20 * SECOND, 'commit']],
      [2, [8 * MINUTE, 'commit']],
      [1, [2 * DAY, 'commit']],
      [3, [5 * SECOND, 'several at once']],
      [2, [5 * SECOND, 'commit and preview']],
      [1, [SECOND, 'tampered token']],
      [0.5, [SECOND, 'no token']],
      [1, [SECOND, 'other payload']],
      [0.5, [SECOND, 'stranger']],
      [0.5, [30 * SECOND, 'preview']],
      [0.5, [30 * SECOND, 'new key']],
      [1, leave],
    ]
  if (answer.is === 'committed')
    return [
      [3, [5 * SECOND, 'commit']],
      [1, [DAY, 'commit']],
      [1, [SECOND, 'preview']],
      [1, [SECOND, 'other payload']],
      [1, [SECOND, 'tampered token']],
      [1, [SECOND, 'stranger']],
      [3, [MINUTE, 'next change']],
      [3, leave],
    ]
  const { code, retry_after_seconds = 5 } = answer.refusal
  switch (code) {
    case 'outcome_unknown':
    case 'commit_in_progress':
    case 'internal_error':
      return [
        [4, [retry_after_seconds * SECOND, 'commit']],
        [2, [SECOND, 'several at once']],
        [2, [SECOND, 'new key']],
        [1, [2 * DAY, 'commit']],
        [0.5, [SECOND, 'other payload']],
        [0.5, [SECOND, 'tampered token']],
        [1, leave],
      ]
    case 'provider_busy':
    case 'provider_misconfigured':
    case 'duplicate_in_doubt':
      return [
        [5, [retry_after_seconds * SECOND, 'commit']],
        [1, [SECOND, 'several at once']],
        [0.5, [SECOND, 'new key']],
        [1, leave],
      ]
    case 'approval_pending':
      return [
        [4, [retry_after_seconds * SECOND, 'commit']],
        [4, [20 * MINUTE, 'commit']],
        [3, [3 * HOUR, 'commit']],
        [1, [SECOND, 'several at once']],
        [1, [MINUTE, 'commit and preview']],
        [0.5, [SECOND, 'new key']],
        [0.5, [SECOND, 'stranger']],
        [0.5, leave],
      ]
    case 'approval_declined':
      return [
        [5, [SECOND, 'preview']],
        [1, [SECOND, 'commit']],
        [1, [MINUTE, 'commit']],
        [0.5, [SECOND, 'new key']],
        [1, leave],
      ]
    case 'confirmation_token_invalid':
    case 'confirmation_token_missing':
    case 'idempotency_key_reused':
      return [
        [4, [SECOND, hasToken ? 'commit' : 'preview']],
        [1, leave],
      ]
    default:
      return [
        [3, [SECOND, 'preview']],
        [1, [SECOND, 'commit']],
        [1, [MINUTE, 'next change']],
        [2, leave],
      ]
  }
}
