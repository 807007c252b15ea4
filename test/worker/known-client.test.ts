import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'

import { approvedLink } from '../../src/core/domain/records.ts'
import type { RecordWrite } from '../../src/core/ports/records.ts'
import { rowsOf } from './deletion-rig.ts'

const records = () => env.RECORDS.getByName('records')
const aFlow = () => env.CONFIRMATIONS.newUniqueId().toString()
const END = '2026-11-24T10:30:00-05:00'
const ENDED = Date.parse(END)

const write = (key: string, more: Partial<RecordWrite> = {}): RecordWrite => ({
  key,
  mode: 'live',
  value: { key, end_time: END },
  ...more,
})
const keep = (...writes: RecordWrite[]) => records().upsert(writes, aFlow())
const isKnown = (index: string, now = ENDED) => records().knowsClient([index], 'live', now)

it('an address is known once a consult with it has taken place, and not before its end', async () => {
  await keep(write('booking:bk_1', { links: ['a'] }))
  expect([await isKnown('a', ENDED - 1), await isKnown('a', ENDED)]).toEqual([false, true])
  expect([await isKnown('b'), await records().knowsClient([], 'live', ENDED)]).toEqual([
    false,
    false,
  ])
})

it('a consult that was cancelled here, or one of the mock, makes no address known', async () => {
  await keep(write('booking:bk_2', { links: ['c'] }), write('booking:bk_2:end'))
  await keep(write('booking:bk_3', { links: ['d'], mode: 'mock' }))
  expect([await isKnown('c'), await isKnown('d')]).toEqual([false, false])
})

it('a profile that an agent made alone makes no address known, one that a person approved does', async () => {
  await keep(write('client:one', { links: ['e'] }))
  expect(await isKnown('e')).toBe(false)
  await keep(write('client:two', { links: ['e', approvedLink('e')] }))
  expect(await isKnown('e')).toBe(true)
})

it('once its client is deleted an address is known no more, and nothing is left that says it was', async () => {
  await keep(
    write('client:three', { links: ['f'] }),
    write('booking:bk_4', { links: ['f', approvedLink('f')] }),
  )
  expect(await isKnown('f')).toBe(true)
  await records().eraseClient('three', { caller: 'owner', requestId: crypto.randomUUID() })
  expect(await isKnown('f')).toBe(false)
  const links = (await rowsOf('links')).map(({ link }) => link as string)
  expect(links.filter((link) => link.endsWith('f'))).toEqual([])
})
