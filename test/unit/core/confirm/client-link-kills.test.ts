import { describe, expect, test } from 'vitest'

import { confirmationName } from '../../../../src/core/confirm/token.ts'
import { instantOf } from '../../../../src/core/domain/time/time.ts'
import { callerOfLink, readClientLink } from '../../../../src/practice/operations/invite-client.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import { type Reply, callerOf } from './caller.ts'
import { ALL, TIMES, linkIn } from './client-link.ts'

/** Something that is done to a link, and what is true of it once its object has died and lives again. */
interface Act {
  /** The name of the object that dies. */
  name: string
  act(): Promise<Reply>
  judge(said: Reply | undefined): Promise<void>
}

const commitsIn = (world: World): (string | null)[] =>
  world.auditLog().flatMap(({ event, operation }) => (event === 'commit' ? [operation] : []))
const kindsIn = (world: World): string[] =>
  [...world.stored.keys()].map((key) => String(key.split(':')[0])).toSorted()

const WHOLE = ['booking', 'client', 'client_link', 'client_link', 'intake']
const COMMITTED = { is: 'answer', status: 'committed' }
const REUSED = { is: 'problem', code: 'idempotency_key_reused', refusal: { effect: 'none' } }

const isCommitted = (said: Reply | undefined): boolean =>
  said?.is === 'answer' && said.status === 'committed'

const bodyOf = (said: Reply | undefined): Record<string, unknown> =>
  said?.is === 'answer' ? said.body : {}

async function usedLink(world: World) {
  const link = await linkIn(world)
  const name = await confirmationName(callerOfLink(link.link_id), link.link_id)
  const state = async () => (await link.read())!.state
  /** The link was used once, for this time; nothing of another use is there. */
  const usedOnce = async (start: string) => {
    await world.idle()
    expect(await state()).toBe('completed')
    expect(world.calendar.rows.map((row) => row.start)).toEqual([instantOf(start)])
    expect(kindsIn(world)).toEqual(WHOLE)
    expect(commitsIn(world)).toEqual(['invite_client', 'complete_client_link'])
  }
  const unused = async () => {
    await world.idle()
    expect([await state(), world.calendar.rows, kindsIn(world)]).toEqual([
      'open',
      [],
      ['client_link'],
    ])
  }
  const withdrawn = async () => {
    await world.idle()
    expect([await state(), world.calendar.rows]).toEqual(['withdrawn', []])
    expect(kindsIn(world)).toEqual(['client_link', 'client_link'])
    expect(commitsIn(world)).toEqual(['invite_client', 'withdraw_client_link'])
  }
  return { ...link, name, state, usedOnce, unused, withdrawn }
}

