import { createHash } from 'node:crypto'

import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { RETENTION_DAYS } from '../../src/core/domain/audit/leaf.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { START, change, logSigner, ownersPasskey, packOf, retention } from './audit-pack.ts'
import { exampleEntry } from './example-entry.ts'
import { type Random, randomFrom } from './random.ts'

/** A pack to be checked, with a key and a checkpoint that did not come from it. */
export interface Altered {
  /** What was done to it. */
  how: string
  text: string
}

type Lines = string[]
interface Parts {
  /** Where the entries begin in the file, and where the checkpoint stands. */
  entries: number
  checkpoint: number
  /** Signed checkpoints of the first six and the first eleven entries. */
  older: readonly [string, string]
}
type Alteration = (lines: Lines, parts: Parts, random: Random) => Lines | Promise<Lines>

/** A log with all that matters to a verifier: keys, a passkey, an approval, and dropped entries. */
async function everything() {
  const signer = await logSigner(7)
  const { enrolment, approves } = await ownersPasskey()
  const announced = exampleEntry({
    id: 'log_key.1',
    at: START - (RETENTION_DAYS + 9) * DAY,
    event: 'log_key',
    caller: 'none',
    about: { vkey: signer.vkey },
  })
  const [preview, commit] = change(6, 'person')
  const approval = await approves(preview)
  const dropped = [9, 8].flatMap((nth) => change(-RETENTION_DAYS - nth))
  const changes = [0, 1, 2, 3].flatMap((nth) => change(nth))
  const swept = retention(START + 4 * DAY, 5, { kept: 1 })
  const entries = [announced, ...dropped, enrolment, ...changes, swept, preview, approval, commit]
  return {
    entries,
    wanted: { signers: [signer], droppedBelow: 5 },
  }
}

/** Replaces one character of a text, from a place on, by another. */
function otherCharacter(text: string, from: number, to: number, random: Random): string {
  const at = random.int(from, to - 1)
  const other = random.pick(Array.from('aZ3+/=\r —"').filter((char) => char !== text[at]))
  return text.slice(0, at) + other + text.slice(at + 1)
}

const within =
  (place: (lines: Lines, parts: Parts, random: Random) => number, marker: string): Alteration =>
  (lines, parts, random) => {
    const at = place(lines, parts, random)
    const line = lines[at]!
    return lines.with(
      at,
      otherCharacter(line, line.indexOf(marker) + marker.length, line.length - 2, random),
    )
  }

const anEntry = (_: Lines, { entries, checkpoint }: Parts, random: Random) =>
  random.int(entries, checkpoint - 1)
