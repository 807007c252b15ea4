import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, test, vi } from 'vitest'

import { APPROVER } from '../../src/core/domain/audit/entry.ts'
import { HOUR, MINUTE } from '../../src/core/domain/time/duration.ts'
import type { TicketKind } from '../../src/core/ports/access.ts'
import { NOBODY } from '../../src/core/ports/backup.ts'
import { accessObject } from '../../src/practice/adapters/cloudflare/access.ts'

const access = () => env.ACCESS.getByName('access')

const rows = (table: string): Promise<Record<string, SqlStorageValue>[]> =>
  runInDurableObject(access(), (_object, { storage }) =>
    storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
  )

const passkey = (id: string) => ({
  id,
  publicKey: 'key',
  counter: 0,
  role: 'owner' as const,
  name: null,
  transports: ['internal'],
  createdAt: 1,
  lastUsedOn: null,
})
const challenge = (nonce: string) => ({ nonce, endsAt: Date.now() + MINUTE })

describe('codes and refresh tokens', () => {
  it('are taken by one of many that come at once, and the others end the grant', async () => {
    const uses = await Promise.all(
      Array.from({ length: 5 }, () => access().grants.takeToken('grant', 'hash')),
    )
    expect(uses).toEqual(['taken', 'reused', 'ended', 'ended', 'ended'])
    expect(await access().grants.hasEnded('grant')).toBe(true)
    expect(await access().grants.takeToken('grant', 'another')).toBe('ended')
    expect(await access().grants.takeToken('another grant', 'hash')).toBe('taken')
  })

  it('stay taken across an eviction', async () => {
    await access().grants.takeToken('grant', 'hash')
    await evictDurableObject(access())
    expect(await access().grants.takeToken('grant', 'hash')).toBe('reused')
    await evictDurableObject(access())
    expect(await access().grants.hasEnded('grant')).toBe(true)
  })

  it('can be used again if no tokens came of it', async () => {
    await access().grants.takeToken('grant', 'hash')
    await access().grants.returnToken('grant', 'hash')
    expect(await access().grants.takeToken('grant', 'hash')).toBe('taken')
  })

  it('change nothing when they are only looked up', async () => {
    expect(await access().grants.checkToken('grant', 'made up')).toBe('unused')
    expect(await rows('used_tokens')).toEqual([])
    expect(await rows('ended_grants')).toEqual([])
  })

  it('of a refresh token repeat for 30 seconds, and then end the grant', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    const take = (after: number, hash: string, next: string[]) => {
      vi.setSystemTime(1_000_000 + after)
      return runInDurableObject(access(), (object) => object.grants.takeToken('grant', hash, next))
    }
    expect(await take(0, 'first', ['second'])).toBe('taken')
    expect(await take(29_000, 'first', ['second'])).toBe('repeated')
    expect(await take(30_000, 'first', ['another secret', 'second'])).toBe('repeated')
    expect(await take(30_001, 'first', ['second'])).toBe('reused')
    expect(await take(30_002, 'first', ['second'])).toBe('ended')
    expect(await take(30_002, 'second', ['third'])).toBe('ended')
  })

  it('of a refresh token do not repeat once one that follows it was used', async () => {
    const take = (hash: string, next: string[]) => access().grants.takeToken('grant', hash, next)
    expect(await take('first', ['second'])).toBe('taken')
    expect(await take('second', ['third'])).toBe('taken')
    expect(await take('first', ['second'])).toBe('reused')
    expect(await access().grants.hasEnded('grant')).toBe(true)
  })

  it('are kept for the newest thousand of one grant', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    await runInDurableObject(access(), (object) => {
      for (let i = 0; i < 1100; i++) {
        vi.setSystemTime(i)
        object.grants.takeToken('grant', `hash ${i}`)
      }
    })
    expect(await rows('used_tokens')).toHaveLength(1000)
    expect(await access().grants.checkToken('grant', 'hash 99')).toBe('unused')
    expect(await access().grants.checkToken('grant', 'hash 100')).toBe('reused')
  })
})

