import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Connector, startConnector } from '../support/connector.ts'
import { type Mutation, ZONE, ask, done, freeStarts, newKey } from '../support/transports.ts'

const first = randomBytes(32).toString('base64url')
const second = randomBytes(32).toString('base64url')
const PROFILE = {
  entity_type: 'individual',
  display_name: 'Robin Castle',
  contact_email: 'robin@castle.example',
}
const INTAKE = { answers: { primary_goal: 'other' } }
const LINK = { invoice_id: 'in_mock_open' }

let storage: string
beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), 'consult-connector-rotation-'))
})
afterAll(() => rm(storage, { recursive: true, force: true }))

async function under<T>(vars: Record<string, string>, act: (connector: Connector) => Promise<T>): Promise<T> {
  const connector = await startConnector({ storage, vars })
  try {
    return await act(connector)
  } finally {
    await connector.stop()
  }
}

/** A change under a key of its own: what previews it, and what commits the last preview of it. */
function change(operation: Mutation, fields: Record<string, unknown>) {
  const key = newKey()
  let confirmation_token: string | undefined
  return {
    async preview(connector: Connector) {
      const { body } = await ask(connector, 'REST', operation, { ...fields, confirm: false }, key)
      confirmation_token = body.confirmation_token ?? confirmation_token
      return body
    },
    commit: (connector: Connector) =>
      ask(connector, 'sdk 1.x', operation, { ...fields, confirm: true, confirmation_token }, key),
  }
}

test(
  'a rotation of the signing secret breaks nothing that is under way, and its end only what is named',
  { tags: 'slow' },
  async () => {
    const before = await under(
      { SIGNING_SECRET: first, MOCK_FAULTS: 'book:ok,book:timeout_after' },
      async (connector) => {
        const [one, two] = (await freeStarts(connector)) as [string, string]
        const consult = (start_time: string) => ({
          start_time,
          timezone: ZONE,
          invitee_email: 'robin@castle.example',
        })
        const { result } = await done(connector, 'REST', 'create_client_profile', PROFILE)
        const committed = change('book_consult', consult(one))
        await committed.preview(connector)
        const { body: answer } = await committed.commit(connector)
        expect(answer.status).toBe('committed')
        const doubtful = change('book_consult', consult(two))
        await doubtful.preview(connector)
        expect((await doubtful.commit(connector)).body).toMatchObject({ code: 'outcome_unknown' })
        const open = change('create_payment_link', LINK)
        await open.preview(connector)
        const left = change('create_client_profile', { ...PROFILE, entity_type: 'trust' })
        await left.preview(connector)
        return { client_id: result['client_id'], committed, answer, doubtful, open, left, two }
      },
    )

    const both = { SIGNING_SECRET: first, SIGNING_SECRET_2: second }
    const during = await under(both, async (connector) => {
      // What was previewed is committed, what was committed is answered again, and the old client is known.
      expect((await before.open.commit(connector)).body).toMatchObject({ status: 'committed' })
      const again = await before.committed.commit(connector)
      expect([again.body, again.replayed]).toEqual([before.answer, true])
      await done(connector, 'REST', 'submit_intake_answers', { client_id: before.client_id, ...INTAKE })
      // What was in doubt is found by its alarm, under the secret it was begun with; nobody asks for it.
      const records = await connector.kv('RECORDS_KV')
      const found = async () => {
        const { keys } = await records.list({ prefix: 'booking:' })
        const values = await Promise.all(keys.map(({ name }) => records.get(name, 'text')))
        expect(values.some((value) => Date.parse(startOf(value ?? '{}')) === Date.parse(before.two))).toBe(
          true,
        )
      }
      await vi.waitFor(found, { timeout: 40_000, interval: 500 })
      const settled = await before.doubtful.commit(connector)
      expect([settled.body.status, settled.replayed]).toEqual(['committed', true])
      const later = change('create_client_profile', { ...PROFILE, entity_type: 'estate' })
      await later.preview(connector)
      return { later }
    })

    await under({ SIGNING_SECRET: '', SIGNING_SECRET_2: second }, async (connector) => {
      expect((await during.later.commit(connector)).body).toMatchObject({ status: 'committed' })
      // A preview of the old secret has expired; a fresh one takes its place.
      expect((await before.left.commit(connector)).body).toMatchObject({
        code: 'confirmation_expired',
        effect: 'none',
      })
      expect(await before.left.preview(connector)).toMatchObject({ status: 'preview' })
      expect((await before.left.commit(connector)).body).toMatchObject({ status: 'committed' })
      // What was committed under it is answered to nobody, and its key does not act again.
      expect((await before.committed.commit(connector)).body).toMatchObject({
        code: 'idempotency_key_reused',
        effect: 'done',
      })
      // An old client is known by its record.
      await done(connector, 'REST', 'submit_intake_answers', { client_id: before.client_id, ...INTAKE })
    })
  },
)

