/** Counts what happened, to show that a run met what it was made for. */
export interface Tally {
  count(what: string, by?: number): void
  readonly counts: Readonly<Record<string, number>>
}

export function tally(): Tally {
  const counts: Record<string, number> = {}
  return { count: (what, by = 1) => (counts[what] = (counts[what] ?? 0) + by), counts }
}

/** Adds the counts of one run to those of all. */
export function addUp(
  total: Record<string, number>,
  counts: Readonly<Record<string, number>>,
): void {
  for (const [what, times] of Object.entries(counts)) total[what] = (total[what] ?? 0) + times
}

/** What many runs meet: a run of 1000 seeds meets each of these more than ten times. */
const EXPECTED = Object.entries({
  '': 'approvals asked for, approvals lifted, approvals lifted and committed, lists of what waits, deletions, pauses, resumes, rules, checkpoints, checkpoints over dropped entries, crashes, deploys, evictions, late landings, alerts, needs attention at the end, restarts of the event log',
  'sent ': 'book, answers: book, guests: book, cancel, move, link, end, respond',
  'owner: ': 'resolved',
  'turned away: ': 'provider_busy',
  'decision: ': 'approved, declined, ended',
  'endpoint ': 'well, down, refusing, gone, hanging, breaking off, busy, missing',
  'webhooks: ': 'subscribe, unsubscribe, resume, renew, revoke, pause, mood, restart, paused',
  'read ':
    'list_availability, list_clients, get_booking, find_bookings, get_client, get_payment_link',
  'fault ':
    'requestLost, replyLost, landsLate, reset, slow, declined, limited, failsBefore, failsAfter, garbled, twice, ' +
    'readFails, readSlow, staleList, unsaid, lookFails, lengthChanged, outage, writesLost, flushSlow, alarmLate, alarmTwice, alarmLost, ' +
    'coordinatorCrash, rotation, clockJump, rpcLost, copiesFail, copiesLate, copiesWiped, webhookFails, auditLogFails, human, sniped, hangsUp',
  'answered ':
    'preview, committed, outcome_unknown, commit_in_progress, provider_busy, duplicate_in_doubt, preview_stale, ' +
    'confirmation_expired, idempotency_key_reused, reschedule_restored, partially_applied, slot_unavailable, ' +
    'booking_not_active, invoice_not_payable, confirmation_token_invalid, preview_required, paused, house_rule, approval_pending, approval_declined',
}).flatMap(([kind, what]) => what.split(', ').map((each) => kind + each))

/** From so many seeds on, runs that did not meet something have lost a part of what they are made for. */
export const ENOUGH_SEEDS = 1000

/** What so many runs should have met a few times and did not, so that they prove little. */
export const hardlyMet = (counts: Readonly<Record<string, number>>): string[] =>
  EXPECTED.filter((what) => (counts[what] ?? 0) < 2)
