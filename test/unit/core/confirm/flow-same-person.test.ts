import { describe, expect, test } from 'vitest'

import type { Scope } from '../../../../src/core/domain/scopes.ts'
import type { Keyring } from '../../../../src/core/ports/keyring.ts'
import type { Found } from '../../../../src/core/ports/records.ts'
import { emailIndex } from '../../../../src/practice/operations/client/identity.ts'
import { practice, type World } from '../../../support/fake-host.ts'
import { emptyRecords } from '../../../support/fakes/records.ts'
import { BOOKING, CLIENT, callerOf, replace, type Reply } from './caller.ts'

const WRITER: Scope[] = ['bookings:write', 'clients:write']
const READER: Scope[] = [...WRITER, 'bookings:read', 'clients:read']

const CLIENT_WARNING =
  'A client with this email address exists already. Look for that one by the address first, and create another only if that is meant.'
const BOOKING_WARNING =
  'This email address has another consult coming, booked here and not cancelled here: Wednesday, November 25, 2026 at 2:00 PM EST (bk_mock_other). Book another only if that is meant.'

const booking = (booking_id: string, start_time: string, ended = false) => ({
  kind: 'booking',
  key: `booking:${booking_id}`,
  value: JSON.stringify({ booking_id, start_time }),
  ended,
})
const KEPT = [
  booking('bk_mock_other', '2026-11-25T19:00:00Z'),
  booking('bk_mock_past', '2026-11-02T19:00:00Z'),
  booking('bk_mock_ended', '2026-11-26T19:00:00Z', true),
  { kind: 'client', key: 'client:cl_mock_x', value: '{"display_name":"Q. X."}', ended: false },
]

interface Kept {
  entries: typeof KEPT
  fails?: boolean
  asked: { kind: string; mode: string }[]
}

/** A practice in whose records these entries are found under Jordan's address, as long as they are there. */
function practiceWith(kept: Kept = { entries: KEPT, asked: [] }) {
  const world = practice()
  replace(world, 'records', (_had, ports) => ({
    ...emptyRecords,
    async linkedTo(links, kind, mode): Promise<Found> {
      kept.asked.push({ kind, mode })
      if (kept.fails) throw new Error('the records do not answer')
      const keyring: Keyring = await ports.keyring()
      const jordan = await emailIndex(keyring, keyring.current, BOOKING.invitee_email)
      const found = jordan.some((link) => links.includes(link))
        ? kept.entries.filter((entry) => entry.kind === kind)
        : []
      return { entries: found.map((entry, seq) => ({ seq, ...entry })), count: found.length }
    },
  }))
  return { world, kept }
}

const shownIn = (reply: Reply): { warnings: string[]; confirmation_token: string } => {
  if (reply.is !== 'answer' || reply.status !== 'preview') throw new Error(JSON.stringify(reply))
  return reply.body as { warnings: string[]; confirmation_token: string }
}
const CASES = [
  ['book_consult', BOOKING, BOOKING_WARNING, 'invitee_email', 'booking'],
  ['create_client_profile', CLIENT, CLIENT_WARNING, 'contact_email', 'client'],
] as const

