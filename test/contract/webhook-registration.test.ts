import { afterEach, describe, expect, test } from 'vitest'

import { DAY, HOUR, MINUTE } from '../../src/core/domain/time/duration.ts'
import type {
  MadeWebhook,
  Notification,
  ProviderWebhooks,
  WantedWebhook,
} from '../../src/core/ports/provider-sync.ts'
import { stripeWebhooks } from '../../src/practice/adapters/payments/stripe/webhooks.ts'
import { calcomWebhooks } from '../../src/practice/adapters/scheduling/calcom/webhooks.ts'
import { calendlyWebhooks } from '../../src/practice/adapters/scheduling/calendly/webhooks.ts'
import { fakeCalcom } from '../support/fakes/calcom.ts'
import { OTHER_HOST_ID } from '../support/fakes/calendly-bodies.ts'
import { fakeCalendly } from '../support/fakes/calendly.ts'
import { type FakeRequest, type Fault, answerBefore } from '../support/fakes/http.ts'
import { FAKE_KEY, PROVIDER_TEXT, WEBHOOK_ROUTES, fakeStripe } from '../support/fakes/stripe.ts'
import { CANARY } from '../support/fakes/webhook-bodies.ts'
import type { SigningProvider } from '../support/fakes/webhook-signatures.ts'
import type { FakeWebhooks } from '../support/fakes/webhooks.ts'
import { WITH_WEBHOOKS } from '../support/webhook-providers.ts'

const ADDRESS = 'https://connector.example/hooks/provider'
const NEW_ADDRESS = 'https://new.example/hooks/provider'
const KEY = 'key of the first secret'
let clock = Date.parse('2026-11-23T12:00:00Z')
const now = () => clock

interface Rig {
  webhooks: ProviderWebhooks
  fake: { webhooks: FakeWebhooks; requests: FakeRequest[]; stop(): Promise<void> }
  fault(route: 'list' | 'create' | 'remove', fault: Fault): void
  /** Takes the right to webhooks from the credential. */
  forbid(): void
  /** Something changes at the provider; returns the ids that its notification names. */
  change(): Partial<Notification>
  /** What the owner reads about the right that the credential lacks. */
  lack: RegExp
}

let rigs: Rig[] = []
let beforeCreate: (() => void) | undefined
const fetchOf =
  (fake: { fetch: typeof fetch }): typeof fetch =>
  async (input, init) => {
    if (init?.method === 'POST') beforeCreate?.()
    return fake.fetch(input, init)
  }

const RIGS: Record<SigningProvider, () => Promise<Rig>> = {
  async calendly() {
    const fake = await fakeCalendly({ now })
    fake.state.scopes.add('webhooks:write')
    const webhooks = calendlyWebhooks({
      token: 'fake-calendly-token',
      baseUrl: fake.url,
      timeoutMs: 5_000,
      fetch: fetchOf(fake),
      now,
      eventTypeIds: [fake.eventType.id],
    })
    return {
      webhooks,
      fake,
      fault: (route, fault) => fake.faultOfWebhooks(route, fault),
      forbid: () => fake.state.scopes.delete('webhooks:write'),
      change: () => {
        const invitee = { email: `${CANARY}@plumbwick.example`, name: CANARY, timezone: null }
        return { bookings: [`bk_${fake.bookOnPage(clock + DAY, invitee)}`] }
      },
      lack: /lacks the scope webhooks:write/,
    }
  },
  async calcom() {
    const fake = await fakeCalcom({ now })
    const connection = {
      token: 'cal_live_fake',
      baseUrl: fake.url,
      timeoutMs: 5_000,
      fetch: fetchOf(fake),
      now,
    }
    return {
      webhooks: calcomWebhooks(connection),
      fake,
      fault: (route, fault) => fake.faultOfWebhooks(route, fault),
      forbid: () => void (fake.state.refusesWebhooks = true),
      change: () => {
        const attendee = { name: CANARY, email: `${CANARY}@plumbwick.example`, timeZone: 'UTC' }
        return { bookings: [`bk_${fake.bookOnPage(clock + DAY, attendee).uid}`] }
      },
      lack: /WEBHOOK_WRITE/,
    }
  },
  async stripe() {
    const fake = await fakeStripe(undefined, now)
    fake.set('in_1Fake')
    const webhooks = stripeWebhooks({
      secretKey: FAKE_KEY,
      baseUrl: fake.url,
      timeoutMs: 5_000,
      fetch: fetchOf(fake),
      style: 'hosted_invoice',
    })
    return {
      webhooks,
      fake,
      fault: (route, fault) => fake.fault(WEBHOOK_ROUTES[route], fault),
      forbid: () => {
        fake.forbid('rak_webhook_read')
        fake.forbid('rak_webhook_write')
      },
      change: () => {
        fake.set('in_1Fake', { status: 'paid' })
        return { invoices: ['in_1Fake'] }
      },
      lack: /“Webhook Endpoints: Write” \(rak_webhook_read\)/,
    }
  },
}

