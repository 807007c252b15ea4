/** What must hold in every run, whatever goes wrong; K is one idempotency key of one caller. */
export const INVARIANTS = {
  I1: 'At most one create per key and step, unless every earlier attempt is proved to have had no effect.',
  I2: 'Intent first: no mutation leaves before state, step, attempt, marker and alarm are durable.',
  I3: 'A preview is inert: no mutation without a commit that was asked for. So is a webhook: nothing is sent for one.',
  I4: 'No commit without a preview of the same key, operation and payload.',
  I5: 'A token is good for its own key, caller, operation and payload only; any change of it is refused.',
  I6: 'Single winner: never two mutations of one key under way from one instance.',
  I7: 'Stable outcome: after the end every same call gets the same answer, byte for byte, while the record lives.',
  I8: 'Truthful failure: effect none means that there is no effect, now or ever.',
  I9: 'Truthful success: committed means that the effect exists, under the id in the answer.',
  I10: 'Unknown is visible: a doubt becomes neither success nor failure without proof, and never a failure by a webhook.',
  I11: 'Monotone: a record changes only along the arrows of the machine; an end never changes.',
  I12: 'Another payload under the same key is refused, whatever the state, and changes nothing.',
  I13: 'After a preview has expired nothing starts.',
  I14: 'A refusal after a doubtful attempt is no proof.',
  I15: 'A move ends committed, without effect, restored, partly done or unknown, and that is what is there.',
  I16: 'An undo is a commit of its own, never begun while the step it answers to is in doubt.',
  I17: 'A cancel or an answer names the one booking, and an end the one link, that the preview showed.',
  I18: 'Liveness: a running record has an alarm, or the owner was alerted; what waits for a person is listed; once faults stop, all comes to rest.',
  I19: 'Crash, deploy, eviction or hang-up makes no object throw and breaks none of the others.',
  I20: 'No raw personal data in anything stored or said.',
  I21: "Another caller's key or token is worth nothing.",
  I22: 'While a change is under way or in doubt under one key, the same change under another key is not sent.',
  I23: 'A record is kept while a replay could act; one in doubt is never purged.',
  I24: 'The copies in KV decide nothing: losing all of them changes no outcome and no read.',
  I25: 'The audit log has one entry for each preview, decision and end that became durable, and none for any other.',
  I26: 'What was shown is what is booked, and an answer about a booking says what is there.',
  I27: 'Once a client was deleted, nothing of it is left but that it was, whatever was under way.',
  I28: 'A read shows what there is, masked: nothing that was never made, and no client whose deletion was decided.',
  I29: 'None is admitted while paused: a change begins only if admitted, and none is after a pause was answered.',
  I30: 'Never more than the limit: no change is admitted that rules forbid which were answered as in force.',
  I31: 'No change is begun that a rule in force asked a person for, unless a person approved exactly that preview.',
  I32: 'What was declined is never begun.',
  I33: 'The event log has one event for each new record, in their order, and none that is of no record or deletion.',
  I34: 'What changes at the provider is an event once, whatever becomes of its webhooks, of which none waits once nothing is in doubt; what was done here never one of the provider.',
  I35: 'The tree of the audit log only grows: it begins with that of every checkpoint ever made, no entry is in it twice, and where entries were dropped, an entry says so.',
  I36: 'A webhook gets every event of its topics at least once, one at a time and in order, but for one that it refuses three times, which is sent again for a day; none once it is over or its key ended, and none while its caller is paused.',
  I37: 'The text for the client and the answers of the invitee are sent as the preview showed them, byte for byte, and kept no longer than they may be sent. A move takes the answers of the old booking along.',
  I38: 'What a preview shows was read before: once the facts are read, no port is used.',
  I39: 'A preview says how many other people are on a booking. A move takes along those whom it counted, or none, and its answer says how many are on the new booking.',
  I40: 'Where a move changes the length of a consult, its preview and its answer say both.',
  I41: 'No one is left without an appointment unseen: a move gives nothing up while no booking is taken, and where the new one is turned away the owner is alerted.',
  I42: 'A record of a later version is answered as newer and left as it is by this one; the later one finishes it.',
  I43: 'What a later version added to what this one reads stays where this one writes on.',
} as const

export type Invariant = keyof typeof INVARIANTS

/** What of them cannot be seen here, and where it is. */
export const NOT_SEEN_HERE: Partial<Record<Invariant, string>> = {
  I5: 'Tokens of another environment: there is one here. One-bit changes of all kinds are tried in the unit tests.',
  I14: 'It has no sign of its own: a refusal taken for proof shows as I10, and as I8 when the effect is there.',
  I19: 'It is a condition, not a check: the simulator injects all of them, and the others must hold under them.',
  I20: 'Headers, logs and the bytes on disk belong to the privacy tests; here records, rows, answers and alerts are read.',
  I27: 'It is judged over everything that is kept, at rest; the wrong policies that leave the flows or the copies break it.',
  I38: 'The ports tell it themselves; the wrong policy that reads while it shows breaks it.',
  I42: 'It is judged where an object is called and where it writes; the wrong policy for which a newer record is absent breaks it.',
  I43: 'It is judged where an object writes and where the version changes; the wrong policy that drops added fields breaks it.',
  I24: 'It is shown by losing the copies at random while the others are checked.',
}

export interface Violation {
  invariant: Invariant
  what: string
}
