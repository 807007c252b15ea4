// @module-tag slow

import { randomBytes } from 'node:crypto'

import { expect, test, vi } from 'vitest'

import type { Connector } from '../support/connector.ts'
import { storageForTest, withConnector } from '../support/started.ts'
import { ZONE, changeOf, done, freeStarts } from '../support/transports.ts'

const first = randomBytes(32).toString('base64url')
const second = randomBytes(32).toString('base64url')
const GUEST = { timezone: ZONE, invitee_email: 'robin@castle.example' }
const PROFILE = {
  entity_type: 'individual',
  display_name: 'Robin Castle',
  contact_email: 'robin@castle.example',
}
const INTAKE = { answers: { primary_goal: 'other' } }
const LINK = { invoice_id: 'in_mock_open' }

test('a rotation of the signing secret breaks nothing that is under way, and its end only what is named', async () => {
  const storage = await storageForTest()
  const under = <T>(vars: Record<string, string>, act: (connector: Connector) => Promise<T>) =>
    withConnector({ storage, vars }, act)
  const beginning = { SIGNING_SECRET: first, MOCK_FAULTS: 'book:ok,book:timeout_after' }
  const before = await under(beginning, async (connector) => {
    const [one, two] = (await freeStarts(connector)) as [string, string]
    const { result } = await done(connector, 'REST', 'create_client_profile', PROFILE)
    const committed = changeOf(connector, 'book_consult', { ...GUEST, start_time: one })
    await committed.preview()
    const { body: answer } = await committed.commit('sdk 1.x')
    expect(answer.status).toBe('committed')
    const doubtful = changeOf(connector, 'book_consult', { ...GUEST, start_time: two })
    await doubtful.preview()
    expect((await doubtful.commit('sdk 1.x')).body).toMatchObject({ code: 'outcome_unknown' })
    const open = changeOf(connector, 'create_payment_link', LINK)
    await open.preview()
    const left = changeOf(connector, 'create_client_profile', {
      ...PROFILE,
      entity_type: 'trust',
    })
    await left.preview()
    return { client_id: result['client_id'], committed, answer, doubtful, open, left, two }
  })

  const both = { SIGNING_SECRET: first, SIGNING_SECRET_2: second }
  const during = await under(both, async (connector) => {
    // What was previewed is committed, what was committed is answered again, and the old client is known.
    expect((await before.open.commit('sdk 1.x', connector)).body).toMatchObject({
      status: 'committed',
    })
    const again = await before.committed.commit('sdk 1.x', connector)
    expect([again.body, again.replayed]).toEqual([before.answer, true])
    await done(connector, 'REST', 'submit_intake_answers', {
      client_id: before.client_id,
      ...INTAKE,
    })
    // What was in doubt is found by its alarm, under the secret it was begun with; no one asks for it.
    const records = await connector.kv('RECORDS_KV')
    const found = async () => {
      const { keys } = await records.list({ prefix: 'booking:' })
      const values = await Promise.all(keys.map(({ name }) => records.get(name, 'text')))
      expect(values.map((value) => Date.parse(startOf(value ?? '{}')))).toContain(
        Date.parse(before.two),
      )
    }
    await vi.waitFor(found, { timeout: 40_000, interval: 500 })
    const resolved = await before.doubtful.commit('sdk 1.x', connector)
    expect([resolved.body.status, resolved.replayed]).toEqual(['committed', true])
    const later = changeOf(connector, 'create_client_profile', {
      ...PROFILE,
      entity_type: 'estate',
    })
    await later.preview()
    return { later }
  })

  await under({ SIGNING_SECRET: '', SIGNING_SECRET_2: second }, async (connector) => {
    expect((await during.later.commit('sdk 1.x', connector)).body).toMatchObject({
      status: 'committed',
    })
    // A preview of the old secret has expired; a fresh one takes its place.
    const expired = { code: 'confirmation_expired', effect: 'none' }
    expect((await before.left.commit('sdk 1.x', connector)).body).toMatchObject(expired)
    expect((await before.left.preview('REST', connector)).body).toMatchObject({
      status: 'preview',
    })
    expect((await before.left.commit('sdk 1.x', connector)).body).toMatchObject({
      status: 'committed',
    })
    // What was committed under it is answered to no one, and its key does not act again.
    const reused = { code: 'idempotency_key_reused', effect: 'done' }
    expect((await before.committed.commit('sdk 1.x', connector)).body).toMatchObject(reused)
    // An old client is known by its record.
    await done(connector, 'REST', 'submit_intake_answers', {
      client_id: before.client_id,
      ...INTAKE,
    })
  })
})

const startOf = (record: string): string =>
  (JSON.parse(record) as { start_time?: string }).start_time ?? ''