test('an app was connected, and a key, an app and a passkey were last used, on the day of the practice', async () => {
  // Eight in the evening in New York, and the next day in UTC.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-25T01:00:00Z') })
  const key = { id: 'k', name: 'Desk', scopes: [], created_by: 'owner', inTrial: false }
  const used = await runInDurableObject(access(), (object) => {
    object.createKey({ ...key, created_at: 1, expires_at: null }, 'hash')
    const app = { clientId: 'app', name: 'Claude', inTrial: false, caller: 'oauth', scopes: [] }
    object.grants.noteApp({ ...app, grantId: 'grant' })
    object.grants.recordUse('grant')
    object.owner.enrol(passkey('one'), challenge('enrolment'), undefined)
    object.owner.recordSignIn('one', 1, challenge('nonce'))
    const [one] = object.owner.passkeys()
    const [connection] = object.grants.connectionsOf('oauth')
    return [object.findKey('hash'), object.listKeys()[0], one, object.grants.uses(), connection]
  })
  expect(used.slice(1)).toMatchObject([
    { last_used_on: '2026-11-24' },
    { lastUsedOn: '2026-11-24' },
    { grant: '2026-11-24' },
    { madeOn: '2026-11-24', lastUsedOn: '2026-11-24' },
  ])
})

describe('passkey challenges', () => {
  it('open one session each, however often the answer arrives at once', async () => {
    await access().owner.enrol(passkey('one'), challenge('enrolment'), undefined)
    const answered = challenge('nonce')
    const used = await Promise.all(
      Array.from({ length: 4 }, (_, counter) =>
        access().owner.recordSignIn('one', counter + 1, answered),
      ),
    )
    expect(used).toEqual([true, false, false, false])
    expect(await access().owner.passkeys()).toMatchObject([{ id: 'one', counter: 1 }])
    await evictDurableObject(access())
    expect(await access().owner.recordSignIn('one', 9, answered)).toBe(false)
  })

  it('are worthless once they have expired, or for a passkey that was removed', async () => {
    await access().owner.enrol(passkey('one'), challenge('enrolment'), undefined)
    expect(await access().owner.recordSignIn('one', 1, { nonce: 'late', endsAt: Date.now() })).toBe(
      false,
    )
    expect(await access().owner.recordSignIn('other', 1, challenge('nonce'))).toBe(false)
    expect(await rows('used_challenges')).toHaveLength(1)
  })

  it('make one passkey with one enrolment link, however many arrive at once', async () => {
    const made = await Promise.all(
      ['a', 'b', 'c'].map((id) => access().owner.enrol(passkey(id), challenge(id), 'link')),
    )
    expect(made).toEqual([true, false, false])
    expect(await access().owner.enrol(passkey('d'), challenge('a'), undefined)).toBe(false)
    expect((await access().owner.passkeys()).map(({ id }) => id)).toEqual(['a'])
  })
})

it('the last passkey that lets the owner in stays, however many are removed at once', async () => {
  const { owner, restored } = access()
  const enrolled = (id: string) => owner.enrol(passkey(id), challenge(id), undefined)
  await enrolled('one')
  await enrolled('two')
  const removed = await Promise.all(['one', 'two'].map((id) => owner.removePasskey(id)))
  expect(removed).toEqual([true, false])
  await restored.hold(NOBODY)
  await enrolled('three')
  expect(await owner.removePasskey('three')).toBe(false)
  expect(await owner.removePasskey('two')).toBe(true)
})

it('a session is good for its time and kind alone, and ends with the passkey that opened it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  const { owner } = access()
  for (const id of ['one', 'two']) await owner.enrol(passkey(id), challenge(id), undefined)
  const sessions = ['owner:one', `${APPROVER}one`, 'owner:two']
  for (const session of sessions) await owner.issueTicket('session', session, session, HOUR)
  const good = async (kind: TicketKind) =>
    (await Promise.all(sessions.map((hash) => owner.readTicket(kind, hash)))).filter(Boolean)
  expect(await good('session')).toEqual(sessions)
  expect(await good('consent')).toEqual([])
  await owner.removePasskey('one')
  expect(await good('session')).toEqual(['owner:two'])
  vi.setSystemTime(1_000_000 + HOUR)
  expect(await good('session')).toEqual([])
})