afterEach(async () => {
  beforeCreate = undefined
  await Promise.all(rigs.map(({ fake }) => fake.stop()))
  rigs = []
})

test('every provider that has webhooks is tried here', () => {
  expect(Object.keys(RIGS)).toEqual(WITH_WEBHOOKS)
})

describe.each(Object.keys(RIGS) as SigningProvider[])('the webhook at %s', (provider) => {
  /** A connector in front of a fake: what it keeps of what was made, and its runs. */
  async function connector() {
    const rig = await RIGS[provider]()
    rigs.push(rig)
    const kept: MadeWebhook[] = []
    const wanted = (keyId = 'one', address = ADDRESS): WantedWebhook => {
      const madeIds = kept.map(({ id }) => id)
      return rig.webhooks.makesSecret
        ? { url: address, knownId: madeIds[0] ?? '', madeIds }
        : {
            url: `${address}?key=${keyId}`,
            key: keyId === 'one' ? KEY : `another, ${keyId}`,
            madeIds,
          }
    }
    return {
      ...rig,
      hooks: rig.fake.webhooks.hooks,
      wanted,
      keys: () => (rig.webhooks.makesSecret ? [kept[0]?.secret ?? ''] : [KEY]),
      ensure: (keyId?: string, address?: string) =>
        rig.webhooks.ensure(wanted(keyId, address), async (made) => void kept.unshift(made)),
      state: (keyId?: string) => rig.webhooks.state(wanted(keyId)),
      /** What was changed at the provider since, by method. */
      changes: (since = 0) =>
        rig.fake.requests
          .slice(since)
          .map(({ method }) => method)
          .filter((method) => method !== 'GET'),
    }
  }
  const ACTIVE = { is: 'active' }

  test('is made once, and left as it is from then on', async () => {
    const { ensure, state, hooks, changes } = await connector()
    expect(await state()).toEqual({ is: 'missing' })
    expect(await ensure()).toEqual(ACTIVE)
    expect(await ensure()).toEqual(ACTIVE)
    expect(await state()).toEqual(ACTIVE)
    expect([hooks.length, changes()]).toEqual([1, ['POST']])
  })

  test('is signed so that its deliveries are taken, and nothing but ids is read of them', async () => {
    const { ensure, keys, change, webhooks, fake } = await connector()
    await ensure()
    const ids = change()
    const notifications: (Notification | 'refused')[] = []
    const answers = await fake.webhooks.deliver(async (request) => {
      const body = new Uint8Array(await request.clone().arrayBuffer())
      notifications.push(await webhooks.read({ headers: request.headers, body }, keys(), clock))
      return new Response(null, { status: 200 })
    })
    expect(answers).toEqual([200])
    expect(notifications).toEqual([{ bookings: [], invoices: [], links: [], ...ids }])
    expect(JSON.stringify(notifications)).not.toContain(CANARY)
  })

  test.each([
    ['disabled', { isOn: false }],
    ['incomplete', { events: ['another.event'] }],
  ] as const)('is replaced if it is %s', async (is, fault) => {
    const { ensure, state, hooks, fake } = await connector()
    await ensure()
    Object.assign(hooks[0]!, fault)
    const { id } = hooks[0]!
    expect(await state()).toEqual({ is })
    expect(await ensure()).toEqual(ACTIVE)
    expect(hooks.map((hook) => hook.id === id)).toEqual([false])
    expect(await state()).toEqual(ACTIVE)
    expect(fake.webhooks.hooks[0]).toMatchObject({ isOn: true })
  })

  test('that an earlier run left is deleted by the next, and what belongs to others is not', async () => {
    const { ensure, hooks, fault } = await connector()
    await ensure()
    const others = ['https://connector.example/another', `https://elsewhere.example/hooks/provider`]
    hooks.push(...others.map((url, number) => ({ ...hooks[0]!, id: `FOREIGN${number}`, url })))
    hooks[0]!.isOn = false
    hooks[0]!.url = ADDRESS
    fault('remove', answerBefore(500, {}))
    expect(await ensure()).toEqual(ACTIVE)
    expect(hooks.filter(({ url }) => url.startsWith(ADDRESS))).toHaveLength(2)
    expect(await ensure()).toEqual(ACTIVE)
    expect(hooks.filter(({ url }) => url.startsWith(ADDRESS))).toHaveLength(1)
    expect(hooks.map(({ url }) => url)).toEqual(expect.arrayContaining(others))
  })

  describe('after a change of the public address', () => {
    /** One of ours at the old address, and one there that someone else made. */
    async function moving() {
      const rig = await connector()
      await rig.ensure()
      const [old] = rig.hooks
      rig.hooks.push({ ...old!, id: 'FOREIGN' })
      const since = rig.fake.requests.length
      return {
        ...rig,
        old: old!,
        move: () => rig.ensure('one', NEW_ADDRESS),
        changesSince: () => rig.changes(since),
        atNewAddress: () => rig.hooks.filter(({ url }) => url.startsWith(NEW_ADDRESS)).length,
        others: () =>
          rig.hooks.filter(({ url }) => !url.startsWith(NEW_ADDRESS)).map(({ id }) => id),
      }
    }

    test('stands at the new one before that at the old one is deleted, and no one else’s is', async () => {
      const { move, changesSince, atNewAddress, others } = await moving()
      expect(await move()).toEqual(ACTIVE)
      expect(changesSince()).toEqual(['POST', 'DELETE'])
      expect([atNewAddress(), others()]).toEqual([1, ['FOREIGN']])
      expect(await move()).toEqual(ACTIVE)
      expect(changesSince()).toEqual(['POST', 'DELETE'])
    })

    test('is deleted at the old one by the next run, if one ended before it could', async () => {
      const { move, old, fault, atNewAddress, others } = await moving()
      fault('remove', answerBefore(500, {}))
      expect(await move()).toEqual(ACTIVE)
      expect([atNewAddress(), others()]).toEqual([1, [old.id, 'FOREIGN']])
      expect(await move()).toEqual(ACTIVE)
      expect([atNewAddress(), others()]).toEqual([1, ['FOREIGN']])
    })

    test('is one at the new one in the end, if a run ended before it kept what it had made', async () => {
      const { webhooks, wanted, move, hooks, keys, old, atNewAddress, others } = await moving()
      const cut = webhooks.ensure(wanted('one', NEW_ADDRESS), () =>
        Promise.reject(new Error('cut off')),
      )
      await expect(cut).rejects.toThrow('cut off')
      expect([atNewAddress(), others()]).toEqual([1, [old.id, 'FOREIGN']])
      expect(await move()).toEqual(ACTIVE)
      expect([atNewAddress(), others()]).toEqual([1, ['FOREIGN']])
      expect(hooks.filter(({ url }) => url.startsWith(NEW_ADDRESS)).map(({ key }) => key)).toEqual(
        keys(),
      )
      // What was found is known as ours from then on, so that it goes with the next change.
      expect(wanted().madeIds).toContain(hooks.find(({ url }) => url.startsWith(NEW_ADDRESS))?.id)
    })
  })

  test('is an outcome and no error if the credential lacks the right to it, and says what to change', async () => {
    const { ensure, state, forbid, lack, changes } = await connector()
    forbid()
    const found = await ensure()
    expect(found).toEqual({ is: 'not permitted', detail: expect.stringMatching(lack) as string })
    expect(await state()).toEqual(found)
    expect(JSON.stringify(found)).not.toContain(PROVIDER_TEXT)
    expect(changes()).toEqual([])
  })

  test.each([429, 500])('is not judged while the provider answers %i', async (status) => {
    const { state, fault } = await connector()
    fault('list', answerBefore(status, {}))
    await expect(state()).rejects.toMatchObject({ refusal: { code: 'provider_busy' } })
  })

  test('is registered only where the provider can reach it', async () => {
    const { webhooks } = await connector()
    expect(webhooks.reaches('https://connector.example')).toBe(true)
    expect(webhooks.reaches('http://connector.example')).toBe(false)
    expect(webhooks.reaches('')).toBe(false)
    // The fake is on this machine, as the connector would be.
    expect(webhooks.reaches('http://127.0.0.1:8787')).toBe(true)
  })

  test.runIf(provider !== 'stripe')(
    'under a new key is made before the one under the old key is deleted',
    async () => {
      const { ensure, hooks, changes, fake } = await connector()
      await ensure('one')
      const since = fake.requests.length
      expect(await ensure('two')).toEqual(ACTIVE)
      expect(changes(since)).toEqual(['POST', 'DELETE'])
      expect(hooks.map(({ url, key }) => [url, key])).toEqual([
        [`${ADDRESS}?key=two`, 'another, two'],
      ])
    },
  )

  test.runIf(provider !== 'stripe')(
    'that another run makes meanwhile is taken as it is',
    async () => {
      const { ensure, hooks, webhooks, wanted } = await connector()
      const { create } = await otherRun()
      beforeCreate = create
      expect(await ensure()).toEqual(ACTIVE)
      expect(hooks).toHaveLength(1)
      expect(await webhooks.state(wanted())).toEqual(ACTIVE)

      /** What the other run makes is like what this one would make. */
      async function otherRun() {
        const other = await connector()
        await other.ensure()
        const [made] = other.hooks
        return {
          create() {
            beforeCreate = undefined
            hooks.push({ ...made! })
          },
        }
      }
    },
  )

  test.runIf(provider === 'stripe')(
    'is kept with its secret before the old one is deleted',
    async () => {
      const { webhooks, hooks, wanted, ensure, keys } = await connector()
      await ensure()
      const { id } = hooks[0]!
      hooks[0]!.isOn = false
      const cut = webhooks.ensure(wanted(), () => Promise.reject(new Error('cut off')))
      await expect(cut).rejects.toThrow('cut off')
      expect(hooks.map((hook) => hook.id)).toContain(id)
      expect(hooks).toHaveLength(2)
      // No one knows the secret of the second: a third is made, and both others are deleted.
      expect(await ensure()).toEqual(ACTIVE)
      expect(hooks.map(({ key }) => key)).toEqual(keys())
    },
  )
})