describe.each(CASES)('a preview of %s', (operation, fields, warning, field, kind) => {
  const asking = (world: World, scopes: Scope[], key?: string) =>
    callerOf(world, operation, fields, { scopes, ...(key === undefined ? {} : { key }) })

  test('warns those who may read of the same person, in either case of the address, and of no one else', async () => {
    const { world } = practiceWith()
    expect(shownIn(await asking(world, READER).preview()).warnings).toEqual([warning])
    const upper = { ...fields, [field]: 'JORDAN@Example.com' }
    const loud = callerOf(world, operation, upper, { scopes: READER })
    expect(shownIn(await loud.preview()).warnings).toEqual([warning])
    const other = { ...fields, [field]: 'someone.else@example.com' }
    const another = callerOf(world, operation, other, { scopes: READER })
    expect(shownIn(await another.preview()).warnings).toEqual([])
  })

  test('tells those who may not read nothing, and does not look', async () => {
    const { world, kept } = practiceWith()
    const shown = shownIn(await asking(world, WRITER).preview())
    expect(shown.warnings).toEqual([])
    expect(kept.asked).toEqual([])
    const { world: empty } = practiceWith({ entries: [], asked: [] })
    const same = ({
      confirmation_token: _token,
      ...shown
    }: object & { confirmation_token: string }) => shown
    expect(same(shown)).toEqual(same(shownIn(await asking(empty, WRITER).preview())))
    const only = READER.filter((scope) => !scope.startsWith(kind))
    expect(shownIn(await asking(world, [...only, ...WRITER]).preview()).warnings).toEqual([])
  })

  test('looks in the mode that it acts in', async () => {
    const { world, kept } = practiceWith()
    await asking(world, READER).preview()
    expect(kept.asked).toEqual([{ kind, mode: 'mock' }])
  })

  test('is given all the same if it could not be looked, and says so', async () => {
    const { world } = practiceWith({ entries: [], fails: true, asked: [] })
    expect(shownIn(await asking(world, READER).preview()).warnings).toEqual([
      expect.stringMatching(/^It could not be checked whether /),
    ])
  })

  test('stays the same when it is repeated, whatever has come or gone since, and commits without looking', async () => {
    const { world, kept } = practiceWith()
    const caller = asking(world, READER)
    const first = await caller.preview()
    kept.entries = []
    expect(await caller.preview()).toEqual(first)
    kept.entries = [...KEPT, ...KEPT]
    expect(await caller.preview()).toEqual(first)
    kept.asked.splice(0)
    expect(await caller.commit()).toMatchObject({ is: 'answer', status: 'committed' })
    expect(kept.asked).toEqual([])
  })

  test('is not shown again to a caller that may not read any more; it gets one of its own', async () => {
    const { world } = practiceWith()
    const before = shownIn(await asking(world, READER, 'one and the same key').preview())
    const narrowed = asking(world, WRITER, 'one and the same key')
    const after = shownIn(await narrowed.preview())
    expect(after.warnings).toEqual([])
    expect(after.confirmation_token).not.toBe(before.confirmation_token)
    expect(await narrowed.commit({ confirmation_token: before.confirmation_token })).toMatchObject({
      code: 'confirmation_expired',
    })
    expect(await narrowed.commit()).toMatchObject({ is: 'answer', status: 'committed' })
  })

  test('can still be committed by a caller that may not read any more', async () => {
    const { world } = practiceWith()
    const key = 'another key of the same caller'
    const { confirmation_token } = shownIn(await asking(world, READER, key).preview())
    const committed = await asking(world, WRITER, key).commit({ confirmation_token })
    expect(committed).toMatchObject({ is: 'answer', status: 'committed' })
    expect(JSON.stringify(committed)).not.toMatch(/already|another consult/)
  })
})

test('the look for other consults runs beside the read of the provider', async () => {
  const { world } = practiceWith()
  const looked = Promise.withResolvers<void>()
  replace(world, 'records', ({ linkedTo }) => ({
    linkedTo: (...asked) => {
      looked.resolve()
      return linkedTo(...asked)
    },
  }))
  replace(world, 'scheduling', ({ slots }) => ({
    // One after the other would wait for ever.
    slots: async (...asked) => {
      await looked.promise
      return slots(...asked)
    },
  }))
  const shown = await callerOf(world, 'book_consult', BOOKING, { scopes: READER }).preview()
  expect(shownIn(shown).warnings).toEqual([BOOKING_WARNING])
})

test('several consults are named soonest first, and the rest counted', async () => {
  const starts = ['28T15', '26T15', '30T15', '27T15', '25T15'].map((at) => `2026-11-${at}:00:00Z`)
  const entries = starts.map((start, number) => booking(`bk_mock_${number}`, start))
  const { world } = practiceWith({ entries, asked: [] })
  const [warning] = shownIn(
    await callerOf(world, 'book_consult', BOOKING, { scopes: READER }).preview(),
  ).warnings
  expect(warning?.match(/bk_mock_\d/g)).toEqual(['bk_mock_4', 'bk_mock_1', 'bk_mock_3'])
  expect(warning).toContain('and 2 more')
})

test('a warning of a client says nothing of who that is: it outlives the client', async () => {
  const { world } = practiceWith()
  const caller = callerOf(world, 'create_client_profile', CLIENT, { scopes: READER })
  await caller.preview()
  expect(JSON.stringify(await caller.record())).not.toMatch(/cl_mock_x|Q\. X\./)
})
