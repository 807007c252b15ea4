import { describe, expect, test } from 'vitest'

import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import { confirmationName } from '../../../../src/core/confirm/token.ts'
import { sha256, shortMac } from '../../../../src/core/crypto/encoding.ts'
import { recordKey } from '../../../../src/core/domain/records.ts'
import { DAY, HOUR } from '../../../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../../../src/core/domain/time/time.ts'
import {
  callerOfLink,
  foundCompletion,
  isUsable,
  linkOfToken,
  readClientLink,
} from '../../../../src/practice/operations/invite-client.ts'
import { practice } from '../../../support/fake-host.ts'
import { anExistingBooking } from './caller.ts'
import { ALL, TIMES, linkIn } from './client-link.ts'

type World = ReturnType<typeof practice>

/** A link with what someone typed on it checked, and not sent yet. */
async function checkedLink(world: World) {
  const link = await linkIn(world)
  const tab = link.tab()
  expect(await tab.preview()).toMatchObject({ status: 'preview' })
  const name = await confirmationName(callerOfLink(link.link_id), link.link_id)
  return { ...link, tab, name }
}

const kindsIn = (world: World): string[] =>
  [...world.stored.keys()].map((key) => String(key.split(':')[0])).toSorted()
const WHOLE = ['booking', 'client', 'client_link', 'client_link', 'intake']

describe('a booking under a link of which no one knows whether it was made', () => {
  const inDoubt = async () => {
    const world = practice()
    const link = await checkedLink(world)
    world.fail('book', 'timeout_before')
    expect(await link.tab.commit()).toMatchObject({ code: 'outcome_unknown' })
    expect((await link.read())!.state).toBe('checking')
    expect(kindsIn(world)).toEqual(['client_link'])
    await world.ringAll(link.name)
    expect(world.alerted).toEqual(['complete_client_link'])
    return { world, ...link }
  }

  test('is made, with all that was typed, once the owner says so', async () => {
    const { world, name, read } = await inDoubt()
    expect(await world.resolve(name, true, { booking_id: 'bk_by_hand' })).toBe('resolved')
    await world.idle()
    expect(await read()).toMatchObject({ state: 'completed', made: { booking_id: 'bk_by_hand' } })
    expect(kindsIn(world)).toEqual(WHOLE)
  })

  test('gives way to no withdrawal', async () => {
    const { owner } = await inDoubt()
    expect(await owner().preview()).toMatchObject({ code: 'idempotency_key_reused' })
  })
})

describe('the notice of the owner', () => {
  const withNotice = (text: string | null) => {
    const world = practice()
    let notice = text
    world.adapt = (ports) => ({
      ...ports,
      practice: { ...ports.practice, clientLinkNotice: { en: notice, es: null } },
    })
    return { world, change: (to: string) => void (notice = to) }
  }

  test.each([true, false])(
    'is in the entry of the commit by its version, and whether it was ticked: %s',
    async (acknowledged) => {
      const { world } = withNotice('We keep this for seven years.')
      const link = await linkIn(world)
      const tab = link.tab(undefined, { acknowledged })
      await tab.preview()
      await tab.commit()
      await world.idle()
      const entry = world
        .auditLog()
        .find(({ operation, event }) => operation === 'complete_client_link' && event === 'commit')
      const notice = await sha256('We keep this for seven years.')
      expect(entry?.about).toEqual({
        approved: 'link_holder',
        made_by: 'tester',
        notice,
        acknowledged,
      })
    },
  )

  test('that changed between check and send makes the preview stale', async () => {
    const { world, change } = withNotice('The first version.')
    const { tab } = await checkedLink(world)
    change('The second version.')
    expect(await tab.commit()).toMatchObject({ code: 'preview_stale' })
    expect(world.calendar.rows).toEqual([])
  })
})