const ACTS: Record<string, (world: World) => Promise<Act>> = {
  async 'the preview of a link'(world) {
    const maker = callerOf(world, 'invite_client', { ask: ALL })
    return {
      name: await maker.name,
      act: maker.preview,
      async judge() {
        expect([kindsIn(world), commitsIn(world)]).toEqual([[], []])
        expect(await maker.preview()).toMatchObject({ status: 'preview' })
        expect(await maker.commit()).toMatchObject(COMMITTED)
        await world.idle()
        expect([kindsIn(world), commitsIn(world)]).toEqual([['client_link'], ['invite_client']])
      },
    }
  },

  async 'the making of a link'(world) {
    const maker = callerOf(world, 'invite_client', { ask: ALL })
    await maker.preview()
    return {
      name: await maker.name,
      act: maker.commit,
      async judge(said) {
        const again = await maker.commit()
        expect(again).toMatchObject(COMMITTED)
        if (isCommitted(said)) expect(again).toMatchObject({ replayed: true, body: bodyOf(said) })
        await world.idle()
        const { link_id } = bodyOf(again)['result'] as { link_id: string }
        expect([...world.stored.keys()]).toEqual([`client_link:${link_id}`])
        expect(commitsIn(world)).toEqual(['invite_client'])
        expect(await readClientLink(await world.ports(), link_id)).toMatchObject({ state: 'open' })
      },
    }
  },

  async 'the check page of a client'(world) {
    const { name, tab, unused, usedOnce } = await usedLink(world)
    const client = tab()
    return {
      name,
      act: client.preview,
      async judge() {
        await unused()
        expect(await client.preview()).toMatchObject({ status: 'preview' })
        expect(await client.commit()).toMatchObject(COMMITTED)
        await usedOnce(TIMES[0])
      },
    }
  },

  async 'a check page in place of another'(world) {
    const { name, tab, unused, usedOnce } = await usedLink(world)
    const [first, second] = [tab(TIMES[0]), tab(TIMES[1])]
    await first.preview()
    return {
      name,
      act: second.preview,
      async judge(said) {
        await unused()
        const sent = await first.commit()
        // A check page that a client was shown has taken the place of the one before.
        if (said) expect(sent).toMatchObject(REUSED)
        if (isCommitted(sent)) return usedOnce(TIMES[0])
        expect(sent).toMatchObject(REUSED)
        expect(await second.preview()).toMatchObject({ status: 'preview' })
        expect(await second.commit()).toMatchObject(COMMITTED)
        return usedOnce(TIMES[1])
      },
    }
  },

  async 'the commit of a client'(world) {
    const { name, tab, state, unused, usedOnce } = await usedLink(world)
    const client = tab()
    await client.preview()
    return {
      name,
      act: client.commit,
      async judge(said) {
        const now = await state()
        if (isCommitted(said)) expect(now).toBe('completed')
        if (now === 'checking') {
          // It may have been sent and is in no calendar, so the owner decides.
          expect(world.alerted).toEqual(['complete_client_link'])
          expect(await client.commit()).toMatchObject({ code: 'outcome_unknown' })
          await world.resolve(name, false)
          await unused()
          expect(await client.preview()).toMatchObject({ status: 'preview' })
        }
        if (now === 'open') await unused()
        expect(await client.commit()).toMatchObject({ ...COMMITTED, replayed: now === 'completed' })
        await usedOnce(TIMES[0])
      },
    }
  },

  async "the preview of the owner's withdrawal"(world) {
    const { name, tab, owner: ownerOf, unused, usedOnce, withdrawn } = await usedLink(world)
    const [client, owner] = [tab(), ownerOf()]
    await client.preview()
    return {
      name,
      act: owner.preview,
      async judge(said) {
        await unused()
        const sent = await client.commit()
        if (said) expect(sent).toMatchObject(REUSED)
        if (isCommitted(sent)) return usedOnce(TIMES[0])
        expect(sent).toMatchObject(REUSED)
        expect(await owner.preview()).toMatchObject({ status: 'preview' })
        expect(await owner.commit()).toMatchObject(COMMITTED)
        return withdrawn()
      },
    }
  },

  async "the owner's withdrawal in one call"(world) {
    const { name, tab, owner: ownerOf, state, usedOnce, withdrawn } = await usedLink(world)
    const client = tab()
    await client.preview()
    return {
      name,
      act: ownerOf().atOnce,
      async judge(said) {
        if (isCommitted(said)) expect(await state()).toBe('withdrawn')
        // Nothing of it was kept, or the link is closed to its holder until the next press ends it.
        const sent = await client.commit()
        if (!said && isCommitted(sent)) return usedOnce(TIMES[0])
        expect(sent).toMatchObject(REUSED)
        expect(await client.preview()).toMatchObject(REUSED)
        expect(await ownerOf().atOnce()).toMatchObject(COMMITTED)
        return withdrawn()
      },
    }
  },

  async "the owner's withdrawal"(world) {
    const { name, tab, owner: ownerOf, state, unused, withdrawn } = await usedLink(world)
    const [client, owner] = [tab(), ownerOf()]
    await owner.preview()
    return {
      name,
      act: owner.commit,
      async judge(said) {
        const now = await state()
        if (isCommitted(said)) expect(now).toBe('withdrawn')
        if (now === 'open') await unused()
        expect(await owner.commit()).toMatchObject({ ...COMMITTED, replayed: now === 'withdrawn' })
        expect(await client.preview()).toMatchObject(REUSED)
        await withdrawn()
      },
    }
  },
}

/** Does an act, counting the writes of its object, which dies at one of them. */
async function done(what: string, dies?: { at: number; how: string }) {
  const world = practice()
  const { name, act, judge } = await ACTS[what]!(world)
  await world.idle()
  const writes = { buffered: 0, durable: 0 }
  world.wrote = (of, how) => {
    if (of === name) writes[how] += 1
    if (of === name && how === dies?.how && writes[how] === dies.at) world.crash(name)
  }
  const said = await act().catch(() => undefined)
  await world.idle()
  const { durable } = writes
  world.wrote = () => {}
  await world.ringAll(name)
  await world.idle()
  return { world, said, durable, judge }
}

const DEATHS = await Promise.all(
  Object.keys(ACTS).map(async (what) => [what, (await done(what)).durable] as const),
)

describe.each(DEATHS)('%s, of %i writes', (what, writes) => {
  test('writes, and is as it says where nothing dies', async () => {
    expect(writes).toBeGreaterThan(0)
    const { world, said, judge } = await done(what)
    expect(said).toMatchObject({ is: 'answer' })
    await judge(said)
    expect(world.broken).toEqual([])
  })

  test.each(
    Array.from({ length: writes }, (_, i) =>
      ['buffered', 'durable'].map((how) => ({ at: i + 1, how })),
    ).flat(),
  )('is done once or not at all where its object dies at write $at, $how', async (dies) => {
    const { world, said, judge } = await done(what, dies)
    await judge(said)
    expect(world.broken).toEqual([])
  })
})
