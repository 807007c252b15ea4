import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { Records } from '../../durable-objects/records.ts'
import { confirmationName } from '../../src/core/confirm/token.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { forgetRules } from '../../src/practice/adapters/caller-copies.ts'
import { auditFrom } from '../../src/practice/wiring/objects.ts'
import { browser } from '../support/browser.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { backedUp, inCalendar, restored } from './backup-rig.ts'
import { finish } from './deletion-rig.ts'
import {
  CLIENT,
  INVITEE,
  ask,
  bookings,
  changeRules,
  consultAt,
  freeTimes,
  keyFor,
  previewed,
} from './fixtures.ts'

const logged = async (event: 'rules' | 'deletion' | 'commit' | 'found_after_restore') =>
  (await auditFrom(env).page({ event, limit: 1000 })).entries

const records = () => env.RECORDS.getByName('records')

/** An answer and two records that fill a page each. */
const filled = (): Promise<void> =>
  runInDurableObject(records(), (_object, { storage }) => {
    const page = JSON.stringify({ text: 'x'.repeat(260_000) })
    storage.sql.exec('INSERT INTO answers VALUES (?, ?, 0, ?)', '~', Date.now(), page)
    for (const key of ['booking:bk_1', 'booking:bk_2'])
      storage.sql.exec(
        "INSERT INTO records (key, kind, mode, value) VALUES (?, 'booking', 'mock', ?)",
        key,
        page,
      )
  })

/** The pages of a backup of this practice: one of each object, and three more of the records. */
const PAGES = 9

const lastEvents = async () => {
  const page = await env.EVENT_LOG.getByName('event-log').page({
    types: ['booking.created'],
    limit: 10,
  })
  return page === 'unknown place' ? [] : page.events.map(({ data }) => data.booking_id)
}

