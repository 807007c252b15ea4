import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { RETENTION_DAYS } from '../../src/core/domain/audit/leaf.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { START, change, logSigner, ownersPasskey, packOf, retention } from './audit-pack.ts'
import { exampleEntry } from './example-entry.ts'

/** A pack of a log whose key signed it, and whether every verifier has to call it good, given nothing but that key. */
export interface Judged {
  how: string
  text: string
  isGood: boolean
}

/** Days before the start. */
const LONG_AGO = -2 * RETENTION_DAYS - 100
const BEFORE = -RETENTION_DAYS - 95
const OLDER_THAN = START - RETENTION_DAYS * DAY

/** The number of the first entry in the log below that it has not dropped yet. */
const FIRST_YOUNG = 9

/** A log of many years, which has dropped its oldest entries twice. */
async function oldLog(): Promise<AuditEntry[]> {
  const { vkey } = await logSigner(7)
  const { enrolment } = await ownersPasskey()
  const longAgo = START + (LONG_AGO - 1) * DAY
  return [
    exampleEntry({
      id: 'log_key.1',
      at: longAgo,
      event: 'log_key',
      caller: 'none',
      about: { vkey },
    }),
    ...change(LONG_AGO),
    { ...enrolment, at: START + LONG_AGO * DAY },
    ...change(LONG_AGO + 1),
    retention(START + BEFORE * DAY, 6, { kept: 2 }),
    ...change(BEFORE + 5),
    ...change(-50),
    ...change(-49),
    retention(START, 9, { kept: 3 }),
    ...change(0),
  ]
}