describe('Calendly', () => {
  async function calendly() {
    const rig = await RIGS.calendly()
    rigs.push(rig)
    return { ...rig, fake: rig.fake as Awaited<ReturnType<typeof fakeCalendly>> }
  }
  const wanted = { url: `${ADDRESS}?key=one`, key: KEY, madeIds: [] }
  const keep = () => Promise.resolve()

  test('is asked for the whole organization if another host is possible, and the narrower one is deleted', async () => {
    const { webhooks, fake } = await calendly()
    await webhooks.ensure(wanted, keep)
    expect(fake.webhooks.hooks.map(({ scope }) => scope)).toEqual(['user'])
    fake.eventType.owner = OTHER_HOST_ID
    clock += 2 * MINUTE
    expect(await webhooks.ensure(wanted, keep)).toEqual({ is: 'active' })
    expect(fake.webhooks.hooks.map(({ scope }) => scope)).toEqual(['organization'])
  })

  test('is asked for the user alone once no other host is possible, and the wider one is deleted', async () => {
    const { webhooks, fake } = await calendly()
    const { owner } = fake.eventType
    const madeIds: string[] = []
    const ensure = () =>
      webhooks.ensure({ ...wanted, madeIds }, async ({ id }) => void madeIds.unshift(id))
    fake.eventType.owner = OTHER_HOST_ID
    await ensure()
    expect(fake.webhooks.hooks.map(({ scope }) => scope)).toEqual(['organization'])
    fake.eventType.owner = owner
    clock += 2 * MINUTE
    expect(await ensure()).toEqual({ is: 'active' })
    expect(fake.webhooks.hooks.map(({ scope }) => scope)).toEqual(['user'])
  })

  test('is not asked for the organization by a user who may not, and says whose token is needed', async () => {
    const { webhooks, fake } = await calendly()
    fake.eventType.owner = OTHER_HOST_ID
    fake.state.admin = false
    const found = await webhooks.ensure(wanted, keep)
    expect(found).toEqual({
      is: 'not permitted',
      detail: expect.stringMatching(/owner or administrator/) as string,
    })
  })

  test('says since when deliveries fail, disables the webhook after a day, and the next run heals it', async () => {
    const { webhooks, fake, change } = await calendly()
    await webhooks.ensure(wanted, keep)
    const since = clock
    change()
    const down = () => Promise.resolve(new Response(null, { status: 500 }))
    await fake.webhooks.deliver(down)
    expect(await webhooks.state(wanted)).toEqual({ is: 'active', failingSince: since })
    for (let hours = 0; hours < 30; hours += 1) {
      clock += HOUR
      await fake.webhooks.deliver(down)
    }
    expect(await webhooks.state(wanted)).toEqual({ is: 'disabled' })
    expect(await webhooks.ensure(wanted, keep)).toEqual({ is: 'active' })
  })
})