test(
  'a person is found, and warned of, under every signing secret that is set, through two rotations',
  { tags: 'slow' },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'consult-connector-rotation-'))
    const [one, two, three] = ['SIGNING_SECRET', 'SIGNING_SECRET_2', 'SIGNING_SECRET_3'].map((name) => ({
      [name]: randomBytes(32).toString('base64url'),
    }))
    /** Makes a client and a booking of the same person, and gives what their previews warned of. */
    async function anotherOf(connector: Connector, days: number) {
      const made: string[] = []
      const warnings: unknown[] = []
      const [start_time] = (await freeStarts(connector)).slice(days)
      const consult = { start_time, timezone: ZONE, invitee_email: 'ROBIN@castle.example' }
      for (const [operation, fields] of [
        ['create_client_profile', PROFILE],
        ['book_consult', consult],
      ] as const) {
        const asked = change(operation, fields)
        const preview = await asked.preview(connector)
        warnings.push(preview['warnings'])
        const { body } = await asked.commit(connector)
        made.push(String(body.result?.[operation === 'book_consult' ? 'booking_id' : 'client_id']))
      }
      return { client: made[0]!, booking: made[1]!, warnings }
    }
    async function foundBy(connector: Connector): Promise<string[]> {
      const { body } = await connector.rest('/v1/clients/search', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ contact_email: PROFILE.contact_email }),
      })
      return (body['clients'] as { client_id: string }[]).map(({ client_id }) => client_id)
    }
    const during = async <T>(vars: Record<string, string>, act: (connector: Connector) => Promise<T>) => {
      const connector = await startConnector({ storage: folder, vars: { SIGNING_SECRET: '', ...vars } })
      try {
        return await act(connector)
      } finally {
        await connector.stop()
      }
    }
    const clients = (count: string) => [expect.stringContaining(`${count} with this email address exist`)]
    try {
      const first = await during({ ...one }, async (connector) => {
        const made = await anotherOf(connector, 0)
        expect(made.warnings).toEqual([[], []])
        expect(await foundBy(connector)).toEqual([made.client])
        return made
      })
      const second = await during({ ...one, ...two }, async (connector) => {
        expect(await foundBy(connector)).toEqual([first.client])
        const made = await anotherOf(connector, 1)
        expect(made.warnings).toEqual([clients('A client'), [expect.stringContaining(first.booking)]])
        expect(await foundBy(connector)).toEqual([made.client, first.client])
        return made
      })
      // Under the first secret nothing can be compared any more; what was made since the second is still known.
      await during({ ...two, ...three }, async (connector) => {
        expect(await foundBy(connector)).toEqual([second.client])
        const made = await anotherOf(connector, 2)
        expect(made.warnings).toEqual([clients('A client'), [expect.stringContaining(second.booking)]])
        expect(JSON.stringify(made.warnings)).not.toContain(first.booking)
        expect(await foundBy(connector)).toEqual([made.client, second.client])
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

const startOf = (record: string): string => (JSON.parse(record) as { start_time?: string }).start_time ?? ''