/** Packs that hide entries as retention allows it, and as it does not; packs in another form than the one; and altered packs. */
export async function judgedPacks(): Promise<Judged[]> {
  const log = await oldLog()
  const signers = [await logSigner(7)]
  const judged: Judged[] = []
  async function judge(
    isGood: boolean,
    how: string,
    hidden: readonly number[],
    entries = log,
  ): Promise<void> {
    const { text } = await packOf(entries, { signers, hidden })
    judged.push({ how, text, isGood })
  }
  const everything = log.map((_, i) => i)
  const [firstDropped, dropped] = [
    [1, 2, 4, 5],
    [1, 2, 4, 5, 7, 8],
  ]

  await judge(true, 'nothing is hidden', [])
  await judge(true, 'all is hidden that the log dropped', dropped)
  await judge(true, 'all is hidden that the log dropped first', firstDropped)
  await judge(true, 'the log has begun to drop', [1])
  for (const i of everything.filter((one) => !dropped.includes(one)))
    await judge(false, `entry ${i} is hidden as well`, [...dropped, i])
  for (const i of everything.slice(FIRST_YOUNG))
    await judge(false, `only entry ${i} is hidden`, [i])
  await judge(false, 'an entry is there that is older than one that is hidden', dropped.slice(1))
  await judge(false, 'an entry is there among those that are hidden', [1, 2, 5])

  // Made with the key of the log, which says nothing of what it dropped but this.
  const gone = [1, 2, 4, 5, 6, 7]
  const claims = (...claim: AuditEntry[]): AuditEntry[] => [
    ...log.filter(({ event }) => event !== 'retention').slice(0, -2),
    ...claim,
    ...change(0),
  ]
  await judge(
    true,
    'the log says nothing of what it never drops',
    gone,
    claims(retention(START, 8)),
  )
  await judge(false, 'the log does not say that it dropped anything', gone, claims())
  const wrong: Record<string, AuditEntry> = {
    'a millisecond too young': retention(START, 8, { older_than: OLDER_THAN + 1 }),
    'of a day that has not come': retention(Date.now() + 3 * DAY, 8),
    'among them one that came later': retention(START, 20),
    'among them one that is younger': retention(START, 8, { older_than: START + LONG_AGO * DAY }),
    'among them one more that is never dropped': retention(START, 8, { kept: 3 }),
    'never dropped: nothing': retention(START, 8, { kept: null }),
    'below a text': retention(START, 8, { dropped_below: '8' }),
    'without a word about them': { ...retention(START, 8), about: null },
    'as another kind of entry': { ...retention(START, 8), event: 'check' },
  }
  for (const [how, claim] of Object.entries(wrong))
    await judge(false, `the log says that it dropped them, ${how}`, gone, claims(claim))

  const partly = claims(retention(START, 10, { kept: 2 }))
  await judge(false, 'the log says that it dropped one that is there, and younger', [1, 2], partly)

  const about = (facts: object): AuditEntry[] => [
    ...log,
    exampleEntry({ id: 'about', at: START, about: facts as AuditEntry['about'] }),
  ]
  await judge(true, 'the largest number', [], about({ most: 2 ** 53 - 1, least: 1 - 2 ** 53 }))
  await judge(
    true,
    'names in the order of RFC 8785',
    [],
    about({ '2': 1, '10': 2, '￿': 3, '😀': 4 }),
  )
  await judge(false, 'a fraction', [], about({ part: 1.5 }))
  await judge(false, 'a number of 2^53', [], about({ most: 2 ** 53 }))
  await judge(false, 'a number far beyond 2^53', [], about({ most: 1e21 }))
  await judge(false, 'an entry that stands twice', [], [...log, log.at(-1)!])
  await judge(
    false,
    'a key that is none',
    [],
    [...log, exampleEntry({ event: 'log_key', about: { vkey: 'a' } })],
  )

  const [head = '', ...rest] = judged[0]!.text.split('\n')
  const headed = (isGood: boolean, how: string, line: string): void =>
    void judged.push({ how: `a head with ${how}`, text: [line, ...rest].join('\n'), isGood })
  const callers = (text: string): string => head.replace('"callers":[]', `"callers":[${text}]`)
  headed(true, 'a caller', callers('{"caller":"key:one","name":"Ada"}'))
  headed(true, 'more in it', head.replace('"callers":[]', '"callers":[],"not_covered":["callers"]'))
  headed(true, 'names that are numbers, first', callers('{"2":0,"10":0,"01":0,"4294967295":0}'))
  headed(false, 'names that are numbers, elsewhere', callers('{"a":0,"1":0}'))
  headed(false, 'names that are numbers, not in their order', callers('{"10":0,"2":0}'))
  headed(false, 'a fraction', callers('1.5'))
  headed(false, 'a fraction that is whole', callers('5.0'))
  headed(false, 'a number of 2^53', callers('9007199254740992'))
  headed(false, 'a number beyond 2^53', callers('9007199254740993'))
  headed(false, 'a number that is none', callers('NaN'))
  headed(false, 'text that is not Unicode', callers('"\\ud800"'))
  headed(false, 'its fields elsewhere', head.replace(/("size":\d+),("made_at":"[^"]*")/, '$2,$1'))
  headed(false, 'no key', head.replace(/"vkeys":\[[^\]]*\]/, '"vkeys":[]'))
  headed(false, 'a key that is none', head.replace(/"vkeys":\[/, '$&"a+b+c",'))
  headed(false, 'true in place of 1', head.replace('"pack":1', '"pack":true'))
  headed(false, 'a name that stands twice', head.replace('"pack":1', '"pack":1,"pack":1'))

  const { text, checkpoint } = await packOf(log, { signers, hidden: dropped })
  const lines = text.trimEnd().split('\n')
  const newest = log.length
  const [last = '', before = ''] = [lines[newest], lines[newest - 1]]
  const older = JSON.stringify({ checkpoint: await checkpoint(newest - 1) })
  const { vkey } = await logSigner(8)
  const altered: Record<string, string[]> = {
    'another record in an entry': lines.with(newest, last.replace('bk_mock_0', 'bk_mock_1')),
    'another hash': lines.with(2, lines[3]!.replace('"i":2', '"i":1')),
    'an entry less': lines.toSpliced(newest, 1),
    'an entry twice': lines.toSpliced(newest, 0, last),
    'two entries in the place of each other': lines
      .with(newest, before.replace(`"i":${newest - 2}`, `"i":${newest - 1}`))
      .with(newest - 1, last.replace(`"i":${newest - 1}`, `"i":${newest - 2}`)),
    'an older checkpoint': lines.with(-1, older),
    'no checkpoint': lines.slice(0, -1),
    'a line after its checkpoint': [...lines, last],
    'a line that breaks off': lines.with(-1, lines.at(-1)!.slice(0, -1)),
    'the name of another log': lines.with(0, lines[0]!.replace('consult.', 'consu1t.')),
    'one more key': lines.with(0, lines[0]!.replace('"vkeys":[', `$&"${vkey}",`)),
    'a space more': lines.with(newest, last.replace('{"i":', '{"i": ')),
  }
  for (const [how, changed] of Object.entries(altered))
    judged.push({ how: `a pack with ${how}`, text: `${changed.join('\n')}\n`, isGood: false })
  return judged
}