describe('Cal.com', () => {
  test('is asked for bodies with ids only, sends once, and its answers with the secret are not kept', async () => {
    const rig = await RIGS.calcom()
    rigs.push(rig)
    const { webhooks, fake, change } = rig
    const made: MadeWebhook[] = []
    await webhooks.ensure(
      { url: ADDRESS, key: KEY, madeIds: [] },
      async (one) => void made.push(one),
    )
    expect(JSON.stringify(made)).not.toContain(KEY)
    change()
    const bodies: string[] = []
    await fake.webhooks.deliver(async (request) => {
      bodies.push(await request.text())
      return new Response(null, { status: 500 })
    })
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).not.toContain(CANARY)
    clock += DAY
    expect([await fake.webhooks.deliver(), fake.webhooks.waiting()]).toEqual([[], 0])
  })
})

test('a user’s webhook at Cal.com is not told of a kind that is a team’s', async () => {
  const fake = await fakeCalcom({ now })
  const eventTypeIds = [String(fake.eventType.id)]
  const connection = { token: 'cal_live_fake', baseUrl: fake.url, timeoutMs: 5_000, now }
  const webhooks = calcomWebhooks({ ...connection, fetch: fake.fetch, eventTypeIds })
  const wanted = { url: ADDRESS, key: KEY, madeIds: [] }
  expect(await webhooks.ensure(wanted, async () => {})).toEqual({ is: 'active' })
  fake.eventType.schedulingType = 'collective'
  clock += 2 * MINUTE
  expect(await webhooks.state(wanted)).toEqual({ is: 'active', isPartial: true })
  clock += 2 * MINUTE
  fake.fault('eventType', answerBefore(429, {}))
  await expect(webhooks.ensure(wanted, async () => {})).rejects.toMatchObject({
    refusal: { code: 'provider_busy' },
  })
  await fake.stop()
})
