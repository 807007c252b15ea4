import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { startLocal } from '../../../src/cli/local.ts'
import type { Change } from '../rest-changes.ts'

/** What of the practice is kept in this folder besides its storage, which has the same name with `.storage.gz`. */
export interface KeptPractice {
  /** The day of the practice, ISO 8601: far ahead, so that no alarm rings while it is open. */
  clock: string
  /** The name of the Worker, on which the ids of its objects depend. */
  worker: string
  /** Its settings and secrets, all made up for it. */
  vars: Record<string, string>
  /** The owner's first key, and the other keys by their names. */
  keys: Record<'owner' | 'office' | 'links', string>
  /** Changes with their answers, byte for byte. */
  changes: (Change & { apiKey: string })[]
  /** What its reads show: an address, and words that the answer has. */
  reads: { path: string; words: string[] }[]
  /** The path of the page of a client link that was open. */
  openLink: string
}

/** The folder with the practice, its backup and the invented key of that. */
export const HERE = import.meta.dirname
export const STORAGE = join(HERE, 'practice.storage.gz')
export const FACTS = join(HERE, 'practice.json')
export const BACKUP = join(HERE, 'backup.age')
export const KEY = join(HERE, 'backup-key.txt')

export const keptPractice = (): KeptPractice =>
  JSON.parse(readFileSync(FACTS, 'utf8')) as KeptPractice

/** Packs the files of a storage folder. */
export function packed(files: Record<string, Uint8Array>): Buffer {
  const texts = Object.entries(files).map(([path, bytes]) => [
    path,
    Buffer.from(bytes).toString('base64'),
  ])
  return gzipSync(JSON.stringify(Object.fromEntries(texts)), { level: 9 })
}

/** Writes the files of the practice into a folder. */
export function unpackInto(folder: string): void {
  const files = JSON.parse(gunzipSync(readFileSync(STORAGE)).toString()) as Record<string, string>
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(text, 'base64'))
  }
}

/** A script that moves the clock to this day. */
export function clockFrom(clock: string): string {
  const by = Date.parse(clock) - Date.now()
  return `{ const Real = Date; globalThis.Date = class Date extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ${by}); else super(...given) }
  static now() { return Real.now() + ${by} }
} }
`
}

/** The same bundle with a clock that says it is the day of the practice; `folder` is for it alone. */
export function scriptOn(clock: string, script: string, folder: string): string {
  cpSync(dirname(script), folder, { recursive: true })
  const moved = join(folder, basename(script))
  writeFileSync(moved, clockFrom(clock) + readFileSync(moved, 'utf8'))
  return moved
}

/** Starts the connector of that day. */
export const startOn = (
  practice: Pick<KeptPractice, 'vars'>,
  { script, storage, worker }: { script: string; storage: string; worker: string },
) => startLocal({ script, storage, name: worker, vars: practice.vars, onLog: () => {} })
