import * as z from 'zod'

import { jsonIn } from '../command.ts'
import { type BackupKey, keysTrustedFrom, noteKeyOf, shortHashOf } from './key.ts'

/**
 * How the owner's key stands to a connector: it `reaches` the key by which the log signs now, it
 * does not (`broken`), it is for `another` connector, or it names no log (`none`). `hash` is of the
 * key by which the log signs now.
 */
export interface Comparison {
  is: 'reaches' | 'broken' | 'another' | 'none'
  log: string
  hash: string
}

const chainSchema = z.object({ keys: z.array(z.object({ vkey: z.string(), note: z.string() })) })

/**
 * Compares the owner's key with the connector that `get` asks; undefined where that does not say
 * its keys.
 */
export async function compareWith(
  { vkeys }: BackupKey,
  get: (path: string) => Promise<string>,
): Promise<Comparison | undefined> {
  const [keys, chain] = await Promise.all([get('/audit/keys'), get('/audit/key-chain')])
  const [newest = ''] = keys.trim().split('\n')
  const signing = await noteKeyOf(newest)
  const parsed = chainSchema.safeParse(jsonIn(chain))
  if (!signing || !parsed.success) return undefined
  const log = signing.name
  const said = (is: Comparison['is']) => shortHashOf(newest).then((hash) => ({ is, log, hash }))
  if (vkeys.length === 0) return said('none')
  const pinned = await Promise.all(vkeys.map(noteKeyOf))
  if (pinned.every((key) => key?.name !== log)) return said('another')
  const trusted = await keysTrustedFrom(vkeys, parsed.data.keys)
  const isReached = trusted.some(({ name, keyId }) => name === log && same(keyId, signing.keyId))
  return said(isReached ? 'reaches' : 'broken')
}

const same = (one: Uint8Array, other: Uint8Array): boolean => one.join() === other.join()