describe('what happens while a backup is made', () => {
  const isWholeOrLost = async (page: number) => {
    await filled()
    await changeRules({ changes_a_day: 1000 })
    const client = String(
      (await (await previewed('/v1/clients', CLIENT)).commit()).body.result?.['client_id'],
    )
    const [time] = await freeTimes()
    const change = await previewed('/v1/bookings', consultAt(time))
    let pages = 0
    const lines = await backedUp(async () => {
      if (pages++ !== page) return
      await changeRules({ changes_a_day: null })
      expect((await ask(`/v1/clients/${client}`, { method: 'DELETE' })).status).toBeLessThan(300)
      expect((await change.commit()).status).toBe(200)
    })
    expect(pages).toBe(PAGES)
    await restored(lines)

    const rules = await logged('rules')
    const [set] = await env.COORDINATOR.getByName('coordinator').all()
    expect(set!.rules.paused).toBe(true)
    // The log may know of a rule that is strict again, and never lacks one that was loosened.
    if (set!.rules.changes_a_day === null)
      expect(rules.map(({ code }) => code)).toEqual(['paused', 'changed', 'changed'])

    const deletions = await logged('deletion')
    expect(await records().get(`client:${client}`)).toBe(
      deletions.length > 0 ? null : expect.any(String),
    )
    // It was answered before the log was copied, so the log has it.
    expect(deletions.length).toBeGreaterThan(0)
    const left = await runInDurableObject(records(), (_object, { storage }) =>
      [
        `SELECT flow FROM answers WHERE instr(answer, '${client}')`,
        `SELECT link FROM links JOIN records USING (seq) WHERE key = 'client:${client}'`,
      ].map((query) => storage.sql.exec(query).toArray()),
    )
    expect(left).toEqual([[], []])
  }
  it.each([2, 3])('before page %i is whole after a restore, or lost', isWholeOrLost)
  it.each([0, 1, 5, 8])('before page %i, too', { tags: 'slow' }, isWholeOrLost)

  const both = [0, 1, 2, 3, 5, 8].map((page) => [page, page] as const)
  const across = [1, 2, 4, 8].map((page) => [0, page] as const)
  describe.each([
    { places: [across[1]!], tags: [] },
    { places: [...both, ...across], tags: ['slow'] },
  ])('$places.length places', ({ places, tags }) => {
    it.each(places)(
      'a commit that is sent before page %i and ends before page %i is lost or there whole, once',
      { tags },
      async (sent, ended) => {
        await filled()
        const [time] = await freeTimes()
        const change = await previewed('/v1/bookings', consultAt(time))
        const flowName = await confirmationName('anonymous', change.key)
        const { book } = MockCalendar.prototype
        // Different objects do these, so each of them looks for itself, in a context of its own.
        let isHeld = false
        let isReleased = false
        let reply: Awaited<ReturnType<typeof change.commit>> | undefined
        const spied = vi.spyOn(MockCalendar.prototype, 'book').mockImplementation(async function (
          this: MockCalendar,
          ...given: Parameters<typeof book>
        ) {
          isHeld = true
          await vi.waitUntil(() => isReleased, { interval: 1 })
          return book.apply(this, given)
        } as unknown as typeof book)
        let pages = 0
        const lines = await backedUp(async () => {
          const page = pages++
          if (page === sent) {
            void change.commit().then((answer) => (reply = answer))
            await vi.waitUntil(() => isHeld, { interval: 1 })
          }
          if (page !== ended) return
          isReleased = true
          await vi.waitUntil(() => reply, { interval: 1 })
          expect(reply!.status).toBe(200)
        })
        spied.mockRestore()
        const id = String(reply!.body.result?.['booking_id'])
        await restored(lines)

        const flow = env.CONFIRMATIONS.getByName(flowName)
        const isAtWork = lines.some((line) => 'flow' in line)
        expect(isAtWork).toBe(sent === 0 && ended > 0)
        for (let rung = 0; rung < 4; rung++) {
          vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * MINUTE })
          await runDurableObjectAlarm(flow)
        }
        await finish()
        expect(await bookings()).toHaveLength(1)
        const isThere = (await records().answerOf(flowName)) !== undefined
        // What was sent when the backup began is never lost.
        if (sent === 0 || ended === 1) expect(isThere).toBe(true)
        const [record] = await records().under([`booking:${id}`])
        const links = await runInDurableObject(records(), (_object, { storage }) =>
          storage.sql.exec('SELECT * FROM links WHERE seq = ?', record?.seq ?? -1).toArray(),
        )
        expect([record !== undefined, links.length > 0]).toEqual([isThere, isThere])
        const commits = await logged('commit')
        expect(commits).toHaveLength(1)
        const published = await lastEvents()
        expect(published).toEqual(isThere || published.length > 0 ? [id] : [])
        // Without the setting RESTORED_AT, only what was at work is taken up.
        if (isAtWork && ended > 1) expect((await change.commit()).text).toBe(reply!.text)

        // What comes next is published, also under a number that was given before.
        const next = {
          booking_id: 'bk_next',
          state: 'confirmed',
          recorded_at: '2026-11-24T10:00:00Z',
        }
        await records().upsert([{ key: 'booking:bk_next', mode: 'mock', value: next }], 'next')
        await finish()
        expect((await lastEvents()).at(-1)).toBe('bk_next')
      },
    )
  })

  it('what a commit has still to deliver is delivered after a restore', async () => {
    const [time] = await freeTimes()
    const change = await previewed('/v1/bookings', consultAt(time))
    const refused = vi.spyOn(Records.prototype, 'upsert').mockImplementation(() => {
      throw onPurpose('not now')
    })
    const reply = await change.commit()
    expect(reply.status).toBe(200)
    const lines = await backedUp(async () => {})
    refused.mockRestore()
    await restored(lines)
    const name = await confirmationName('anonymous', change.key)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * MINUTE })
    const flow = env.CONFIRMATIONS.getByName(name)
    const booking = () => records().under([`booking:${String(reply.body.result?.['booking_id'])}`])
    // The log that arrives must be that of the backup: until the restore has ended, no flow adds to it.
    const withSettings = (settings: object) =>
      runInDurableObject(
        flow,
        (object) => void Object.assign(object, { env: { ...env, ...settings } }),
      )
    await withSettings({ RESTORE_SHA256: '0'.repeat(64) })
    await runDurableObjectAlarm(flow)
    expect(await booking()).toEqual([])
    await withSettings({})
    await runDurableObjectAlarm(flow)
    expect(await booking()).toHaveLength(1)
    expect((await change.commit()).text).toBe(reply.text)
  })
})

