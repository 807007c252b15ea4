import { expect, test } from 'vitest'

import { type Compared, verifyPack } from '../../../../src/cli/verify/verify.ts'
import type { AuditEntry } from '../../../../src/core/domain/audit/entry.ts'
import { RETENTION_DAYS, leafText } from '../../../../src/core/domain/audit/leaf.ts'
import { DAY } from '../../../../src/core/domain/time/duration.ts'
import {
  type LogSigner,
  START,
  change,
  logSigner,
  ownersPasskey,
  packOf,
  retention,
} from '../../../support/audit-pack.ts'
import { exampleEntry } from '../../../support/example-entry.ts'
import { type Judged, judgedPacks } from '../../../support/judged-packs.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const verified = (text: string, compared?: Compared) => verifyPack(bytes(text), compared)
/** What is said under one heading, each with its verdict. */
const said = async (text: string, check: string, compared?: Compared): Promise<string[]> =>
  (await verified(text, compared)).findings
    .filter((one) => one.check === check)
    .map((one) => `${one.verdict}: ${one.text}`)

const changesFrom = (from: number, count: number): AuditEntry[] =>
  Array.from({ length: count }, (_, nth) => change(from + nth)).flat()
const changes = (count: number): AuditEntry[] => changesFrom(0, count)
const LONG_AGO = START - (RETENTION_DAYS + 7) * DAY
const verdictIn = ({ how, isGood }: Judged): string => `${how}: ${isGood}`

