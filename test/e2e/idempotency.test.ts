import { request } from 'node:http'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { Body, Caller, Connector } from '../support/connector.ts'
import { connectorForAll, storageForTest, withConnector } from '../support/started.ts'
import {
  FACES,
  type Reply,
  ZONE,
  ask,
  bookedStarts,
  callerWith,
  changeOf,
  done,
  freeStarts,
  instant,
  newKey,
  asOverRest,
} from '../support/transports.ts'

const guest = { timezone: ZONE, invitee_email: 'robin.castle@practice-guests.example' }
const LINK = { invoice_id: 'in_mock_open' }

const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const faceOf = (index: number) => FACES[index % FACES.length]!

/** Long enough to commit within it on a busy machine, short enough to wait for. */
const LIFETIME = { CONFIRMATION_TTL_SECONDS: '8' }

/** Waits until the preview has expired; the moment it names is rounded down to the second. */
async function expired({ expires_at }: Body): Promise<void> {
  const left = Date.parse(expires_at!) + 1000 - Date.now()
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)))
}

/**
 * Asks many times at once. A caller whose connection is lost, as on a busy machine, asks the same again under its key, as
 * callers do.
 */
const askAtOnce = (count: number, asking: (index: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(
    times(count).map(async (index) => {
      for (let lost = 0; ; lost++) {
        try {
          return await asking(index)
        } catch (error) {
          if (lost === 5 || !isLostConnection(error)) throw error
        }
      }
    }),
  )

/** A preview whose header a proxy has doubled: both lines have the same key. */
async function sentTwice(url: string, key: string): Promise<{ status: number; code?: string }> {
  const { promise, resolve, reject } =
    Promise.withResolvers<Awaited<ReturnType<typeof sentTwice>>>()
  const sending = request(`${url}/v1/payment-links`, { method: 'POST' }, (response) => {
    void text(response).then((body) => {
      const { code } = JSON.parse(body) as Body
      resolve({ status: response.statusCode ?? 0, ...(code !== undefined && { code }) })
    }, reject)
  })
  sending.on('error', reject)
  sending.setHeader('Content-Type', 'application/json')
  sending.setHeader('Idempotency-Key', [key, key])
  sending.end(JSON.stringify({ ...LINK, confirm: false }))
  return promise
}

const timesBooked = async (connector: Connector, start: string): Promise<number> =>
  (await bookedStarts(connector)).filter((booked) => booked === instant(start)).length

/** What `fetch` throws where a connection fails before, or while, it is answered; the clients of MCP put words before it. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && /(fetch failed|terminated)$/.test(error.message)

/** The committed bodies among many answers; the others may say only that the commit is still running. */
function committedAmong(replies: Reply[]): object[] {
  const others = replies.filter(({ body }) => body.status !== 'committed')
  for (const { body } of others) {
    expect(body).toMatchObject({ status: 409, code: 'commit_in_progress', effect: 'unknown' })
  }
  return replies.filter(({ body }) => body.status === 'committed').map(({ body }) => body)
}

/** For the cases that need no settings. */
const connector = connectorForAll()

/** A booking of the first free time. */
async function aBooking(by: Connector = connector, more: object = {}, key?: string) {
  const [start_time] = (await freeStarts(by)) as [string]
  return { start_time, ...changeOf(by, 'book_consult', { ...guest, start_time, ...more }, key) }
}
const aLink = (by: Caller = connector, key?: string) =>
  changeOf(by, 'create_payment_link', LINK, key)

describe('many calls at once', () => {
  async function commitFiftyTimes(connector: Connector): Promise<void> {
    const { start_time, preview, commit } = await aBooking(connector)
    await preview()
    const replies = await askAtOnce(50, (index) => commit(faceOf(index)))
    const committed = committedAmong(replies)
    expect(committed.length).toBeGreaterThan(0)
    for (const body of committed) expect(body).toEqual(committed[0])
    expect(await timesBooked(connector, start_time)).toBe(1)
    expect(await commit()).toMatchObject({ replayed: true, body: committed[0]! })
  }

  test('50 commits of one preview over REST and MCP book once and say so alike', () =>
    commitFiftyTimes(connector))

  test(
    '50 commits of one preview book once and say so alike with a provider that takes seconds, too',
    { tags: 'slow' },
    () => withConnector({ vars: { MOCK_FAULTS: 'book:slow' } }, commitFiftyTimes),
  )

  test('of 50 first previews under one key make one preview with one token', async () => {
    const { preview } = await aBooking()
    const replies = await askAtOnce(50, (index) => preview(faceOf(index)))
    expect(replies[0]!.body).toMatchObject({ status: 'preview' })
    for (const { body } of replies) expect(body).toEqual(replies[0]!.body)
  })

  test.each(FACES)(
    'of the same values, spelled otherwise, are one change over %s',
    async (face) => {
      const { preview, commitWith } = await aBooking(connector, {
        invitee_email: 'jordan@example.com',
      })
      await preview(face)
      const other = { invitee_email: 'jordan@EXAMPLE.com', event_type: 'consult' }
      const committed = await commitWith(other, face)
      expect(committed.body).toMatchObject({ status: 'committed' })
      const again = await commitWith({ ...other, event_type: '', invitee_name: '' }, face)
      expect(again).toMatchObject({ replayed: true, body: committed.body })
    },
  )

  test('of ten keys for the same time book it once, and the others learn that it is taken', async () => {
    const [start_time] = (await freeStarts(connector)) as [string]
    const commits = await Promise.all(
      times(10).map(async (index) => {
        const booking = changeOf(connector, 'book_consult', { ...guest, start_time })
        await booking.preview(faceOf(index))
        return () => booking.commit(faceOf(index))
      }),
    )
    const replies = await askAtOnce(commits.length, (index) => commits[index]!())
    expect(replies.filter(({ body }) => body.status === 'committed')).toHaveLength(1)
    for (const { body } of replies) {
      if (body.status !== 'committed') {
        expect(['slot_unavailable', 'duplicate_in_doubt']).toContain(body.code)
        expect(body.effect).toBe('none')
      }
    }
    expect(await timesBooked(connector, start_time)).toBe(1)
    // A caller who was asked to wait finds out that the time is taken.
    for (const commit of commits) {
      const { body } = await commit()
      expect(body.status === 'committed' || body.code === 'slot_unavailable').toBe(true)
    }
  })

  test('of two different requests under one key accept one and refuse the other', async () => {
    const key = newKey()
    const replies = await askAtOnce(10, (index) => {
      const invoice_id = index % 2 === 0 ? 'in_mock_open' : 'in_mock_jpy'
      return ask(
        connector,
        faceOf(index),
        'create_payment_link',
        { invoice_id, confirm: false },
        key,
      )
    })
    const previews = replies.filter(({ body }) => body.status === 'preview')
    expect(previews).toHaveLength(5)
    for (const { body } of previews) expect(body).toEqual(previews[0]!.body)
    for (const { body } of replies.filter((reply) => !previews.includes(reply))) {
      expect(body).toMatchObject({ code: 'idempotency_key_reused', effect: 'none' })
    }
  })
})

describe('an idempotency key', () => {
  const preview = (face: (typeof FACES)[number], key?: string) =>
    ask(connector, face, 'create_payment_link', { ...LINK, confirm: false }, key)

  test.each([
    [7, 'idempotency_key_invalid'],
    [8, undefined],
    [200, undefined],
    [201, 'idempotency_key_invalid'],
  ])('of %i characters is answered with %s over REST and MCP', async (length, code) => {
    const key = newKey().repeat(6).slice(0, length)
    for (const sent of [key, `"${key}"`]) expect((await preview('REST', sent)).body.code).toBe(code)
    for (const face of FACES.slice(1)) expect((await preview(face, key)).body.code).toBe(code)
  })

  test('is the same with and without the quotes of the header, also with escapes in it', async () => {
    const bare = newKey()
    const first = await preview('REST', bare)
    expect((await preview('REST', `"${bare}"`)).body).toEqual(first.body)
    expect((await preview('REST', `  "${bare}" `)).body).toEqual(first.body)
    const odd = `${bare} with "quotes" and \\`
    const escaped = `"${bare} with \\"quotes\\" and \\\\"`
    const second = await preview('sdk 1.x', odd)
    expect((await preview('REST', escaped)).body).toEqual(second.body)
    expect((await preview('REST', odd)).body).toEqual(second.body)
    expect(second.body.confirmation_token).not.toBe(first.body.confirmation_token)
  })

  test('is the item of its header, whatever its parameters, and is no key where the header came twice', async () => {
    const key = newKey()
    const first = await preview('REST', key)
    for (const same of [`"${key}";v=1`, `"${key}"; a="x, y"; b`, `%"${key}"`])
      expect((await preview('REST', same)).body).toEqual(first.body)
    for (const twice of [`${key}, ${key}`, `${key},${key}`, `"${key}", "${key}"`, `${key};v=1`]) {
      const { status, body } = await preview('REST', twice)
      expect([status, body.code]).toEqual([400, 'idempotency_key_invalid'])
      expect(body.errors?.[0]?.detail).not.toContain(key)
    }
    const sent = await sentTwice(connector.url, key)
    expect([sent.status, sent.code]).toEqual([400, 'idempotency_key_invalid'])
  })

  test('over MCP is every string as it stands: what a header would take apart is another key', async () => {
    const key = newKey()
    const tokens = new Set<string | undefined>()
    const other = [`"${key}"`, ` ${key}`, `${key} `, `${key}, ${key}`, `"${key}";v=1`, `${key}é`]
    for (const one of [key, ...other])
      tokens.add((await preview('sdk 1.x', one)).body.confirmation_token)
    expect(tokens.size).toBe(1 + other.length)
    expect(tokens).not.toContain(undefined)
    const accented = await preview('REST', `%"${key}%c3%a9"`)
    expect(tokens).toContain(accented.body.confirmation_token)
    const listed = await preview('REST', `"${key}, ${key}"`)
    expect(tokens).toContain(listed.body.confirmation_token)
  })

  test.each(['', '""', '   '])('that is empty (%j) is a missing one', async (key) => {
    expect((await preview('REST', key)).body.code).toBe('idempotency_key_missing')
  })

  test('that is no text is refused over MCP as invalid', async () => {
    for (const key of [12_345_678, ['a-key-in-a-list'], true]) {
      const given = { ...LINK, confirm: false, idempotency_key: key }
      const { body } = await connector.mcp('create_payment_link', given)
      expect(body.code).toBe('idempotency_key_invalid')
    }
  })

  test('is not used up by a preview that fails', async () => {
    const key = newKey()
    const codeOf = async (invoice_id: string) =>
      (await changeOf(connector, 'create_payment_link', { invoice_id }, key).preview()).body.code
    expect(await codeOf('in_unheard_of')).toBe('invoice_not_found')
    expect(await codeOf('in_mock_paid')).toBe('invoice_not_payable')
    expect((await preview('REST', key)).body.status).toBe('preview')
  })

  test('belongs to one caller: for another caller the same key is another one, and its token is worthless', async () => {
    const key = newKey()
    const [one, other] = await Promise.all([
      callerWith(connector, ['payments:write']),
      callerWith(connector, ['payments:write']),
    ])
    for (const face of ['REST', 'sdk 1.x'] as const) {
      const theirs = aLink(other, key)
      const first = await aLink(one, key).preview(face)
      const second = await theirs.preview(face)
      expect(second.body.preview).toEqual(first.body.preview)
      expect(second.body.confirmation_token).not.toBe(first.body.confirmation_token)
      const { confirmation_token } = first.body
      const refused = await theirs.commitWith({ confirmation_token }, face)
      expect(refused.body.code).toBe('confirmation_token_invalid')
    }
  })

  test('means the same request however it is written', async () => {
    const { start_time, key, preview } = await aBooking()
    const first = await preview()
    const rewritten = {
      confirm: false,
      invitee_email: guest.invitee_email.replace('practice-guests', 'PRACTICE-guests'),
      start_time: instant(start_time),
      timezone: ZONE.toLowerCase(),
      confirmation_token: 'a token that a preview has no use for',
    }
    expect((await ask(connector, 'sdk 1.x', 'book_consult', rewritten, key)).body).toEqual(
      first.body,
    )
  })
})

describe('the checks come in one order: key, body, reuse, token, expiry, live facts', () => {
  test('over REST and MCP each mistake hides those that come later', async () => {
    // The first reads are those of the previews; whatever is read later has changed.
    const vars = {
      CONFIRMATION_TTL_SECONDS: '1',
      MOCK_FAULTS: 'invoice:ok,invoice:ok,invoice:changed*',
    }
    await withConnector({ vars }, async (connector) => {
      const faces = ['REST', 'sdk 1.x'] as const
      const shown = []
      for (const face of faces) {
        const link = aLink(connector)
        shown.push({ face, key: link.key, preview: (await link.preview(face)).body })
      }
      for (const { face, key, preview } of shown) {
        const codeOf = async (fields: object, key?: string) =>
          (await ask(connector, face, 'create_payment_link', { ...fields }, key)).body.code
        const bad = { invoice_id: true, confirm: true }
        expect(await codeOf(bad)).toBe('idempotency_key_missing')
        expect(await codeOf(bad, 'short')).toBe('idempotency_key_invalid')

        const { confirmation_token } = preview
        await expired(preview)
        const other = { invoice_id: 'in_mock_jpy', confirm: true }
        expect(await codeOf(bad, key)).toBe('validation_failed')
        expect(await codeOf(other, key)).toBe('idempotency_key_reused')
        expect(await codeOf({ ...LINK, confirm: true }, key)).toBe('confirmation_token_missing')
        const wrong = { ...LINK, confirm: true, confirmation_token: `${confirmation_token}x` }
        expect(await codeOf(wrong, key)).toBe('confirmation_token_invalid')
        expect(await codeOf({ ...LINK, confirm: true, confirmation_token }, key)).toBe(
          'confirmation_expired',
        )
      }
    })
  })
})

describe('a confirmation token', () => {
  test('of a refused commit keeps that answer, and the next preview has a fresh token', async () => {
    const vars = { MOCK_FAULTS: 'slots:ok,slots:ok,slots:refused' }
    await withConnector({ vars }, async (connector) => {
      const { preview, commitWith } = await aBooking(connector)
      const commit = (confirmation_token: string | undefined) =>
        commitWith({ confirmation_token }, 'sdk 1.x')
      const first = (await preview()).body.confirmation_token
      const refused = await commit(first)
      expect(refused).toMatchObject({
        replayed: false,
        body: { code: 'slot_unavailable', effect: 'none' },
      })
      // The time is free again, but this token was used up.
      const again = await commit(first)
      expect(again).toMatchObject({
        replayed: true,
        body: { code: 'slot_unavailable', effect: 'none' },
      })

      const second = (await preview()).body.confirmation_token
      expect(second).not.toBe(first)
      expect((await commit(first)).body.code).toBe('confirmation_expired')
      expect((await commit(second)).body.status).toBe('committed')
    })
  })

  test('of an expired preview is replaced by a fresh one under the same key', async () => {
    await withConnector({ vars: { CONFIRMATION_TTL_SECONDS: '1' } }, async (connector) => {
      const { preview, commitWith } = aLink(connector)
      const { body } = await preview()
      const first = body.confirmation_token
      await expired(body)
      expect((await preview()).body.confirmation_token).not.toBe(first)
      expect((await commitWith({ confirmation_token: first })).body.code).toBe(
        'confirmation_expired',
      )
    })
  })
})

describe('the stored answer of a commit', () => {
  test('is given again for 30 days: to a preview, to an expired token, over REST and MCP', async () => {
    await withConnector({ vars: LIFETIME }, async (connector) => {
      const { key, preview, committed } = await done(connector, 'REST', 'create_payment_link', LINK)
      await expired(preview)
      const commit = { ...LINK, confirm: true, confirmation_token: preview.confirmation_token }
      for (const face of FACES) {
        for (const fields of [commit, { ...LINK, confirm: false }]) {
          const replay = await ask(connector, face, 'create_payment_link', fields, key)
          expect(replay).toMatchObject({ status: 200, replayed: true })
          expect(asOverRest(replay.body, committed)).toEqual(committed)
        }
      }
    })
  })

  test('is not given for a wrong token or other values, which learn that the change was made', async () => {
    const { key } = await done(connector, 'REST', 'create_payment_link', LINK)
    for (const face of ['REST', 'sdk 1.x'] as const) {
      const reply = (fields: object) =>
        ask(connector, face, 'create_payment_link', { ...fields }, key)
      const missing = await reply({ ...LINK, confirm: true })
      expect(missing.body).toMatchObject({ code: 'confirmation_token_missing', effect: 'done' })
      const wrong = await reply({ ...LINK, confirm: true, confirmation_token: 'ct_wrong' })
      expect(wrong.body).toMatchObject({ code: 'confirmation_token_invalid', effect: 'done' })
      const other = await reply({ invoice_id: 'in_mock_jpy', confirm: false })
      expect(other.body).toMatchObject({ code: 'idempotency_key_reused', effect: 'none' })
    }
  })
})

describe('a restart of the connector', () => {
  test('between preview and commit, or after the commit, loses nothing: the answer is the same to the byte', async () => {
    const storage = await storageForTest()
    const { vars, booking } = await withConnector({ storage }, async (connector) => {
      const booking = await aBooking(connector)
      await booking.preview()
      return { vars: connector.settings, booking }
    })
    const committed = await withConnector({ storage, vars }, (connector) =>
      booking.commit('REST', connector),
    )
    expect(committed).toMatchObject({ status: 200, body: { status: 'committed' } })
    await withConnector({ storage, vars }, async (connector) => {
      const replay = await booking.commit('REST', connector)
      expect(replay.text).toBe(committed.text)
      expect(replay.headers!.get('Idempotent-Replayed')).toBe('true')
      expect(committed.headers!.get('Idempotent-Replayed')).toBe(null)
      expect(await bookedStarts(connector)).toHaveLength(1)
    })
  })

  test('during a commit ends in an honest doubt, and never in a second booking', async () => {
    const storage = await storageForTest()
    const slow = { storage, vars: { MOCK_FAULTS: 'book:slow' } }
    const { vars, booking } = await withConnector(slow, async (connector) => {
      const booking = await aBooking(connector)
      await booking.preview()
      const cut = booking.commit().catch(() => 'cut off')
      let seen: Reply
      do seen = await booking.preview()
      while (seen.body.status === 'preview')
      expect(seen.body.code).toBe('commit_in_progress')
      await connector.stop()
      expect(await cut).toBe('cut off')
      return { vars: { ...connector.settings, MOCK_FAULTS: '' }, booking }
    })
    await withConnector({ storage, vars }, async (connector) => {
      const reply = await booking.commit('REST', connector)
      expect(reply).toMatchObject({
        status: 503,
        body: { code: 'outcome_unknown', effect: 'unknown' },
      })
      expect(await bookedStarts(connector)).toEqual([])
    })
  })

  test('with a new signing secret beside the old one loses nothing either', async () => {
    const storage = await storageForTest()
    const before = await withConnector({ storage }, async (connector) => {
      const [kept, begun] = [aLink(connector), aLink(connector)]
      await kept.preview()
      const committed = (await kept.commit()).body
      const open = (await begun.preview()).body
      return { settings: connector.settings, kept, begun, committed, open }
    })
    const vars = { ...before.settings, SIGNING_SECRET_2: newKey() }
    const { kept, begun } = before
    await withConnector({ storage, vars }, async (connector) => {
      const replay = await kept.commit('REST', connector)
      expect(replay).toMatchObject({ replayed: true, body: before.committed })
      const { confirmation_token } = before.open
      expect((await begun.preview('REST', connector)).body).toMatchObject({
        preview: before.open.preview!,
      })
      const commit = { ...LINK, confirm: true, confirmation_token }
      const committed = await ask(connector, 'REST', 'create_payment_link', commit, begun.key)
      expect(committed).toMatchObject({ replayed: false, body: { status: 'committed' } })
    })
  })

  test('after the effect and before the answer finds the booking', async () => {
    const storage = await storageForTest()
    const lost = { storage, vars: { MOCK_FAULTS: 'book:timeout_after' } }
    const { vars, booking } = await withConnector(lost, async (connector) => {
      const booking = await aBooking(connector)
      await booking.preview()
      expect((await booking.commit()).body.code).toBe('outcome_unknown')
      return { vars: connector.settings, booking }
    })
    await withConnector({ storage, vars }, async (connector) => {
      const { body } = await booking.commit('sdk 1.x', connector)
      expect(body).toMatchObject({
        status: 'committed',
        result: { start_time: booking.start_time },
      })
      expect(await bookedStarts(connector)).toHaveLength(1)
    })
  })
})
