import type { Mode } from '../domain/mode.ts'
import { isoSeconds } from '../domain/time/time.ts'
import type { RecordWrite } from '../ports/records.ts'

export interface Ended {
  mode: Mode
  now: number
}

/** A record with these fields, its mode and its time; `found` are the links that find it. */
export const recordWrite = (
  key: string,
  fields: object,
  { mode, now }: Ended,
  found: Pick<RecordWrite, 'links' | 'copyLinksFrom'> = {},
): RecordWrite => ({ key, mode, value: { ...fields, mode, recorded_at: isoSeconds(now) }, ...found })