describe('what happens at a provider between a backup and its restore', () => {
  const providerSync = () => env.PROVIDER_SYNC.getByName('provider-sync')
  const calendar = () => env.MOCK_CALENDAR.getByName('calendar')
  const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms)
  const bookedHere = async (index: number): Promise<string> => {
    const change = await previewed('/v1/bookings', consultAt((await freeTimes())[index]!))
    return String((await change.commit()).body.result?.['booking_id'])
  }
  const cancelledThere = (id: string) => calendar().cancel(id.slice('bk_'.length), 'by hand')
  const listed = async () => {
    const { text, status } = await ask('/v1/events')
    expect(status, text).toBe(200)
    return (JSON.parse(text) as { events: { type: string; data: Record<string, unknown> }[] })
      .events
  }
  const looked = async () => {
    for (let rung = 0; rung < 4; rung++) await runDurableObjectAlarm(providerSync())
  }

  const lookedAndResumed = async () => {
    await looked()
    await changeRules({ paused: false })
    forgetRules()
  }

  it('is found by the first look, and marked in its event and in the log; what comes later is not', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await listed()
    await providerSync().listened()
    pass(MINUTE)
    const [kept, cancelled] = [await bookedHere(0), await bookedHere(2)]
    await finish()
    const lines = await backedUp(async () => {})
    pass(MINUTE)
    const lost = await bookedHere(4)
    await cancelledThere(cancelled)
    pass(MINUTE)
    await restored(lines)
    await lookedAndResumed()

    const of = ({ type, data }: Awaited<ReturnType<typeof listed>>[number]) =>
      `${type} ${String(data['booking_id'])} ${data['found_after_restore'] === true ? 'marked' : 'not marked'}`
    const found = [`booking.created ${lost} marked`, `booking.cancelled ${cancelled} marked`]
    const before = [kept, cancelled].map((id) => `booking.created ${id} not marked`)
    expect((await listed()).map(of).toSorted()).toEqual([...before, ...found].toSorted())
    const entries = await logged('found_after_restore')
    const marks = entries.map(
      ({ code, record_id, operation }) => `${operation} ${code} ${record_id}`,
    )
    expect(marks.toSorted()).toEqual([
      `restore booking_cancelled ${cancelled}`,
      `restore booking_created ${lost}`,
    ])

    pass(MINUTE)
    await cancelledThere(kept)
    await providerSync().notify('calendly', { bookings: [kept], invoices: [], links: [] })
    await looked()
    expect((await listed()).map(of)).toContain(`booking.cancelled ${kept} not marked`)
    expect(await logged('found_after_restore')).toHaveLength(2)
  })

  it('by a client with a link that the backup knows is found by its marker, and named with its consult', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await listed()
    await providerSync().listened()
    const scopes = ['client_links:write', 'bookings:read']
    const apiKey = await keyFor('maker', scopes, { inTrial: true })
    interface Link {
      id: string
      path: string
    }
    const linkMade = async (): Promise<Link> => {
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': crypto.randomUUID(),
      }
      const sent = (fields: object) =>
        ask('/v1/client-links', {
          method: 'POST',
          headers,
          body: JSON.stringify({ ask: ['details', 'time'], ...fields }),
        })
      const { confirmation_token } = (await sent({ confirm: false })).body
      const { result } = (await sent({ confirm: true, confirmation_token })).body
      return { id: String(result?.['link_id']), path: new URL(String(result?.['url'])).pathname }
    }
    const completed = async ({ path }: Link): Promise<void> => {
      const web = browser('http://127.0.0.1:8787', (request) => exports.default.fetch(request))
      const form = await web.open(path)
      const [, time] = /name="start_time" value="([^"]+)"/.exec(form.html) ?? []
      const { name, email } = INVITEE
      const check = await web.submit(path, [
        ...form.form('').filter(([field]) => field !== 'start_time'),
        ...Object.entries({ step: 'check', name, email, email_again: email }),
        ...Object.entries({ entity_type: 'llc', ...(time && { start_time: time }) }),
      ])
      const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(check.html) ?? []
      const sent = await web.submit(path, [
        ['sealed', sealed],
        ['step', 'send'],
      ])
      expect(sent.status, check.html).toBe(303)
      await finish()
    }
    const links = [await linkMade(), await linkMade(), await linkMade(), await linkMade()]
    const [before, lost, untouched, moved] = links as [Link, Link, Link, Link]
    await completed(before)
    await finish()
    const lines = await backedUp(async () => {})
    pass(MINUTE)
    const unknown = await linkMade()
    await completed(lost)
    await completed(unknown)
    await completed(moved)
    // On the calendar's own page, where the new consult says nothing of the link.
    const first = (await bookings()).find(({ marker }) => marker.includes(`.${moved.id}.`))!
    const start = first.start + 7 * 24 * 60 * MINUTE
    const moving = await calendar().move(first.id, start, start + first.end - first.start)
    if (typeof moving === 'string') throw new Error(`the consult could not be moved: ${moving}`)
    await inCalendar(({ sql }) =>
      sql.exec("UPDATE bookings SET marker = '-' WHERE id = ?", moving.id),
    )
    // Anyone can write a marker on a booking page.
    await calendar().book({
      event_type_id: 'mock_consult',
      start: Date.now() + 40 * MINUTE * 60,
      end: Date.now() + 41 * MINUTE * 60,
      timezone: 'UTC',
      masked_email: 'x***@***.com',
      initials: null,
      marker: `${'f'.repeat(22)}.${before.id}.0`,
      contact: null,
    })
    const booked = (await bookings()).find(({ marker }) => marker.includes(`.${lost.id}.`))!
    pass(MINUTE)
    await restored(lines)
    await lookedAndResumed()

    const entries = await logged('found_after_restore')
    expect(entries.filter(({ code }) => code === 'booking_created')).toHaveLength(3)
    const found = entries.filter(({ code }) => code === 'client_link_completed')
    expect(
      Object.fromEntries(
        found.map(({ record_id, operation, about }) => [record_id, { operation, ...about }]),
      ),
    ).toEqual({
      [lost.id]: { operation: 'restore', booking_id: `bk_${booked.id}` },
      [moved.id]: { operation: 'restore', booking_id: `bk_${moving.id}` },
    })
    expect(JSON.stringify(entries)).not.toContain(untouched.id)
    // It is told once, however often the provider is looked at.
    await providerSync().notify('calendly', {
      bookings: [`bk_${booked.id}`],
      invoices: [],
      links: [],
    })
    await looked()
    expect(await logged('found_after_restore')).toHaveLength(entries.length)
    // And no second consult comes of it: the link has ended.
    const web = browser('http://127.0.0.1:8787', (request) => exports.default.fetch(request))
    const page = await web.open(lost.path)
    expect(page.html).not.toContain('name="start_time"')
    expect(page.html).toContain('Your consult is in the calendar: do not book it again.')
    expect(page.html).toContain('may ask you once more for your details')
    // Who made the link reads the same, and is told by event as of any other completion.
    const headers = { Authorization: `Bearer ${await keyFor('after', scopes, { inTrial: true })}` }
    const shown = async ({ id }: Link) =>
      (await ask(`/v1/client-links/${id}`, { headers })).body['client_link']
    expect(await shown(lost)).toMatchObject({
      state: 'completed',
      booking_id: `bk_${booked.id}`,
      client_id: null,
      found_after_restore: true,
    })
    expect(await shown(before)).toMatchObject({ state: 'completed' })
    expect(await shown(before)).not.toHaveProperty('found_after_restore')
    expect(await shown(untouched)).toMatchObject({ state: 'ended_by_restore', booking_id: null })
    expect(await shown(moved)).toMatchObject({ state: 'completed', booking_id: `bk_${moving.id}` })
    await listed()
    const { text } = await ask('/v1/events', { headers })
    const { events } = JSON.parse(text) as { events: Awaited<ReturnType<typeof listed>> }
    const completions = events.filter(({ type }) => type === 'client_link.completed')
    const marks = completions.map(({ data }) => [data['link_id'], data['found_after_restore']])
    expect(Object.fromEntries(marks)).toEqual({
      [before.id]: undefined,
      [lost.id]: true,
      [moved.id]: true,
    })
  })

  it('to the invoice of a payment link is found too, if the backup knows the link', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await listed()
    await providerSync().listened()
    const linkFor = async (invoice_id: string): Promise<string> => {
      const change = await previewed('/v1/payment-links', { invoice_id })
      return String((await change.commit()).body.result?.['payment_link_id'])
    }
    const [paid, closed] = [await linkFor('in_mock_open'), await linkFor('in_mock_jpy')]
    await finish()
    const lines = await backedUp(async () => {})
    pass(MINUTE)
    const lost = await linkFor('in_mock_partly_paid')
    await calendar().pay('in_mock_open', 'paid')
    await calendar().pay('in_mock_jpy', 'void')
    await calendar().pay('in_mock_partly_paid', 'paid')
    pass(MINUTE)
    await restored(lines)
    await lookedAndResumed()

    const events = (await listed()).map(({ type, data }) =>
      [
        type,
        data['payment_link_id'],
        data['invoice_status'],
        data['found_after_restore'] === true ? 'marked' : 'not marked',
      ].join(' '),
    )
    expect(events.toSorted()).toEqual([
      `payment_link.closed ${closed} void marked`,
      `payment_link.created ${closed}  not marked`,
      `payment_link.created ${paid}  not marked`,
      `payment_link.paid ${paid} paid marked`,
    ])
    expect(events.join()).not.toContain(lost)
    const entries = await logged('found_after_restore')
    expect(entries.map(({ code, record_id }) => `${code} ${record_id}`).toSorted()).toEqual([
      `payment_link_closed ${closed}`,
      `payment_link_paid ${paid}`,
    ])
    // Each has ended, so nothing about it comes a second time.
    pass(MINUTE)
    await providerSync().notify('stripe', {
      bookings: [],
      invoices: ['in_mock_open', 'in_mock_jpy'],
      links: [],
    })
    await looked()
    expect(await listed()).toHaveLength(events.length)
  })
})