test('a pack that no one changed is good, and says what it does not prove last', async () => {
  const { text } = await packOf(changes(300))
  const report = await verified(text)
  expect(report.findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
  expect(report.isGood).toBe(true)
  expect(report.notProved.length).toBeGreaterThan(5)
  expect(report.counts[0]).toEqual({
    title: 'By event',
    rows: [
      ['preview', 300],
      ['commit', 300],
    ],
  })
  expect(report.counts[2]!.rows[0]![0]).toBe('2027-06')
})

test('what is not proved depends on what the pack was compared with', async () => {
  const { text, vkeys, checkpoint } = await packOf(changes(3))
  const lastWords = async (compared: Compared) =>
    (await verified(text, compared)).notProved.join(' ')
  expect(await lastWords({})).toMatch(/Whose log this is.*did not rewrite the whole log/)
  expect(await lastWords({ key: vkeys[0] })).not.toContain('Whose log this is')
  const held = [{ name: 'mine', text: await checkpoint(4) }]
  expect(await lastWords({ held })).toContain('What came after the newest checkpoint that you gave')
})

test('an empty log is good', async () => {
  const { text } = await packOf([])
  expect((await verified(text)).isGood).toBe(true)
})

test('without a key the pack is consistent and the key not compared; with it, the key is', async () => {
  const { text, vkeys } = await packOf(changes(2))
  expect(await said(text, 'Key')).toEqual([
    expect.stringContaining('remark: The pack is consistent, key not compared'),
  ])
  expect(await said(text, 'Key', { key: `${vkeys[0]}\n` })).toEqual([
    'good: The checkpoint is signed by the key that you gave.',
  ])
  const { vkey } = await logSigner(2)
  expect(await said(text, 'Key', { key: vkey })).toEqual([
    expect.stringContaining('bad: The checkpoint is signed neither'),
  ])
  expect((await verified(text, { key: vkey })).isGood).toBe(false)
  expect((await verified(text, { key: 'no key' })).isGood).toBe(false)
})

test('a log that its owner rewrote, and signed with its own key, is found out by a checkpoint and by a receipt that others hold', async () => {
  const before = await packOf(changes(20))
  const after = await packOf(changes(21).filter((_, i) => i !== 7))
  const key = before.vkeys[0]!
  // Nothing in the new pack gives it away.
  expect((await verified(after.text, { key })).isGood).toBe(true)
  const held = [
    { name: 'october.txt', text: await before.checkpoint(30) },
    { name: 'receipt.tlog-proof', text: await before.receipt(12, 40) },
  ]
  expect(await said(before.text, 'Held', { held })).toEqual([
    'good: october.txt: the first 30 entries are unchanged since it was made, the last of 15 September 2026.',
    'good: receipt.tlog-proof: the first 40 entries are unchanged since it was made, the last of 20 September 2026.',
  ])
  expect(await said(after.text, 'Held', { held })).toEqual([
    'bad: october.txt does not match the entries: some were changed, removed, added or reordered.',
    'bad: receipt.tlog-proof does not match the entries: some were changed, removed, added or reordered.',
  ])
})

test('a log whose end was cut off and signed again is found out by a checkpoint that others hold', async () => {
  const whole = await packOf(changes(20))
  const cut = await packOf(changes(15))
  const held = [{ name: 'newest.txt', text: await whole.checkpoint(40) }]
  expect(await said(cut.text, 'Held', { held })).toEqual([
    'bad: newest.txt covers 40 entries, and the pack has 30: some were removed.',
  ])
})

test('a receipt as the connector answers it is compared with its entry too', async () => {
  const entries = changes(20)
  const { text, receipt } = await packOf(entries)
  const heldOf = async (nth: number, proof?: string): Promise<{ name: string; text: string }[]> => {
    const leaf = Buffer.from(leafText(entries[nth]!)).toString('base64')
    return [
      {
        name: 'r',
        text: JSON.stringify({ receipt: 1, leaf, proof: proof ?? (await receipt(12, 40)) }),
      },
    ]
  }
  expect(await said(text, 'Held', { held: await heldOf(12) })).toEqual([
    expect.stringContaining('good: r: the first 40'),
  ])
  expect(await said(text, 'Held', { held: await heldOf(13) })).toEqual([
    'bad: r does not match entry 12 of the pack.',
  ])
  const moved = (await receipt(12, 40)).replace('index 12', 'index 13')
  expect(await said(text, 'Held', { held: await heldOf(13, moved) })).toEqual([
    'bad: r does not match entry 13 of the pack.',
  ])
  expect(await said(text, 'Held', { held: [{ name: 'r', text: '{"proof":1}' }] })).toEqual([
    'bad: r is not in its form: a receipt lacks its entry or its proof.',
  ])
})

test('a checkpoint of another log, and a text that is none, are refused', async () => {
  const { text, checkpoint } = await packOf(changes(2))
  const foreign = (await checkpoint(2)).replace('consult.', 'other.')
  const held = [
    { name: 'foreign', text: foreign },
    { name: 'letter', text: 'Dear auditor' },
  ]
  expect(await said(text, 'Held', { held })).toEqual([
    'bad: foreign is not in its form: a checkpoint is not of this log.',
    'bad: letter is not in its form: a note has no signatures after a blank line.',
  ])
})

test('a new key is trusted once the old one has signed for its announcement, and not otherwise', async () => {
  const [old, young] = [await logSigner(1), await logSigner(2)]
  const announced = exampleEntry({
    id: 'log_key.1',
    at: START + DAY,
    event: 'log_key',
    about: { vkey: young.vkey },
  })
  const entries = [...changes(3), announced, ...changes(6).slice(6)]
  const { text, checkpoint } = await packOf(entries, { signers: [young] })
  const heldBy = async (size: number, signers: LogSigner[]) => ({
    key: old.vkey,
    held: [{ name: 'mine', text: await checkpoint(size, signers) }],
  })
  const withOld = text.replace(`"vkeys":["`, `"vkeys":["${old.vkey}","`)
  expect(await said(withOld, 'Key', await heldBy(8, [old, young]))).toEqual([
    'good: The checkpoint is signed by a key that the one you gave has announced.',
  ])
  expect(await said(text, 'Key', await heldBy(6, [old]))).toEqual([
    expect.stringContaining('bad: The checkpoint is signed neither'),
  ])
})

test('a checkpoint that came by mail is good in whatever lines the mail was sent', async () => {
  const { text, checkpoint } = await packOf(changes(20))
  const note = await checkpoint(30)
  const mails = [
    note.replaceAll('\n', '\r\n'),
    `Dear auditor,\r\n\r\n${note.replaceAll('\n', '\r\n')}\r\nKind regards\r\nRobin`,
    `Subject: Checkpoint of consult.example.com/audit-log\n\n${note}`,
    note.trimEnd().replaceAll(' ', '\n'),
  ]
  for (const mail of mails)
    expect(await said(text, 'Held', { held: [{ name: 'mail', text: mail }] })).toEqual([
      expect.stringContaining('good: mail: the first 30 entries'),
    ])
  const changed = mails[1]!.replace('\r\n30\r\n', '\r\n29\r\n')
  expect(await said(text, 'Held', { held: [{ name: 'mail', text: changed }] })).toEqual([
    'bad: mail has a signature that is wrong.',
  ])
})

test('a checkpoint with one good signature and one that is wrong is not good', async () => {
  const signers = [await logSigner(1), await logSigner(2)]
  const { text } = await packOf(changes(2), { signers })
  expect((await verified(text)).isGood).toBe(true)
  const [first = '', second = ''] = (text.match(/— \S+ [^\\]+/g) ?? []).map((line) =>
    line.slice(-40),
  )
  expect(await said(text.replace(second, first), 'Checkpoint')).toEqual([
    'bad: The one at the end of the pack has a signature that is wrong.',
  ])
})

test('a checkpoint that someone else signed in the name of the log is not good', async () => {
  const [mine, other] = [await logSigner(1), await logSigner(2)]
  const { text } = await packOf(changes(2), { signers: [other] })
  expect(await said(text.replace(other.vkey, mine.vkey), 'Checkpoint')).toEqual([
    'bad: The one at the end of the pack is not signed by a key of this log.',
  ])
})

test('what stands twice in the head of a pack is refused, since two readers could read it in two ways', async () => {
  const { text } = await packOf(changes(2))
  expect(await said(text.replace('"size":', '"size":9,"size":'), 'Form')).toEqual([
    'bad: The pack cannot be read, or was changed. Line 1: not in the form in which packs are written.',
  ])
})

test('a file that is no pack is said to be none, and not to be a bad one', async () => {
  const { text } = await packOf(changes(1))
  for (const other of ['', 'index,occurred_at\n', text.split('\n').slice(1).join('\n')]) {
    const { headline, isGood } = await verified(other)
    expect([headline, isGood]).toEqual(['This file is no pack', false])
  }
  expect((await verified(text.slice(0, -9))).headline).toBe('This pack is not good')
})

test('a pack and a receipt of absurd size or depth are refused like others', async () => {
  const { text, checkpoint } = await packOf(changes(1))
  const [head] = text.split('\n')
  const deep = `${head}\n${'['.repeat(200_000)}${']'.repeat(200_000)}\n`
  expect(await said(deep, 'Form')).toEqual([
    expect.stringContaining('Line 2: not JSON that all programs read alike, or nested too deeply.'),
  ])
  const huge = 'AAAA'.repeat(200_000)
  const more = `${text}${JSON.stringify({ checkpoint: await checkpoint(1) })}\n`
  expect(await said(more, 'Form')).toEqual([
    expect.stringContaining('Line 5: not the checkpoint, which has to be last.'),
  ])
  const held = [{ name: 'mine', text: JSON.stringify({ leaf: huge, proof: 'no proof' }) }]
  expect(await said(text, 'Held', { held })).toEqual([
    expect.stringContaining('bad: mine is not in its form'),
  ])
})

test('a key in the head of the pack that signed nothing is refused', async () => {
  const { text } = await packOf(changes(2))
  const { vkey } = await logSigner(3)
  expect(await said(text.replace('"vkeys":[', `"vkeys":["${vkey}",`), 'Key')).toContainEqual(
    expect.stringContaining('bad: The head of the pack names a key that signed nothing'),
  )
})

test('each pack that hides entries is judged by what the log says that it dropped, and each that was altered or is not in its form is refused', async () => {
  const judged = await judgedPacks()
  const { vkey } = await logSigner(7)
  const found: typeof judged = []
  for (const { how, text } of judged) {
    const report = await verified(text, { key: vkey })
    found.push({ how, text, isGood: report.isGood })
  }
  expect(found.map(verdictIn)).toEqual(judged.map(verdictIn))
})

/** A log with entries of years ago, of which it dropped those below a number just before it made the others. */
const swept = async (below = 10) => {
  const { enrolment } = await ownersPasskey()
  const old = [...changesFrom(-RETENTION_DAYS - 9, 3), { ...enrolment, at: LONG_AGO }]
  const entries = [
    ...old,
    ...changesFrom(-RETENTION_DAYS - 5, 4),
    retention(START, below),
    ...changes(20),
  ]
  return packOf(entries, { droppedBelow: below })
}

test('the headline says how many entries are hidden and until which day, and the rest why that is no fault', async () => {
  const { text } = await swept()
  const report = await verified(text)
  expect(report.findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
  expect(report.headline).toBe(
    'Nothing is wrong with this pack; 9 of its 56 entries are hidden, until 31 August 2020',
  )
  expect(await said(text, 'Dropped')).toEqual([
    'remark: The oldest 9 entries are hidden, until 31 August 2020. Entry 15 says that they were dropped, and they had been kept for at least 2192 days.',
  ])
  expect(report.notProved.join(' ')).toContain('What the hidden entries say')
  expect((await verified((await swept(1)).text)).headline).toContain(
    '; 1 of its 56 entries is hidden, until',
  )
  const whole = await verified((await packOf(changes(2))).text)
  expect(whole.headline).toBe('Nothing is wrong with this pack')
  expect(whole.notProved.join(' ')).not.toContain('What the hidden entries say')
})

test('for how long a log has to keep its entries is said by the one who checks, and not by the pack', async () => {
  const { text } = await swept()
  const wrong = (days: number) => [
    `bad: These entries are hidden, and the log has not dropped them: 0, 1, 2, 3, 4, 5, 7, 8, 9. Entry 15 lets entries be dropped that were younger than ${days} days; if the log need not keep them for so long, say for how many days.`,
  ]
  expect(await said(text, 'Dropped', { retentionDays: RETENTION_DAYS + 1 })).toEqual(wrong(2193))
  expect((await verified(text, { retentionDays: RETENTION_DAYS + 1 })).headline).toBe(
    'This pack is not good',
  )
  const short = changes(3)
  const about = { older_than: START + 9 * DAY - 2 * DAY }
  const early = await packOf([...short, retention(START + 9 * DAY, 6, about)], { droppedBelow: 6 })
  expect((await verified(early.text)).isGood).toBe(false)
  expect((await verified(early.text, { retentionDays: 2 })).isGood).toBe(true)
  expect((await verified(early.text, { retentionDays: 3 })).isGood).toBe(false)
})

test('an entry that was hidden behind its hash is named, and why no retention entry allows it', async () => {
  const hidden = async (entries: AuditEntry[], droppedBelow: number) =>
    said((await packOf(entries, { droppedBelow })).text, 'Dropped')
  const none = 'bad: These entries are hidden, and the log has not dropped them'
  const old = changesFrom(-RETENTION_DAYS - 9, 3)
  expect(await hidden(changes(2), 2)).toEqual([`${none}: 0, 1.`])
  expect(await hidden([...old, retention(START, 4), ...changes(2)], 6)).toEqual([`${none}: 4, 5.`])
  const claimed = async (claim: AuditEntry) => (await hidden([...old, claim], 6))[0]
  expect(await claimed(retention(Date.now() + 2 * DAY, 6))).toContain(
    'Entry 6 is of a day that has not come yet, by the clock of this computer.',
  )
  expect(await claimed(retention(START, 7))).toContain(
    'does not say which entries before it were dropped',
  )
  expect(await claimed(retention(START, 6, { kept: 1 }))).toContain(
    'says that more entries are never dropped than are there',
  )
  const young = { ...(await ownersPasskey()).enrolment, at: START }
  expect((await hidden([young, ...old, retention(START, 7)], 7))[0]).toContain(
    'calls entries older than they are',
  )
})

test('a commit without a preview is named, and so is one made from something else than was shown', async () => {
  const [, lone] = change(50)
  const [preview, moved] = change(51)
  const { text } = await packOf([...changes(3), lone, preview, { ...moved, shown: 'b3RoZXI' }])
  expect(await said(text, 'Previews')).toEqual(['bad: Committed without a preview: entries 6, 8.'])
})

test('a commit just after dropped entries may have lost its preview, and that is no fault; a later one is named', async () => {
  const old = changesFrom(-RETENTION_DAYS - 1, 2)
  const { text } = await packOf([...old, retention(START, 1)], { droppedBelow: 1 })
  const { isGood } = await verified(text)
  expect(isGood).toBe(true)
  expect(await said(text, 'Previews')).toEqual([
    'remark: What came before was dropped, so this cannot be compared: entry 1.',
  ])
  const [, lone] = change(-1)
  const later = await packOf([...old, lone, retention(START, 1)], { droppedBelow: 1 })
  expect(await said(later.text, 'Previews')).toContainEqual(
    'bad: Committed without a preview: entry 4.',
  )
})

test('a change that says nothing this verifier knows is counted, and named so', async () => {
  const { text } = await packOf([...change(4, 'later')])
  expect((await said(text, 'Approval'))[0]).toContain(
    '1 by someone whom this verifier does not know',
  )
})

test('what a passkey did not sign, or not for this, is named', async () => {
  const { enrolment, approves } = await ownersPasskey()
  const other = await ownersPasskey()
  const [preview, commit] = change(4, 'person')
  const approval = await approves(preview)
  const about = approval.about!
  const faultOf = async (...entries: AuditEntry[]): Promise<string[]> =>
    said((await packOf([...entries, commit])).text, 'Passkeys')
  const changed = (fields: Record<string, string>): AuditEntry => ({
    ...approval,
    about: { ...about, ...fields },
  })
  const fault = (text: string): string[] => [
    expect.stringContaining(`proves nothing: ${text}`) as string,
  ]

  expect(await faultOf(enrolment, preview, await approves(preview, 'b3RoZXI'))).toEqual(
    fault('its passkey signed something else than what was shown'),
  )
  expect(await faultOf(preview, approval)).toEqual(fault('its passkey was never added'))
  // A new name of a passkey adds none.
  const { credential } = enrolment.about!
  const renamed = { ...enrolment, code: 'renamed', about: { credential: credential! } }
  expect(await faultOf(renamed, enrolment, preview, approval)).toEqual([
    expect.stringContaining('good: 1 approval is signed by a passkey of this log'),
  ])
  expect(await faultOf(renamed, preview, approval)).toEqual(fault('its passkey was never added'))
  expect(await faultOf(enrolment, preview, { ...approval, caller: 'approver:abc' })).toEqual(
    fault('it names another person'),
  )
  const removed = { ...enrolment, id: 'enrolment.2', at: START, code: 'removed' }
  expect(await faultOf(enrolment, removed, preview, approval)).toEqual(
    fault('its passkey had been removed before'),
  )
  const stolen = {
    ...enrolment,
    about: { ...enrolment.about, public_key: other.enrolment.about!['public_key']! },
  }
  expect(await faultOf(stolen, preview, approval)).toEqual(
    fault('the signature of its passkey is wrong'),
  )
  expect(await faultOf(enrolment, preview, changed({ digest: 'b3RoZXI' }))).toEqual(
    fault('its passkey signed something else'),
  )
  expect(await faultOf(enrolment, preview, changed({ signature: 'AAAA' }))).toEqual(
    fault('what its passkey signed cannot be read'),
  )
  const data = Buffer.from(String(about['authenticator_data']), 'base64url')
  const unasked = Buffer.from(data)
  unasked[32] = 0x01
  expect(
    await faultOf(
      enrolment,
      preview,
      changed({ authenticator_data: unasked.toString('base64url') }),
    ),
  ).toEqual(fault('its passkey did not ask its holder'))
  data[0]! ^= 1
  expect(
    await faultOf(enrolment, preview, changed({ authenticator_data: data.toString('base64url') })),
  ).toEqual(fault('its passkey was used for another site'))
})

test('a change that a person had to approve, and no one did, is named', async () => {
  const [preview, commit] = change(4, 'person')
  const claimed = await packOf([preview, commit])
  expect(await said(claimed.text, 'Approval')).toContainEqual(
    'bad: Marked as approved by a person, but there is no approval: entry 1.',
  )
  const skipped = await packOf([preview, { ...commit, about: { approved: 'agent' } }])
  expect(await said(skipped.text, 'Approval')).toContainEqual(
    'bad: A person had to approve, and the commit says that no one did: entry 1.',
  )
})

test('a change that no one approved since its approval was lifted is shown, and named where no rules were changed before', async () => {
  const [preview, made] = change(4, 'person')
  const commit = { ...made, about: { approved: 'agent' } }
  const lifted = {
    ...preview,
    id: `${preview.id}.lifted`,
    at: preview.at + 40_000,
    code: 'approval_lifted',
    request_id: null,
  }
  const rules = exampleEntry({
    id: 'rules.1',
    at: preview.at + 20_000,
    event: 'rules',
    caller: 'owner',
    operation: 'put_house_rules',
    code: 'changed',
    about: { approval: null },
  })
  const long = { ...rules, at: START }
  const shown = (nth: number) =>
    `remark: A person had to approve at first, and no one did: the log says that no rule asked for it any more. Compare the rules before entry ${nth}.`
  const forged = (nth: number) =>
    `bad: Said that no rule asks for a person any more, and no rules were changed before it: entry ${nth}.`
  const about = async (...entries: AuditEntry[]): Promise<string[]> =>
    (await said((await packOf(entries)).text, 'Approval')).filter(
      (one) => !one.includes('change made:'),
    )
  expect(await about(preview, rules, lifted, commit)).toEqual([shown(3)])
  // Just before the preview was made, while it was made.
  expect(await about({ ...rules, at: preview.at - 1000 }, preview, lifted, commit)).toEqual([
    shown(3),
  ])
  expect(await about(preview, lifted, commit)).toEqual([forged(1), shown(2)])
  expect(await about(preview, lifted, rules, commit)).toEqual([forged(1), shown(3)])
  expect(await about(long, preview, lifted, commit)).toEqual([forged(2), shown(3)])
  const before = (one: AuditEntry) => ({ ...one, at: one.at - (RETENTION_DAYS + 5) * DAY })
  const old = [long, preview, lifted, commit].map(before)
  const dropped = await packOf([...old, retention(START, 1)], { droppedBelow: 1 })
  expect((await verified(dropped.text)).isGood).toBe(true)
})

test('a change that was made though a person had declined it is named, also where its approval is said to be lifted', async () => {
  const [preview, made] = change(4, 'person')
  const commit = { ...made, about: { approved: 'agent' } }
  const decline = exampleEntry({
    ...preview,
    id: `${preview.id}.declined`,
    at: preview.at + 10_000,
    event: 'approval',
    code: 'declined',
    caller: 'owner',
  })
  const lifted = {
    ...preview,
    id: `${preview.id}.lifted`,
    at: preview.at + 40_000,
    code: 'approval_lifted',
  }
  expect(
    await said((await packOf([preview, decline, lifted, commit])).text, 'Approval'),
  ).toContainEqual('bad: Made although a person had declined: entry 3.')
  expect((await verified((await packOf([preview, decline])).text)).isGood).toBe(true)
})

test('the last review is shown, with how far it went', async () => {
  const review = exampleEntry({
    id: 'review.1',
    at: START + 9 * DAY,
    event: 'review',
    caller: 'owner',
    about: { up_to: 3 },
  })
  const { text } = await packOf([...changes(2), review])
  expect(await said(text, 'Reviews')).toEqual([
    'remark: 1 review noted, the last on 10 September 2026, up to entry 3.',
  ])
})

test('the list of changes has each change that was made once, who approved it by the name in the head, and no formula', async () => {
  const [preview, commit] = change(0)
  const { enrolment, approves } = await ownersPasskey()
  const [shown, made] = change(1, 'person')
  const entries = [
    enrolment,
    preview,
    { ...commit, record_id: '=1+1' },
    shown,
    await approves(shown),
    made,
  ]
  const robin = { caller: 'owner', name: 'Robin', from: '2026-03-02T15:00:00Z' }
  const csvWith = async (callers: object[]) => {
    const { text } = await packOf(entries)
    const { csv } = await verified(
      text.replace('"callers":[]', `"callers":${JSON.stringify(callers)}`),
    )
    return csv.split('\r\n')
  }
  const lines = (by: string) => [
    '"index","occurred_at","operation","record_id","caller","app","approved","approved_by","request_id"',
    '"2","2026-09-01T15:01:00.000Z","book_consult","\'=1+1","key:one","","agent","","req_0"',
    `"5","2026-09-02T15:01:00.000Z","book_consult","${made.record_id}","key:one","","person","${by}","req_1"`,
    '',
  ]
  expect(await csvWith([])).toEqual(lines('owner'))
  expect(await csvWith([{ ...robin, until: null }])).toEqual(
    lines('owner (Robin, from 2026-03-02T15:00:00Z on)'),
  )
  expect(await csvWith([{ ...robin, until: '2026-10-09T15:00:00Z' }])).toEqual(
    lines('owner (Robin, from 2026-03-02T15:00:00Z until 2026-10-09T15:00:00Z)'),
  )
})