describe('the throttle of attempts by strangers', () => {
  it('counts a bounded number of networks, and drops those that end first', async () => {
    await access().attempts.countCall('register', 'early', 1, MINUTE)
    await access().attempts.countCall('register', 'late', 1, 2 * HOUR)
    await runInDurableObject(access(), async (object) => {
      for (let i = 0; i < 2500; i++)
        await object.attempts.countCall('register', `network ${i}`, 1, HOUR)
    })
    expect((await rows('attempts')).length).toBeLessThanOrEqual(1000)
    expect(await access().attempts.countCall('register', 'early', 1, MINUTE)).toBe(0)
    expect(await access().attempts.countCall('register', 'late', 1, 2 * HOUR)).toBeGreaterThan(3600)
  })

  it('stays bounded across evictions', async () => {
    for (let instance = 0; instance < 3; instance++) {
      await runInDurableObject(access(), async (object) => {
        for (let i = 0; i < 600; i++)
          await object.attempts.countFailure('sign_in', `${instance} ${i}`)
      })
      await evictDurableObject(access())
    }
    expect((await rows('attempts')).length).toBeLessThanOrEqual(1000)
  })

  it('keeps the counts of one kind of attempt when another kind overflows', async () => {
    for (let i = 0; i < 3; i++) await access().attempts.countFailure('sign_in', 'guesser')
    await runInDurableObject(access(), async (object) => {
      for (let i = 0; i < 1500; i++)
        await object.attempts.countCall('document', `network ${i}`, 60, 2 * 24 * HOUR)
    })
    expect(await access().attempts.countFailure('sign_in', 'guesser')).toBeGreaterThan(0)
  })

  it('stores no network address', async () => {
    await access().attempts.countCall('register', '203.0.113.9', 20, HOUR)
    await access().attempts.countFailure('sign_in', '203.0.113.9')
    const kept = await rows('attempts')
    expect(kept).toHaveLength(2)
    expect(JSON.stringify(kept)).not.toContain('203.0')
  })

  it('waits longer after each failure, up to a quarter of an hour, and is free again after a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const waits: number[] = []
    for (let n = 0; n < 14; n++) {
      expect(await access().attempts.countFailure('enrol', 'network')).toBe(0)
      const wait = await access().attempts.countFailure('enrol', 'network')
      waits.push(wait)
      // The second call was counted where there was no wait yet.
      vi.setSystemTime(Date.now() + wait * 1000)
    }
    expect(waits.slice(0, 5)).toEqual([0, 5, 10, 20, 40])
    expect(Math.max(...waits)).toBe(900)
    vi.setSystemTime(Date.now() + 24 * HOUR)
    expect([
      await access().attempts.countFailure('enrol', 'network'),
      await access().attempts.countFailure('enrol', 'network'),
    ]).toEqual([0, 0])
  })
})

const KEY = {
  id: 'k',
  name: 'Zapier',
  scopes: ['admin'],
  created_by: 'owner',
  inTrial: false,
  created_at: 1,
  expires_at: null,
}

describe('an API key', () => {
  it('that is rotated ends its earlier secrets by then at the latest, and lets none be good for longer', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    await access().createKey(KEY, 'first')
    await access().rotateKey('k', 'second', 3 * HOUR)
    await access().rotateKey('k', 'third', HOUR)
    await access().rotateKey('k', 'fourth', 2 * HOUR)
    const good = async () =>
      Promise.all(
        ['first', 'second', 'third', 'fourth'].map(
          async (one) => (await access().findKey(one)) !== undefined,
        ),
      )
    expect(await good()).toEqual([true, true, true, true])
    vi.setSystemTime(start + HOUR)
    expect(await good()).toEqual([false, false, true, true])
    vi.setSystemTime(start + 2 * HOUR)
    expect(await good()).toEqual([false, false, false, true])
  })

  it('that a restore holds lets no one act, and no client link of its', async () => {
    await access().createKey(KEY, 'hash')
    await access().restored.hold(NOBODY)
    expect(await access().restored.isUnconfirmed()).toBe(true)
    expect(await access().findKey('hash')).toBeUndefined()
    expect(await access().standingOf('key:k')).toBeUndefined()
  })
})

describe('the cache of keys in front of the object', () => {
  it('trusts a key for half a minute, and drops it when the key is revoked here', async () => {
    let now = Date.now()
    const port = accessObject(
      () => env.ACCESS.getByName('access'),
      () => now,
    )
    await port.createKey(KEY, 'hash of k')
    expect(await port.findKey('hash of k')).toMatchObject({ id: 'k' })
    await access().revokeKey('k')
    expect(await port.findKey('hash of k')).toMatchObject({ id: 'k' })
    expect(await port.findKey('hash of k', true)).toBeUndefined()
    expect(await port.findKey('hash of k')).toBeUndefined()
    now += 30_001
    expect(await port.findKey('hash of k')).toBeUndefined()

    await port.createKey({ ...KEY, id: 'l' }, 'hash of l')
    expect(await port.findKey('hash of l')).toMatchObject({ id: 'l' })
    expect(await port.revokeKey('l')).toBe(true)
    expect(await port.findKey('hash of l')).toBeUndefined()
  })
})