describe('a client who read the page in Spanish, on the clock of another zone', () => {
  const inSpanish = () => {
    const world = practice()
    const texts = { clientLinkNotice: 'Siete años.', bookingTerms: 'Pague $50.' }
    world.adapt = (ports) => ({
      ...ports,
      practice: {
        ...ports.practice,
        clientLinkNotice: { en: 'Seven years.', es: texts.clientLinkNotice },
        bookingTerms: { en: null, es: texts.bookingTerms },
      },
    })
    return { world, texts }
  }
  const READ = { language: 'es', timezone: 'America/Chicago', acknowledged: true }

  test('has the Spanish notice in the entry, and the consult in that zone', async () => {
    const { world } = inSpanish()
    const link = await linkIn(world)
    const tab = link.tab(undefined, READ)
    expect(await tab.preview()).toMatchObject({
      body: {
        preview: {
          booking: { timezone: 'America/Chicago' },
          client: { timezone: 'America/Chicago' },
        },
      },
    })
    expect(await tab.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    const entry = world
      .auditLog()
      .find(({ operation, event }) => operation === 'complete_client_link' && event === 'commit')
    const notice = await sha256('Siete años.')
    expect(entry?.about).toMatchObject({ notice, acknowledged: true })
  })

  test.each(['clientLinkNotice', 'bookingTerms'] as const)(
    'is shown a %s that changed before anything is sent',
    async (name) => {
      const { world, texts } = inSpanish()
      const link = await linkIn(world)
      const tab = link.tab(undefined, READ)
      await tab.preview()
      texts[name] = 'Otra cosa.'
      expect(await tab.commit()).toMatchObject({ code: 'preview_stale' })
      expect(world.calendar.rows).toEqual([])
    },
  )
})

describe('a link', () => {
  test('whose form a newer version took is neither open nor ended here', async () => {
    const world = practice()
    const { tab, name, read } = await checkedLink(world)
    await tab.commit()
    await world.idle()
    const written = { ...world.record(name)!, v: 2 } as unknown as FlowRecord
    world.crash(name)
    world.plant(name, written, undefined)
    expect(await read()).toMatchObject({ state: 'checking', made: { client_id: null } })
  })

  test('whose client is erased stays completed, and its flow keeps nothing of the client', async () => {
    const world = practice()
    const { tab, name, read } = await checkedLink(world)
    await tab.commit()
    await world.idle()
    const { client_id } = (await read())!.made
    await world.erase(name, client_id!)
    expect(await read()).toMatchObject({ state: 'completed', made: { client_id } })
    expect(JSON.stringify(world.record(name))).not.toContain('j***@***')
    expect(await tab.commit()).toMatchObject({
      code: 'client_not_found',
      refusal: { effect: 'done' },
    })
  })

  test('is still used, or withdrawn, once its flow is forgotten', async () => {
    const world = practice()
    const [used, withdrawn] = [await checkedLink(world), await linkIn(world)]
    await used.tab.commit()
    const owner = withdrawn.owner()
    await owner.preview()
    await owner.commit()
    await world.idle()
    await world.until(world.now() + 32 * DAY)
    expect(world.record(used.name)).toBeUndefined()
    expect([(await used.read())!.state, (await withdrawn.read())!.state]).toEqual([
      'completed',
      'withdrawn',
    ])
    expect(await linkIn(world, ALL).then(({ read }) => read())).toMatchObject({ state: 'open' })
  })

  test('whose preview is erased is open, and can be used with another preview', async () => {
    const world = practice()
    const { tab, name, read } = await checkedLink(world)
    const { subject } = world.record(name)!
    expect(await world.erase(name, subject!)).toBe(true)
    expect((await read())!.state).toBe('open')
    expect(await tab.commit()).toMatchObject({ is: 'problem', refusal: { effect: 'none' } })
    expect([world.calendar.rows, kindsIn(world)]).toEqual([[], ['client_link']])
    expect(await tab.preview()).toMatchObject({ status: 'preview' })
    expect(await tab.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    expect(kindsIn(world)).toEqual(WHOLE)
  })

  test('that ends in time keeps its state; one that is open, or checked, expires', async () => {
    const world = practice()
    const [open, checked] = [await linkIn(world), await checkedLink(world)]
    const [doubtful, withdrawn] = [await checkedLink(world), await linkIn(world)]
    world.fail('book', 'timeout_before')
    expect(await doubtful.tab.commit()).toMatchObject({ code: 'outcome_unknown' })
    const owner = withdrawn.owner()
    await owner.preview()
    await owner.commit()
    const used = await linkIn(world)
    const other = used.tab(TIMES[1])
    await other.preview()
    expect(await other.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    world.pass(80 * HOUR)
    const states = await Promise.all(
      [open, checked, doubtful, withdrawn, used].map(({ read }) => read()),
    )
    expect(states.map((link) => link!.state)).toEqual([
      'expired',
      'expired',
      'checking',
      'withdrawn',
      'completed',
    ])
    for (const { code } of (await Promise.all([
      checked.tab.commit(),
      open.tab().preview(),
      open.owner().preview(),
    ])) as { code?: string }[])
      expect(['confirmation_expired', 'client_link_not_found']).toContain(code)
    expect(world.calendar.rows).toHaveLength(1)
  })

  test('that a client completed in the lost tail of a restore reads completed, whatever its flow knew', async () => {
    for (const known of ['nothing', 'a preview', 'a refusal'] as const) {
      const world = practice()
      const link = await linkIn(world)
      const tab = link.tab()
      if (known !== 'nothing') await tab.preview()
      if (known === 'a refusal') {
        await anExistingBooking(world)
        expect(await tab.commit()).toMatchObject({ is: 'problem', code: 'slot_unavailable' })
      }
      await world.idle()
      const key = recordKey('client_link', link.link_id)
      const ended_by_restore_at = isoSeconds(world.now())
      world.stored.set(key, { ...world.stored.get(key), ended_by_restore_at })
      const read = async () => (await readClientLink(await world.ports(), link.link_id))!
      expect(await read(), known).toMatchObject({ state: 'ended_by_restore', isFound: false })

      const found = foundCompletion(link.link_id, 'bk_lost', world.now())
      world.stored.set(found.key, found.value)
      expect(await read(), known).toMatchObject({
        state: 'completed',
        isFound: true,
        made: { booking_id: 'bk_lost', client_id: null, intake_id: null },
        completed_at: ended_by_restore_at,
      })
      expect(isUsable((await read()).link, world.now()), known).toBe(false)
    }
  })

  test('opens under every secret that is listed, and no longer', async () => {
    const world = practice()
    const { url, link_id } = await linkIn(world)
    const token = new URL(url).pathname.slice('/c/'.length)
    const opened = async () => linkOfToken(await (await world.ports()).keyring(), token, 'mock')
    expect(await opened()).toBe(link_id)
    world.secrets = ['another signing secret of these tests', world.secrets[0]]
    expect(await opened()).toBe(link_id)
    world.secrets = ['another signing secret of these tests']
    expect(await opened()).toBeUndefined()
  })

  test('opens in its own mode alone', async () => {
    const world = practice()
    const { url, link_id } = await linkIn(world)
    const mock = new URL(url).pathname.slice('/c/'.length)
    const keyring = await (await world.ports()).keyring()
    const id = link_id.replace('cil_mock_', '')
    const live = `${await shortMac(keyring, keyring.current, 'client link', id)}${id}`
    expect(await linkOfToken(keyring, mock, 'live')).toBeUndefined()
    expect(await linkOfToken(keyring, live, 'live')).toBe(`cil_${id}`)
    expect(await linkOfToken(keyring, live, 'mock')).toBeUndefined()
  })

  test('of a secret that is gone has no address any more', async () => {
    const world = practice()
    const { maker, url } = await linkIn(world)
    expect(url).toMatch(/^https:\/\/connector\.example\.com\/c\/mock_[\w-]{44}[0-9a-f]{8}$/)
    world.secrets = ['another signing secret of these tests', world.secrets[0]]
    expect(await maker.commit()).toMatchObject({ body: { result: { url } } })
    world.secrets = ['another signing secret of these tests']
    expect(await maker.status()).toMatchObject({
      status: 'committed',
      answer: { result: { url: null } },
    })
  })
})