const aWholeEntry = (lines: Lines, parts: Parts, random: Random): number => {
  const at = anEntry(lines, parts, random)
  return lines[at]!.includes('"leaf"') ? at : parts.checkpoint - 1
}
const leafIn = (line: string): string => (JSON.parse(line) as { leaf: string }).leaf
const renumbered = (lines: Lines, { entries }: Parts, from: number, to: number): Lines =>
  lines.map((line, at) =>
    at < from || at >= to ? line : line.replace(/^\{"i":\d+/, `{"i":${at - entries}`),
  )
const resized = (lines: Lines, by: number): Lines =>
  lines.with(
    0,
    lines[0]!.replace(/"size":(\d+)/, (_, size) => `"size":${Number(size) + by}`),
  )

/** A log that was rewritten without one entry, and signed. */
async function rewritten(random: Random, seed: number): Promise<Lines> {
  const { entries, wanted } = await everything()
  const without: AuditEntry[] = entries.toSpliced(random.int(5, entries.length - 1), 1)
  const signers = [await logSigner(seed)]
  const { text } = await packOf(without, { ...wanted, signers })
  return text.slice(0, -1).split('\n')
}

const ALTERATIONS: Record<string, Alteration> = {
  'a character of an entry is another': within(aWholeEntry, '"leaf":"'),
  'a hash is another': within((_, { entries }) => entries + 2, '"hash":"'),
  'a character of the checkpoint is another': within(
    (_, { checkpoint }) => checkpoint,
    '"checkpoint":"',
  ),
  'a character of the key is another': (lines, _, random) => {
    const from = lines[0]!.indexOf('"vkeys":["') + 10
    return lines.with(0, otherCharacter(lines[0]!, from, lines[0]!.indexOf('"]'), random))
  },
  'an entry is missing': (lines, parts, random) =>
    lines.toSpliced(anEntry(lines, parts, random), 1),
  'an entry was taken out, and the rest renumbered': (lines, parts, random) => {
    const shorter = lines.toSpliced(anEntry(lines, parts, random), 1)
    return resized(renumbered(shorter, parts, parts.entries, parts.checkpoint - 1), -1)
  },
  'an entry stands twice': (lines, parts, random) => {
    const at = anEntry(lines, parts, random)
    return lines.toSpliced(at, 0, lines[at]!)
  },
  'an entry was put in, and the rest renumbered': (lines, parts, random) => {
    const longer = lines.toSpliced(anEntry(lines, parts, random), 0, lines[parts.checkpoint - 1]!)
    return resized(renumbered(longer, parts, parts.entries, parts.checkpoint + 1), 1)
  },
  'two entries changed places': (lines, parts) => {
    const [one, other] = [parts.checkpoint - 1, parts.checkpoint - 3]
    const moved = lines.with(one, lines[other]!).with(other, lines[one]!)
    return renumbered(moved, parts, parts.entries, parts.checkpoint)
  },
  'an entry is hidden behind a hash': (lines, parts, random) => {
    const at = random.int(parts.entries + 5, parts.checkpoint - 1)
    const hash = createHash('sha256')
      .update(`\0${leafIn(lines[at]!)}`)
      .digest('base64')
    return lines.with(at, JSON.stringify({ i: at - parts.entries, hash }))
  },
  'the size is another': (lines, _, random) => resized(lines, random.pick([-3, -1, 1, 2])),
  'the name of the log is another': (lines) =>
    lines.with(0, lines[0]!.replace('consult.', 'consu1t.')),
  'a key was added': async (lines) =>
    lines.with(0, lines[0]!.replace('"vkeys":[', `"vkeys":["${(await logSigner(99)).vkey}",`)),
  'the checkpoint is missing': (lines) => lines.slice(0, -1),
  'the checkpoint is an older one': (lines, { checkpoint, older }, random) =>
    lines.with(checkpoint, JSON.stringify({ checkpoint: random.pick(older) })),
  'the checkpoint is not last': (lines, { checkpoint }) =>
    lines.with(checkpoint, lines[checkpoint - 1]!).with(checkpoint - 1, lines[checkpoint]!),
  'the file goes on': (lines, parts, random) => [...lines, lines[anEntry(lines, parts, random)]!],
  'the file breaks off': (lines, _, random) => {
    const text = lines.join('\n')
    return text.slice(0, random.int(1, text.length - 2)).split('\n')
  },
  'a space was put in': (lines, parts, random) => {
    const at = anEntry(lines, parts, random)
    return lines.with(at, lines[at]!.replace('{"i":', '{"i": '))
  },
  'it was cut back to a checkpoint': (lines, { entries, checkpoint, older: [note] }) => {
    const cut = [...lines.slice(0, entries + 6), JSON.stringify({ checkpoint: note })]
    return resized(cut, entries + 6 - checkpoint)
  },
  'it was rewritten and signed by its owner': (_, __, random) => rewritten(random, 7),
  'it was rewritten and signed by another': (_, __, random) => rewritten(random, 8),
}

/** A good pack, with what an auditor has besides; and so many packs made from it that are not good. */
export async function alteredPacks(count: number) {
  const { entries, wanted } = await everything()
  const { text, vkeys, checkpoint } = await packOf(entries, wanted)
  const lines = text.slice(0, -1).split('\n')
  const older = [await checkpoint(6), await checkpoint(11)] as const
  const parts: Parts = { entries: 1, checkpoint: lines.length - 1, older }
  const kinds = Object.entries(ALTERATIONS)
  const altered: Altered[] = []
  for (let seed = 0; seed < count; seed += 1) {
    const [how, alter] = kinds[seed % kinds.length]!
    const changed = await alter(lines, parts, randomFrom(seed))
    altered.push({ how: `${how} (${seed})`, text: `${changed.join('\n')}\n` })
  }
  return { good: text, key: vkeys[0]!, held: await checkpoint(entries.length), altered }
}
