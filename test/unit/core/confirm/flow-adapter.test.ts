import { describe, expect, test } from 'vitest'

import type { Ports } from '../../../../src/core/ports/services.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'
import { practice } from '../../../support/fake-host.ts'
import { callerOf, fieldsOf, hasFields } from './caller.ts'
import { watched } from './watched.ts'

type Provider = 'scheduling' | 'payments'
const PROVIDERS: readonly Provider[] = ['scheduling', 'payments']
const SENDS = ['book', 'cancel', 'createLink', 'endLink', 'execute']

/** A preview of an operation, and every call that went to a provider since. */
async function previewed(operation: string) {
  const world = practice()
  const caller = callerOf(world, operation, await fieldsOf(operation, world))
  await world.idle()
  const calls: { provider: Provider; name: string }[] = []
  const sent = () => calls.filter(({ name }) => SENDS.includes(name))
  const adapters: Partial<Record<Provider, string>> = {}
  /** The answer to the send of this number is lost. */
  let lost = 0
  const provided = (ports: Ports, provider: Provider) => ({
    ...watched(ports[provider], async (name, act) => {
      calls.push({ provider, name })
      const answer = await act()
      return SENDS.includes(name) && sent().length === lost ? { is: 'unknown' } : answer
    }),
    adapterId: adapters[provider] ?? ports[provider].adapterId,
  })
  world.adapt = (ports) => ({
    ...ports,
    scheduling: provided(ports, 'scheduling') as Ports['scheduling'],
    payments: provided(ports, 'payments') as Ports['payments'],
  })
  await caller.preview()
  calls.splice(0)
  return {
    world,
    caller,
    calls,
    sent,
    loseAnswer: (number: number) => void (lost = number),
    /** The owner sets the connector to another provider, or back again. */
    setTo: (provider: Provider, adapter: string | undefined) => {
      if (adapter === undefined) delete adapters[provider]
      else adapters[provider] = adapter
    },
  }
}

/** The provider that each operation acts through, as its commit shows, and how often it sends. */
const SENDERS = await Promise.all(
  MUTATIONS.filter(hasFields).map(async ({ name }) => {
    const { caller, sent } = await previewed(name)
    expect(await caller.commit(), name).toMatchObject({ status: 'committed' })
    return { name, provider: sent()[0]?.provider, sends: sent().length }
  }),
)
const ACTING = SENDERS.flatMap(({ name, provider, sends }) =>
  provider ? [{ name, provider, sends }] : [],
)
const LOST = ACTING.flatMap(({ sends, ...one }) =>
  Array.from({ length: sends }, (_, at) => ({ ...one, send: at + 1 })),
)

test('six operations act through a provider, and a reschedule sends twice', () =>
  expect(ACTING).toEqual([
    { name: 'book_consult', provider: 'scheduling', sends: 1 },
    { name: 'reschedule_booking', provider: 'scheduling', sends: 2 },
    { name: 'cancel_booking', provider: 'scheduling', sends: 1 },
    { name: 'create_payment_link', provider: 'payments', sends: 1 },
    { name: 'end_payment_link', provider: 'payments', sends: 1 },
    { name: 'respond_to_booking', provider: 'scheduling', sends: 1 },
  ]))

describe.each(ACTING)('$name', ({ name, provider }) => {
  test('is not committed through another adapter than that of its preview, which is not even read', async () => {
    const { caller, calls, setTo } = await previewed(name)
    setTo(provider, 'other')
    const stale = await caller.commit()
    expect(stale).toMatchObject({ code: 'preview_stale', refusal: { effect: 'none' } })
    expect(JSON.stringify(stale)).not.toContain('other"')
    expect(stale).not.toHaveProperty('refusal.changes')
    expect(calls).toEqual([])
    setTo(provider, undefined)
    expect(await caller.commit()).toMatchObject({ code: 'preview_stale', replayed: true })
    expect(calls).toEqual([])
    await caller.preview()
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  })

  test('takes no notice of the adapter of the other provider', async () => {
    const { caller, setTo } = await previewed(name)
    for (const other of PROVIDERS.filter((one) => one !== provider)) setTo(other, 'other')
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  })
})

test.each(LOST)(
  '$name, without an answer to send $send, is carried on by the adapter that began it alone',
  async ({ name, provider, send }) => {
    const { world, caller, calls, setTo, loseAnswer } = await previewed(name)
    loseAnswer(send)
    const unknown = { code: 'outcome_unknown', refusal: { effect: 'unknown' } }
    expect(await caller.commit()).toMatchObject(unknown)
    setTo(provider, 'other')
    calls.splice(0)
    loseAnswer(0)
    expect(await caller.commit()).toMatchObject(unknown)
    await caller.ring()
    expect(await world.status(await caller.name)).toMatchObject({ is: 'outcome_unknown' })
    expect(calls).toEqual([])
    setTo(provider, undefined)
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  },
)
