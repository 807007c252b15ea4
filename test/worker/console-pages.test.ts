import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import { Confirmation } from '../../durable-objects/confirmation.ts'
import { Coordinator } from '../../durable-objects/coordinator.ts'
import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { KEY_PRESETS, type KeyPreset } from '../../src/core/domain/key-presets.ts'
import { recordKey } from '../../src/core/domain/records.ts'
import { SCOPES } from '../../src/core/domain/scopes.ts'
import { isoSeconds } from '../../src/core/domain/time/time.ts'
import type { Resolution } from '../../src/core/ports/unresolved.ts'
import { madeFacts } from '../../src/owner/admin/unresolved.ts'
import type { Env } from '../../src/practice/env.ts'
import { EXAMPLE_INTAKE } from '../../src/practice/operations/submit-intake-answers.ts'
import { accessFrom, auditFrom, recordsFrom } from '../../src/practice/wiring/objects.ts'
import { browser, confirmed, proofAsked, withProof } from '../support/browser.ts'
import { exampleEntry } from '../support/example-entry.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { signIn } from '../support/passkeys.ts'
import { textOf } from '../unit/owner/console/text-of.ts'
import { keyFor } from './fixtures.ts'
import { ORIGIN, type Rig, ownerPages, post } from './owner-pages.ts'

/** Tuesday, November 24, 2026, 3:12 PM in New York. */
const NOW = Date.parse('2026-11-24T20:12:00Z')
const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)))
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})

const EMAIL = 'zibblethwaite@crindlefen.example'

/** Makes a change as an agent with a key that may do everything; the answer of its commit. */
async function change({ ask }: Rig, path: string, fields: object): Promise<Record<string, string>> {
  const key = (agentKey ??= await keyFor('desk', Object.keys(SCOPES), { name: 'Front desk' }))
  const idempotencyKey = crypto.randomUUID()
  const send = async (more: object) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    }
    const body = JSON.stringify({ ...fields, ...more })
    const answer = await ask(new Request(ORIGIN + path, { method: 'POST', headers, body }))
    return (await answer.json()) as { confirmation_token?: string; result?: Record<string, string> }
  }
  const { confirmation_token } = await send({ confirm: false })
  const { result } = await send({ confirm: true, confirmation_token })
  if (!result) throw new Error('the change was not made')
  return result
}

let agentKey: string | undefined
afterEach(() => {
  agentKey = undefined
})

const client = (rig: Rig) =>
  change(rig, '/v1/clients', {
    entity_type: 'individual',
    display_name: 'Jordan Zibblethwaite',
    contact_email: EMAIL,
  })

const PAGES = [
  '/owner/callers/new',
  '/owner/connect',
  '/owner/settings/passkeys',
  '/owner/settings/people',
  '/owner/settings/health',
  '/owner',
  '/owner/audit',
  '/owner/audit/0',
  '/owner/callers',
  '/owner/callers/owner',
  '/owner/clients',
  '/owner/settings',
]

describe('a page of the console', () => {
  test('asks a visitor who is signed out to sign in, and shows nothing', async () => {
    const { ask, web } = await ownerPages()
    for (const path of PAGES) {
      expect((await web.open(path)).html, path).toContain('aria-label="Pages"')
      const { status, html } = await browser(ORIGIN, ask).open(path)
      expect([path, status]).toEqual([path, 200])
      expect(html, path).toContain('Sign in with a passkey')
      expect(html, path).not.toMatch(/csrf|Pause all agents|aria-label="Pages"/)
    }
  })

  test('that is not there is said to be not there', async () => {
    const { web } = await ownerPages()
    const paths = ['audit/999', 'audit/x', 'callers/key%3Anobody', 'callers/%2A']
    for (const path of paths)
      expect([path, (await web.open(`/owner/${path}`)).status]).toEqual([path, 404])
  })

  test('shows what can be read where the audit log, the calendar and the rules do not answer', async () => {
    const rig = await ownerPages()
    const broken = new Proxy({} as never, {
      get: () => () => {
        throw onPurpose('this object does not answer')
      },
    })
    const replaced = {
      AUDIT_LOG: broken,
      COORDINATOR: broken,
      MOCK_CALENDAR: broken,
      RECORDS: broken,
    }
    const web = browser(ORIGIN, rig.askWith(replaced))
    for (const [name, value] of rig.web.cookies) web.cookies.set(name, value)
    for (const path of ['', '/callers', '/clients', '/settings', '/audit']) {
      const { status, html } = await web.open(`/owner${path}`)
      expect([path, status]).toEqual([path, 200])
      expect(html, path).toContain('Pause all agents')
    }
  })
})

