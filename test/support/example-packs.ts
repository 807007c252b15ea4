/**
 * Makes the packs of docs/audit-in-an-hour.md, of an invented practice whose people are invented, too:
 *   node --experimental-strip-types test/support/example-packs.ts
 * Each run makes another passkey, so all files change together, and the page repeats none of their digests but the key.
 */
import { writeFileSync } from 'node:fs'

import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { START, change, logSigner, ownersPasskey, packOf } from './audit-pack.ts'
import { exampleEntry } from './example-entry.ts'

const FOLDER = 'docs/examples/audit'

const FRONT_DESK = 'key:maya-ortiz'
const CALLERS = [
  { caller: FRONT_DESK, name: 'Maya Ortiz, front desk' },
  { caller: 'key:claude', name: 'Claude of Dana Whitfield' },
]

/** The preview and the commit of a change by a caller. */
const changeBy = (
  caller: string,
  nth: number,
  more: Partial<AuditEntry> = {},
  approved?: 'person',
): [AuditEntry, AuditEntry] => {
  const [preview, commit] = change(nth, approved)
  const { record_id, ...both } = { record_id: commit.record_id, caller, ...more }
  return [
    { ...preview, ...both },
    { ...commit, ...both, record_id },
  ]
}

const signer = await logSigner(7)
const { enrolment, approves } = await ownersPasskey()
const announced = exampleEntry({
  id: 'log_key.1',
  at: START - 2 * DAY,
  event: 'log_key',
  caller: 'none',
  about: { vkey: signer.vkey },
})
const link = { operation: 'create_payment_link', record_id: 'pl_mock_4' }
const [asked, paid] = changeBy('key:claude', 4, link, 'person')
const review = exampleEntry({
  id: 'review.1',
  at: START + 6 * DAY + HOUR,
  event: 'review',
  caller: 'owner',
  operation: 'owner_page',
  code: 'noted',
  about: { up_to: 8 },
})
const early = [
  announced,
  enrolment,
  ...changeBy(FRONT_DESK, 0),
  ...changeBy('key:claude', 1),
  ...changeBy(FRONT_DESK, 2, { operation: 'cancel_booking' }),
]
const entries = [...early, asked, await approves(asked), paid, ...changeBy(FRONT_DESK, 5), review]

const withCallers = (text: string): string =>
  text.replace('"callers":[]', `"callers":${JSON.stringify(CALLERS)}`)
const good = await packOf(entries, { signers: [signer] })
// The booking of Claude on September 2, without which the owner signed the whole log again.
const rewritten = await packOf(
  entries.filter(({ operation_id }) => operation_id !== change(1)[1].operation_id),
  { signers: [signer] },
)
const files = {
  'pack.jsonl': withCallers(good.text),
  'spoiled.jsonl': withCallers(good.text).replace('bk_mock_5', 'bk_mock_6'),
  'rewritten.jsonl': withCallers(rewritten.text),
  'kept.checkpoint': await good.checkpoint(early.length),
}
for (const [name, text] of Object.entries(files)) writeFileSync(`${FOLDER}/${name}`, text)
console.log(
  `Written to ${FOLDER}: ${Object.keys(files).join(', ')}. The key of the log:\n${signer.vkey}`,
)