describe('the audit log', () => {
  const entries = (count: number): AuditEntry[] =>
    Array.from({ length: count }, (_, i) =>
      exampleEntry({
        id: `e${String(i).padStart(3, '0')}`,
        at: NOW - 3_600_000 + i,
        event: 'commit',
        code: 'committed',
        record_id: `bk_${i}`,
        operation_id: 'a'.repeat(64),
      }),
    )

  test('is read page by page under filters that stay in the address', async () => {
    const { web } = await ownerPages()
    await auditFrom(env).append(entries(60))
    const first = await web.open('/owner/audit?caller=key:one&from=2026-11-24')
    expect(first.html.match(/booked a consult/g)).toHaveLength(50)
    const older = /href="(\/owner\/audit\?[^"]*after=[^"]*)"/
      .exec(first.html)?.[1]
      ?.replaceAll('&amp;', '&')
    expect(older).toContain('from=2026-11-24')
    const second = await web.open(older ?? '')
    expect(second.html.match(/booked a consult/g)).toHaveLength(10)
    expect((await web.open('/owner/audit?to=2026-11-23')).html).not.toContain('booked a consult')
  })

  test('refuses a filter that is not right, at the field, and repeats no email address', async () => {
    const { web } = await ownerPages()
    const { html } = await web.open('/owner/audit?code=No+such&from=2026-02-30')
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(html).toContain('Correct what is marked above')
    const typed = await web.open(`/owner/audit?id=${encodeURIComponent(EMAIL)}&caller=${EMAIL}`)
    expect(typed.html.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(typed.html).not.toContain('zibblethwaite')
  })

  test('can be mailed as a signed checkpoint, and says up to where the owner has looked through it', async () => {
    const { web } = await ownerPages()
    await auditFrom(env).append(entries(3))
    const { html, form } = await web.open('/owner/audit')
    const [, body = ''] = /href="mailto:\?subject=[^"&]*&amp;body=([^"]*)"/.exec(html) ?? []
    const { checkpoint, size } = await auditFrom(env).state('')
    expect(decodeURIComponent(body).replaceAll('\r\n', '\n')).toBe(checkpoint)
    const fields = form('/owner/audit/review')
    expect(fields).toContainEqual(['up_to', String(size - 1)])
    const noted = await web.submit('/owner/audit/review', fields)
    expect(noted.status).toBe(303)
    const { entries: reviews } = await auditFrom(env).page({ event: 'review', limit: 5 })
    expect(reviews).toMatchObject([{ caller: 'owner', index: size, about: { up_to: size - 1 } }])
    expect(textOf((await web.open('/owner/audit?event=')).html)).toContain(
      `up to entry ${size - 1}`,
    )
    const beyond = fields.map(([name, value]): [string, string] => [
      name,
      name === 'up_to' ? '9999' : value,
    ])
    await web.submit('/owner/audit/review', beyond)
    expect((await auditFrom(env).page({ event: 'review', limit: 5 })).entries).toHaveLength(1)
  })

  test('is downloaded only on a proof for just these filters', async () => {
    const { web } = await ownerPages()
    await auditFrom(env).append(entries(60))
    const page = await post(web, '/owner/audit/export', { caller: 'key:one' })
    expect(textOf(page.html)).toContain('Download the audit log?')
    expect(page.html).not.toContain('bk_1')
    const proof = await web.authenticator?.get(proofAsked(page)?.options ?? { challenge: '' })
    const fields = withProof(page, '/owner/audit/export', proof)
    const wider = fields.map(([name, value]): [string, string] => [
      name,
      name === 'caller' ? '' : value,
    ])
    expect((await web.submit('/owner/audit/export', wider)).status).toBe(403)
    const file = await web.submit('/owner/audit/export', fields)
    expect(file.headers.get('Content-Type')).toContain('text/csv')
    expect(file.headers.get('Content-Disposition')).toContain('audit.csv')
    expect(file.html.trim().split('\r\n')).toHaveLength(61)
    expect((await web.submit('/owner/audit/export', fields)).status).toBe(403)
  })
})

describe('a person', () => {
  test('is found by email address or client id, masked, and the address is kept and logged nowhere', async () => {
    const rig = await ownerPages()
    const { client_id } = await client(rig)
    for (const person of [EMAIL.toUpperCase(), ` ${EMAIL} `, client_id ?? '']) {
      const { status, html } = await post(rig.web, '/owner/clients', { person })
      expect(status).toBe(200)
      expect(html).toContain('z***@***.example')
      expect(html).toContain(client_id)
      expect(html.toLowerCase()).not.toContain('zibblethwaite')
    }
    expect(textOf((await post(rig.web, '/owner/clients', { person: `x${EMAIL}` })).html)).toContain(
      'Not found',
    )
    expect(JSON.stringify([lines, await rig.audit()]).toLowerCase()).not.toContain('zibblethwaite')
  })

  test('is among the latest, masked, and downloaded with a proof, masked', async () => {
    const rig = await ownerPages()
    const { client_id = '' } = await client(rig)
    const latest = await rig.web.open('/owner/clients')
    expect(textOf(latest.html)).toMatch(/Latest clients J\. Z\. z\*\*\*@/)
    expect(latest.html).toContain(`href="/owner/clients/${client_id}"`)
    const own = await rig.web.open(`/owner/clients/${client_id}`)
    expect(textOf(own.html)).toMatch(/J\. Z\. .*What is kept Client id .* z\*\*\*@/)
    expect((await rig.web.open(`/owner/clients/cl_${'x'.repeat(40)}`)).status).toBe(404)
    const intake = (i: number) => {
      const intake_id = `intake_${String(i).padStart(22, '0')}`
      const value = { ...EXAMPLE_INTAKE, client_id, intake_id, recorded_at: isoSeconds(NOW) }
      return { key: recordKey('intake', client_id, intake_id), mode: 'mock' as const, value }
    }
    await recordsFrom(env).upsert(
      Array.from({ length: 25 }, (_one, i) => intake(i)),
      'flow',
    )
    const asked = await post(rig.web, '/owner/clients/export', { client_id })
    expect(proofAsked(asked)).toBeDefined()
    const { html: file, headers } = await confirmed(rig.web, asked)
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="client.json"')
    expect(JSON.parse(file)).toMatchObject({
      clients: [
        {
          client_id,
          client: { display_name: 'J. Z.' },
          intake: { count: '25 submissions', given: { length: 25 } },
        },
      ],
    })
    expect(file.toLowerCase()).not.toContain('zibblethwaite')
  })

  test('is deleted in two pages and with a proof, not with the session alone', async () => {
    const rig = await ownerPages()
    const { web } = rig
    const { client_id = '' } = await client(rig)
    const kept = async () =>
      (await post(web, '/owner/clients', { person: client_id })).html.includes('z***@')

    const first = await post(web, '/owner/clients/delete', { client_id })
    expect(textOf(first.html)).toContain('Its last 6 characters')
    const wrong = await post(web, '/owner/clients/delete', { client_id, typed: 'wrong!' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('These are not the last 6 characters of the id.')
    const asked = await post(web, '/owner/clients/delete', {
      client_id,
      typed: client_id.slice(-6),
    })
    expect(textOf(asked.html)).toContain('This cannot be undone.')
    expect(proofAsked(asked)).toBeDefined()
    expect(await kept()).toBe(true)

    const done = await confirmed(web, asked)
    expect(done.headers.get('Location')).toBe('/owner/clients?done=deleted')
    expect(await kept()).toBe(false)
    expect(textOf((await post(web, '/owner/clients', { person: client_id })).html)).toContain(
      'Deleted',
    )
    expect((await rig.audit()).find(({ event }) => event === 'deletion')).toMatchObject({
      caller: 'owner',
    })
    // Not “Your first key”, by which an owner would look for somebody who has it.
    expect(textOf((await web.open('/owner/audit?event=deletion')).html)).toContain(
      'You deleted a client',
    )
    const again = await post(web, '/owner/clients/delete', { client_id })
    expect([again.status, again.html]).toEqual([403, expect.stringContaining('already deleted')])
  })

  test('is not deleted with the proof for another', async () => {
    const rig = await ownerPages()
    const { web } = rig
    const [one, other] = [await client(rig), await client(rig)].map(
      (made) => made['client_id'] ?? '',
    )
    const asked = await post(web, '/owner/clients/delete', {
      client_id: one!,
      typed: one!.slice(-6),
    })
    const proof = await web.authenticator?.get(proofAsked(asked)?.options ?? { challenge: '' })
    const moved = withProof(asked, '/owner/clients/delete', proof).map(
      ([name, value]): [string, string] => [
        name,
        name === 'client_id' ? other! : name === 'typed' ? other!.slice(-6) : value,
      ],
    )
    expect((await web.submit('/owner/clients/delete', moved)).status).toBe(403)
    expect((await post(web, '/owner/clients', { person: other! })).html).toContain('z***@')
  })
})

describe('the first page', () => {
  test('shows what was done and who was refused, with the names of callers', async () => {
    const rig = await ownerPages()
    await client(rig)
    const more = { name: 'Intern', created_by: 'key:desk' }
    const key = await keyFor('small', ['availability:read'], more)
    const isRefused = () =>
      rig.ask(new Request(`${ORIGIN}/v1/bookings`, { headers: { Authorization: `Bearer ${key}` } }))
    await isRefused()
    const home = await rig.web.open('/owner')
    const text = textOf(home.html)
    expect(text).toContain('One thing needs you.')
    expect(text).toContain('Intern tried something that you do not allow')
    expect(text).toContain('Front desk created a client: J. Z.')
    // What was shown is dismissed, and nothing that has happened since.
    const dismiss = async (page: typeof home) => {
      const path = '/owner/refusals/dismiss'
      const { headers } = await rig.web.submit(path, page.form(path))
      expect(headers.get('Location')).toBe('/owner?done=dismissed')
      return rig.web.open('/owner')
    }
    expect((await dismiss(home)).html).not.toContain('tried something that you do not allow')
    vi.setSystemTime(NOW + 60_000)
    await isRefused()
    const again = await dismiss(home)
    expect(again.html).toContain('tried something that you do not allow')
    expect((await dismiss(again)).html).not.toContain('tried something that you do not allow')
  })

  test('says that the changes of today are used up, and which rule an agent met', async () => {
    const rig = await ownerPages()
    const by = { caller: 'owner', app: null, operation: 'owner_rules', request_id: null }
    await env.COORDINATOR.getByName('coordinator').change('*', { changes_a_day: 1 }, by, 'tighten')
    await client(rig)
    await expect(client(rig)).rejects.toThrow('was not made')
    const text = textOf((await rig.web.open('/owner')).html)
    expect(text).toContain("Today's limit of one change is reached.")
    expect(text).toContain('your rule “Changes a day” forbids it')
  })
})

test('a word that a refused change is mended is about that one alone', async () => {
  const { web } = await ownerPages()
  const { providerHealth } = env.COORDINATOR.getByName('coordinator')
  const refused = { reason: 'payment_provider_refuses', detail: 'Set the name.' } as const
  const [usd, eur] = ['usd', 'eur'].map((what) => ({ operation: 'create_payment_link', what }))
  await providerHealth.recordChange({ ...usd!, refused })
  await providerHealth.recordChange({ ...eur!, refused })
  expect((await post(web, '/owner/repaired', usd!)).headers.get('Location')).toBe(
    '/owner?done=repaired',
  )
  expect((await providerHealth.read()).issues).toMatchObject([{ change: eur }])
})

describe('a change in doubt', () => {
  const inDoubt = (answer: Resolution = 'resolved') => {
    const operation_id = env.CONFIRMATIONS.idFromName('in doubt').toString()
    const one = {
      flow: 'in doubt',
      operation_id,
      operation: 'book_consult',
      since: '2026-11-24T05:00:00Z',
    }
    vi.spyOn(Coordinator.prototype, 'unresolved').mockImplementation(() => [one])
    const doubt = vi
      .spyOn(Confirmation.prototype, 'unresolved')
      .mockImplementation((): { part?: string } => ({}))
    const resolve = vi
      .spyOn(Confirmation.prototype, 'resolve')
      .mockImplementation(() => Promise.resolve(answer))
    return { operation_id, resolve, doubt }
  }

  test('is resolved on a proof for just this word on it, and written to the audit log', async () => {
    const rig = await ownerPages()
    const { operation_id, resolve, doubt } = inDoubt()
    expect((await rig.web.open('/owner')).html).toContain('did it happen?')
    // As the provider shows it.
    const given = { operation_id, outcome: 'happened', booking_id: '1' }
    const asked = await post(rig.web, '/owner/unresolved', given)
    expect(textOf(asked.html)).toContain('sent on Tuesday, November 24, 2026, 12:00 AM EST')
    expect(textOf(asked.html)).toContain('What was made: bk_1')
    const proof = await rig.web.authenticator?.get(proofAsked(asked)?.options ?? { challenge: '' })
    const other = withProof(asked, '/owner/unresolved', proof).map(
      ([name, value]): [string, string] => [name, name === 'outcome' ? 'did_not_happen' : value],
    )
    expect((await rig.web.submit('/owner/unresolved', other)).status).toBe(403)
    const proven = withProof(asked, '/owner/unresolved', proof)
    doubt.mockImplementationOnce(() => ({ part: 'was the new time booked?' }))
    expect((await rig.web.submit('/owner/unresolved', proven)).status).toBe(403)
    expect(resolve).not.toHaveBeenCalled()
    const done = await rig.web.submit(
      '/owner/unresolved',
      withProof(asked, '/owner/unresolved', proof),
    )
    expect(done.headers.get('Location')).toBe('/owner?done=resolved')
    expect(resolve).toHaveBeenCalledWith(true, { booking_id: 'bk_1' }, undefined)
    const resolutions = (await rig.audit()).filter(({ event }) => event === 'resolution')
    expect(resolutions).toMatchObject([{ code: 'happened', operation_id, caller: 'owner' }])
  })

  test('what was made is kept in our form of it, also where it is named as its provider shows it', () => {
    const url = 'https://pay.example.com/i/1?s=ap'
    for (const booking_id of ['1', 'bk_1'])
      expect(madeFacts({ booking_id }).facts).toEqual([['booking_id', 'bk_1']])
    expect(madeFacts({ payment_link_id: 'plink_1', url })).toEqual({
      facts: [
        ['payment_link_id', 'plink_1'],
        ['url', url],
      ],
      wrong: [],
    })
  })

  test.each(['jordan@example.com', 'Jordan Doe', '', 'javascript:alert(1)', 'mailto:1'])(
    '%j names nothing that was made',
    (text) => {
      const { facts, wrong } = madeFacts({ booking_id: text, payment_link_id: text, url: text })
      expect([facts, wrong.map(([name]) => name)]).toEqual([
        [],
        ['booking_id', 'payment_link_id', 'url'],
      ])
    },
  )

  test('is not resolved with an email address or without what was made, and its form says what is missing', async () => {
    const { ask, web } = await ownerPages()
    const key = await keyFor('desk', Object.keys(SCOPES), { name: 'Front desk' })
    const { operation_id, resolve } = inDoubt('facts missing')
    const word = (given: object) =>
      ask(
        new Request(`${ORIGIN}/v1/unresolved/${operation_id}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ outcome: 'happened', ...given }),
        }),
      )
    for (const booking_id of [EMAIL, 'https://app.cal.example/booking/1']) {
      const given = { operation_id, outcome: 'happened', booking_id }
      const wrong = await post(web, '/owner/unresolved', given)
      expect(wrong.status).toBe(422)
      expect(wrong.html).toContain(`value="${booking_id}"`)
    }
    for (const name of ['booking_id', 'payment_link_id']) {
      const answer = await word({ [name]: EMAIL })
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining(`"pointer":"/${name}"`),
      ])
    }
    expect(resolve).not.toHaveBeenCalled()
    const page = await post(web, '/owner/unresolved', { operation_id, outcome: 'happened' })
    const missing = await confirmed(web, page)
    expect(missing.status).toBe(422)
    expect(missing.html.split('Enter the id of what was made')).toHaveLength(2)
    resolve.mockResolvedValueOnce('other part')
    const other = await word({ part: 'was the new time booked?' })
    expect([other.status, await other.text()]).toEqual([
      400,
      expect.stringContaining('"pointer":"/part"'),
    ])
    expect(resolve).toHaveBeenLastCalledWith(true, {}, 'was the new time booked?')
  })
})

describe('a key that the owner makes', () => {
  const fields = { name: 'Front desk', scope: 'bookings:read', days: '1' }

  test('is shown once, on a proof for just that, and works', async () => {
    const rig = await ownerPages()
    const asked = await post(rig.web, '/owner/keys/make', fields)
    for (const said of [
      'Make a key for',
      'See which consults are booked',
      'It ends after one day.',
    ])
      expect(asked.html).toContain(said)
    expect(asked.html).not.toMatch(/ccn_/)
    const made = await confirmed(rig.web, asked)
    const [key = ''] = /ccn_[\w-]+/.exec(made.html) ?? []
    const call = (path: string) =>
      rig.ask(new Request(ORIGIN + path, { headers: { Authorization: `Bearer ${key}` } }))
    expect([(await call('/v1/bookings')).status, (await call('/v1/audit')).status]).toEqual([
      200, 403,
    ])
    expect((await rig.web.open('/owner/callers')).html).toContain('Front desk')
    const [{ id } = { id: '' }] = await accessFrom(env).listKeys()
    const page = { entries: await rig.audit(), next: { at: 1, id: 'entry' } }
    const many = vi.spyOn(AuditLog.prototype, 'page').mockReturnValue(page)
    const question = await post(rig.web, '/owner/keys/revoke', { id })
    expect(textOf(question.html)).toContain(`It made more than ${page.entries.length} changes`)
    many.mockRestore()
    expect(JSON.stringify(await rig.audit())).not.toContain(key)
    expect((await rig.audit()).find(({ event }) => event === 'key')).toMatchObject({
      code: 'created',
    })
  })

  test('of a preset has its scopes, its end and its rules, whatever else the form brings', async () => {
    const rig = await ownerPages()
    for (const [preset, one] of Object.entries(KEY_PRESETS) as [string, KeyPreset][]) {
      const { title, scopes, rules, days } = one
      const sent = { preset, name: '', scope: 'admin', days: '90' }
      const asked = await post(rig.web, '/owner/keys/make', sent)
      for (const scope of scopes) expect(asked.html).toContain(SCOPES[scope])
      expect(asked.html).not.toContain(SCOPES.admin)
      expect(asked.html).toContain(`It ends after ${days ?? 90} days.`)
      expect(asked.html.includes('Rule of its own.')).toBe(rules !== undefined)
      const made = await confirmed(rig.web, asked)
      const [key = ''] = /ccn_[\w-]+/.exec(made.html) ?? []
      const headers = { Authorization: `Bearer ${key}` }
      const answer = await rig.ask(new Request(`${ORIGIN}/v1/me`, { headers }))
      const me = (await answer.json()) as Record<string, unknown>
      expect(me).toMatchObject({ label: title, scopes })
      const said = rules?.operations ? [expect.stringMatching(/book_consult/)] : []
      expect(me['rules']).toEqual(said)
    }
    const sooner = await post(rig.web, '/owner/keys/make', { preset: 'auditor', days: '7' })
    expect(sooner.html).toContain('It ends after 7 days.')
  })

  test('is revoked, and never shown, where the rules of its preset could not be saved', async () => {
    const rig = await ownerPages()
    const asked = await post(rig.web, '/owner/keys/make', { preset: 'website', days: '' })
    vi.spyOn(Coordinator.prototype, 'change').mockResolvedValue('full')
    const made = await confirmed(rig.web, asked)
    expect(made.status).toBe(403)
    expect(made.html).toContain('so the key was revoked')
    expect(made.html).not.toMatch(/ccn_/)
    const [newest] = await accessFrom(env).listKeys()
    expect(newest?.revoked_at).not.toBeNull()
  })
})

describe('the settings', () => {
  test('name a passkey of the owner, and keep the name', async () => {
    const { web } = await ownerPages()
    const page = await web.open('/owner/settings/passkeys')
    const named = await web.submit('/owner/passkeys/name', [
      ...page.form('/owner/passkeys/name'),
      ['name', '\u2800<b>Anna\u202E’s phone'],
    ])
    expect(named.headers.get('Location')).toBe('/owner/settings/passkeys?done=named')
    expect((await web.open('/owner/settings/passkeys')).html).toContain('&lt;b&gt;Anna’s phone')
    expect((await post(web, '/owner/passkeys/name', { id: 'x', name: '\u200B' })).status).toBe(422)
  })

  test('send a test to where alerts go, and say whether it arrived', async () => {
    const rig = await ownerPages()
    expect((await rig.web.open('/owner/settings/health')).html).toContain('No alerts are sent.')
    const arrived: unknown[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      arrived.push(init?.body)
      return new Response(null, { status: arrived.length === 1 ? 200 : 500 })
    })
    const web = browser(
      ORIGIN,
      rig.askWith({ ALERT_WEBHOOK_URL: 'https://ntfy.sh/a-long-name' } as Partial<Env>),
    )
    for (const [name, value] of rig.web.cookies) web.cookies.set(name, value)
    const page = await web.open('/owner/settings/health')
    expect(page.html).toContain('<strong>ntfy.sh</strong>')
    expect(page.html).not.toContain('a-long-name')
    const send = async () => (await post(web, '/owner/alerts/test')).headers.get('Location')
    expect([await send(), await send()]).toEqual([
      '/owner/settings/health?done=alert',
      '/owner/settings/health?done=alert_wait',
    ])
    expect(arrived).toHaveLength(1)
    vi.setSystemTime(NOW + 60_000)
    expect(await send()).toBe('/owner/settings/health?done=no_alert')
    // ntfy takes the text as it is.
    expect(arrived[0]).toBe('Test: alerts arrive here.')
  })

  test('show what the doctor finds, and change nothing', async () => {
    const { web } = await ownerPages()
    const { status, html } = await post(web, '/owner/doctor')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('Scheduling provider Mock: nothing real is booked.')
  })

  test('end every session of the owner, in every browser', async () => {
    const rig = await ownerPages()
    const other = browser(ORIGIN, rig.ask)
    await signIn(other, rig.web.authenticator!)
    expect((await other.open('/owner')).html).toContain('aria-label="Pages"')
    const asked = await post(rig.web, '/owner/sign-out-everywhere')
    expect(asked.html).toContain('all approvers are signed out')
    expect((await confirmed(rig.web, asked)).headers.get('Location')).toBe('/owner?done=everywhere')
    for (const web of [rig.web, other])
      expect((await web.open('/owner')).html).toContain('Sign in with a passkey')
  })
})
