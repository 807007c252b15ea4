import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { Confirmation } from '../../durable-objects/confirmation.ts'
import { ApprovalsTable } from '../../durable-objects/coordinator/approvals.ts'
import { verifyPack } from '../../src/cli/verify/verify.ts'
import { APPROVAL_TTL_MS, MOST_WAITING } from '../../src/core/domain/approval.ts'
import { type Rules } from '../../src/core/domain/rules/house-rules.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { type SoftAuthenticator, softAuthenticator } from '../support/authenticator.ts'
import { type Browser, type Page, approve, browser, unescaped } from '../support/browser.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { signIn } from '../support/passkeys.ts'
import { textOf } from '../unit/owner/console/text-of.ts'
import { emptyStorage } from './empty-storage.ts'
import {
  CLIENT,
  ask,
  askForAPerson,
  bookings,
  confirmationUnder,
  consultAt,
  freeTimes,
  previewed,
  recordIn,
} from './fixtures.ts'
import { type Fields, ORIGIN, ownerPages } from './owner-pages.ts'

const coordinator = () => env.COORDINATOR.getByName('coordinator')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

/** An owner who is signed in with a passkey, and an agent whose booking waits for approval. */
async function waiting(more: object = {}) {
  const rig = await ownerPages()
  await askForAPerson('*')
  const times = await freeTimes()
  const change = await previewed('/v1/bookings', { ...consultAt(times[0]), ...more })
  return { ...rig, change, path: change.page, code: change.preview.body.approval!.code }
}

/** What the page asks a passkey for. */
function question({ html }: Page): { challenge: string } {
  const [, options = ''] = /data-options="([^"]*)"/.exec(html) ?? []
  return JSON.parse(unescaped(options)) as { challenge: string }
}

const formOf = (page: Page, path: string, decision: 'approve' | 'decline'): Fields => [
  ...page.form(path, `value="${decision}"`).filter(([name]) => name !== 'decision'),
  ['decision', decision],
]

/** The form that approves, with the answer of a passkey to the question of this page or another. */
async function approving(
  page: Page,
  path: string,
  authenticator: SoftAuthenticator,
  asked = question(page),
): Promise<Fields> {
  const proof = JSON.stringify(await authenticator.get(asked))
  return [...formOf(page, path, 'approve').filter(([name]) => name !== 'proof'), ['proof', proof]]
}

const decline = async (web: Browser, path: string): Promise<Page> =>
  web.submit(path, formOf(await web.open(path), path, 'decline'))

describe('the page on which a person approves a change', () => {
  test('shows what would happen, masked, who asks and the code, and approves it with a passkey', async () => {
    const { web, change, path, code } = await waiting()
    const page = await web.open(path)
    expect(page.status).toBe(200)
    expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    for (const text of [code, 'j***@***.', 'Book a 30-minute consult', 'Book this consult?'])
      expect(page.html).toContain(text)
    expect(page.html).not.toContain('canary')
    expect((await change.commit()).body.code).toBe('approval_pending')
    expect((await approve(web, path)).status).toBe(303)
    expect((await web.open(path)).html).toContain('Approved.')
    expect(await bookings()).toEqual([])
    const committed = await change.commit()
    expect(committed.body).toMatchObject({ status: 'committed', approval: { level: 'person' } })
    expect(await bookings()).toHaveLength(1)
  })

  test('tells a person who presses too late, in another tab, that it had no effect, and how the change ended', async () => {
    const { web, change, path } = await waiting()
    const [one, other] = [await web.open(path), await web.open(path)]
    await web.submit(path, await approving(one, path, web.authenticator!))
    const again = await web.submit(path, await approving(other, path, web.authenticator!))
    expect(again.status).toBe(303)
    await change.commit()
    const compare: Fields = [
      ...formOf(other, path, 'decline').slice(0, -1),
      ['decision', 'compare'],
    ]
    for (const late of [formOf(other, path, 'decline'), compare]) {
      const refused = await web.submit(path, late)
      expect(refused.status).toBe(403)
      const said = textOf(refused.html)
      expect(said).toContain('You decided too late, so your decision had no effect.')
      expect(said).toContain('Made at ')
    }
    expect(await bookings()).toHaveLength(1)
  })

  test('says how it ended and who approved it from the log, once nothing else is kept of it', async () => {
    const { web, change, path } = await waiting()
    await approve(web, path)
    expect((await change.commit()).status).toBe(200)
    await vi.waitFor(async () =>
      expect((await recordIn(change.confirmation))?.outbox).toBeUndefined(),
    )
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * DAY })
    expect(await runDurableObjectAlarm(change.confirmation)).toBe(true)
    expect(await recordIn(change.confirmation)).toBeUndefined()
    expect((await signIn(web, web.authenticator!)).status).toBe(200)
    const page = await web.open(path)
    expect(page.status).toBe(200)
    expect(page.html).toMatch(/Approved by <bdi>the owner<\/bdi>[\s\S]*The change was made\./)
  })

  test('compares an address with the one behind the mask, at most five times, and keeps none', async () => {
    const { web, path } = await waiting()
    const compared = async (address: string) => {
      const html = await answered(address)
      expect(html).not.toContain(address)
      return html
    }
    const answered = async (address: string) => {
      const page = await web.open(path)
      const fields: Fields = page.form(path, 'address').filter(([name]) => name !== 'address')
      const answer = await web.submit(path, [...fields, ['address', address]])
      return answer.html
    }
    const { invitee_email } = consultAt('')
    expect(await compared(`\u200b${invitee_email.toUpperCase()}`)).toContain(
      'The change is for that address.',
    )
    expect(await answered('not an address')).toContain('Enter a whole email address.')
    const sameMask = invitee_email.replace(/(?<=^.).*(?=@)/, 'other-canary')
    for (let times = 1; times < 5; times += 1)
      expect(await compared(sameMask)).toContain('The change is for another address.')
    expect(await compared(invitee_email)).toContain('You can compare 5 addresses for one change')
    await runInDurableObject(coordinator(), (_object, { storage }) =>
      expect(JSON.stringify(storage.sql.exec('SELECT * FROM approvals').toArray())).not.toContain(
        'canary',
      ),
    )
  })

  test('says how many changes of this caller were declined lately', async () => {
    const { web, path } = await waiting()
    expect((await web.open(path)).html).not.toContain('in 30 days')
    await decline(web, path)
    const [, time = ''] = await freeTimes()
    const { page } = await previewed('/v1/bookings', consultAt(time))
    const said = (await web.open(page)).html.replace(/\s+/g, ' ')
    expect(said).toContain('one change of this caller in 30 days')
  })

  test('makes a caller wait an hour after three declines within an hour, and no other caller', async () => {
    const { web, path } = await waiting()
    const next = async (name: string) =>
      (await previewed('/v1/clients', { ...CLIENT, display_name: name })).page
    await decline(web, path)
    await decline(web, await next('Two'))
    vi.setSystemTime(Date.now() + 10 * MINUTE)
    await decline(web, await next('Three'))
    await expect(next('Four')).rejects.toThrow('rate_limited')
    vi.setSystemTime(Date.now() + 59 * MINUTE)
    await expect(next('Four')).rejects.toThrow('an hour later')
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    expect(await next('Four')).toMatch(/^\/approve\//)
  })

  test('is in the event log once, and so is each decision', async () => {
    const { web, path, code } = await waiting()
    await web.open(path)
    await approve(web, path)
    await decline(web, path)
    const { body } = await ask('/v1/events')
    const events = (body['events'] as { type: string; data: object }[]).filter(({ type }) =>
      type.startsWith('approval.'),
    )
    const data = {
      operation_id: path.split('/').at(-1),
      operation: 'book_consult',
      code,
      url: expect.stringContaining(path) as string,
    }
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['approval.requested', data],
      ['approval.decided', { ...data, decision: 'approved' }],
      ['approval.decided', { ...data, decision: 'declined' }],
    ])
  })

  test('GET and HEAD change nothing, however often it is opened', async () => {
    const { web, change, path } = await waiting()
    for (const method of ['GET', 'HEAD', 'GET'])
      await web.send(`${path}?decision=approve`, { method })
    expect((await change.commit()).body.code).toBe('approval_pending')
  })

  test('shows nothing to a visitor who is not signed in, and nothing where no change waits', async () => {
    const { web, ask: fetching, path, code } = await waiting()
    const stranger = browser(ORIGIN, fetching)
    const { html } = await stranger.open(path)
    expect(html).toContain('Sign in')
    for (const secret of [code, 'consult on', 'j***']) expect(html).not.toContain(secret)
    for (const nowhere of [`/approve/${'0'.repeat(64)}`, '/approve/x', '/approve/%00'])
      expect((await web.open(nowhere)).status).toBe(404)
    // What is older than 30 days can still stand in the audit log.
    const old = env.CONFIRMATIONS.idFromName('of last year').toString()
    const page = await web.open(`/approve/${old}`)
    expect([page.status, page.html.includes(`/owner/audit?id=${old}`)]).toEqual([404, true])
  })

  test('lists what waits, the oldest first, and no longer once it is decided', async () => {
    const { web, path, code } = await waiting()
    const list = await web.open('/owner/approvals')
    expect(list.html).toContain(`href="${path}"`)
    expect(list.html).toContain(code)
    await approve(web, path)
    const after = await web.open('/owner/approvals')
    expect(after.html).toContain('No change waits for your approval.')
    expect(textOf(after.html)).toMatch(/Decided lately .*You approved/)
  })
})

describe('an approval that is not the owner’s gesture for exactly this change', () => {
  const attempts: Record<
    string,
    (rig: Awaited<ReturnType<typeof waiting>>, page: Page) => Promise<Fields | Response>
  > = {
    'a session without a passkey': async ({ path }, page) => formOf(page, path, 'approve'),
    'the passkey of someone else': async ({ path }, page) =>
      approving(page, path, softAuthenticator(ORIGIN)),
    'a passkey used without verifying the person': async ({ path, web }, page) => [
      ...formOf(page, path, 'approve').filter(([name]) => name !== 'proof'),
      ['proof', JSON.stringify(await web.authenticator!.get(question(page), ORIGIN, false))],
    ],
    'a passkey used on another site': async ({ path, web }, page) => [
      ...formOf(page, path, 'approve').filter(([name]) => name !== 'proof'),
      [
        'proof',
        JSON.stringify(await web.authenticator!.get(question(page), 'https://evil.example')),
      ],
    ],
    'the passkey of a sign-in': async ({ path, web }, page) => {
      const asked = await web.postJson('/owner/passkey/options', { purpose: 'sign-in' })
      return approving(
        page,
        path,
        web.authenticator!,
        (await asked.json()) as { challenge: string },
      )
    },
    'the passkey for another change': async ({ path, web }, page) => {
      const other = await previewed('/v1/clients', CLIENT)
      const elsewhere = await web.open(other.page)
      return approving(page, path, web.authenticator!, question(elsewhere))
    },
    'the whole form of another change, sent here': async ({ web }) => {
      const other = await previewed('/v1/clients', CLIENT)
      return approving(await web.open(other.page), other.page, web.authenticator!)
    },
    'a passkey used more than five minutes after the question': async ({ path, web }, page) => {
      const fields = await approving(page, path, web.authenticator!)
      vi.setSystemTime(Date.now() + 5 * MINUTE)
      return fields
    },
    'a page of an earlier session': async ({ path, web }, page) => {
      const fields = await approving(page, path, web.authenticator!)
      await signIn(web, web.authenticator!)
      const [csrf] = formOf(await web.open(path), path, 'approve')
      return [csrf!, ...fields.filter(([name]) => name !== 'csrf')]
    },
    'a form of another site': async ({ path, web }, page) =>
      await web.send(path, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'cross-site' },
        body: new URLSearchParams(await approving(page, path, web.authenticator!)),
      }),
    'an API key in place of a session': async ({ path, ask: fetching }, page) =>
      fetching(
        new Request(new URL(path, ORIGIN), {
          method: 'POST',
          headers: { Authorization: 'Bearer cc_live_whatever' },
          body: new URLSearchParams(formOf(page, path, 'approve')),
        }),
      ),
  }

  test('counts for nothing', async () => {
    const rig = await waiting()
    for (const [what, attempt] of Object.entries(attempts)) {
      const sent = await attempt(rig, await rig.web.open(rig.path))
      const { status } = Array.isArray(sent) ? await rig.web.submit(rig.path, sent) : sent
      expect([what, status]).toEqual([what, 403])
      const { code, effect } = (await rig.change.commit()).body
      expect([what, code, effect]).toEqual([what, 'approval_pending', 'none'])
    }
    expect(await bookings()).toEqual([])
  })

  test('counts once: a proof that was used is worth nothing for the next preview', async () => {
    const { web, change, path } = await waiting()
    const page = await web.open(path)
    const fields = await approving(page, path, web.authenticator!)
    await web.submit(path, fields)
    await decline(web, path)
    await change.previewAgain()
    expect((await web.submit(path, fields)).status).toBe(403)
    expect((await change.commit()).body.code).toMatch(/approval_declined|confirmation_expired/)
  })
})

describe('what an auditor can check of an approval', () => {
  test('a pack of the log passes the verifier, which checks the signature of the passkey itself', async () => {
    const { web, path, change, audit } = await waiting()
    await approve(web, path)
    await change.commit()
    await audit()
    const { text } = await ask('/v1/audit/export?format=pack')
    const report = await verifyPack(new TextEncoder().encode(text))
    expect(report.findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
    expect(report.findings.map(({ text: said }) => said).join(' ')).toContain(
      '1 change made: 1 approved by a person with a passkey',
    )
    const [, signature = ''] = /signature\\":\\"([\w-]{20})/.exec(text) ?? []
    const forged = text.replace(signature, 'A'.repeat(20))
    expect(forged).not.toBe(text)
    const other = await verifyPack(new TextEncoder().encode(forged))
    expect(other.findings.map(({ text: said }) => said).join(' ')).toMatch(
      /Approval \d+ proves nothing/,
    )
  })
})

describe('the list of changes that wait', () => {
  test(`holds ${MOST_WAITING} of a caller; one more is refused, and nothing is kept of it`, async () => {
    await ownerPages()
    await askForAPerson('*')
    const others = Array.from({ length: MOST_WAITING }, (_, i) =>
      previewed('/v1/clients', { ...CLIENT, display_name: `Client ${i}` }),
    )
    const changes = await Promise.all(others)
    const one = { ...CLIENT, display_name: 'One too many' }
    await expect(previewed('/v1/clients', one)).rejects.toThrow('rate_limited')
    // A repeat of one that waits takes no place.
    expect((await changes[0]!.previewAgain()).status).toBe(200)
    vi.setSystemTime(Date.now() + APPROVAL_TTL_MS + 1)
    expect((await previewed('/v1/clients', one)).preview.status).toBe(200)
  })

  test('keeps the place of a preview that is about to be kept, even if a person opens the list and decides meanwhile', async () => {
    const { web, path, code } = await waiting()
    const [listed] = await coordinator().approvals.waiting()
    const upcoming = {
      ...listed!,
      flow: 'not kept yet',
      operation_id: env.CONFIRMATIONS.idFromName('not kept yet').toString(),
      code: '0000',
    }
    await coordinator().approvals.add(upcoming)
    const list = await web.open('/owner/approvals')
    expect(list.html).toContain(code)
    expect(list.html).not.toContain(upcoming.code)
    // The next preview under the same key is listed before the end of the one before arrives.
    await coordinator().approvals.add({ ...listed!, code: '1111' })
    await approve(web, path)
    await web.open('/owner/approvals')
    const still = await coordinator().approvals.waiting()
    expect(still.map((one) => one.code).toSorted()).toEqual(['0000', '1111'])
  })

  test('holds pointers and no word of what is shown', async () => {
    await waiting()
    const rows = await runInDurableObject(coordinator(), (_object, { storage }) =>
      storage.sql.exec('SELECT * FROM approvals').toArray(),
    )
    expect(Object.keys(rows[0]!)).toEqual([
      'flow',
      'operation_id',
      'caller',
      'operation',
      'code',
      'since',
      'until',
      'comparisons',
      'waits',
    ])
  })
})

test('A preview that waits stays on the list, though a call for it is at work while the list is read', async () => {
  const { web, code } = await waiting()
  const { approval } = Confirmation.prototype
  vi.spyOn(Confirmation.prototype, 'approval').mockImplementationOnce(async function (
    this: Confirmation,
  ) {
    return { ...(await approval.call(this))!, status: 'running' }
  })
  expect((await web.open('/owner/approvals')).html).not.toContain(code)
  expect((await web.open('/owner/approvals')).html).toContain(code)
})

describe('an object that ends in the middle', () => {
  test('leaves nothing to decide between the entry on the list and the preview, and a repeat is listed', async () => {
    const { web } = await waiting()
    const add = ApprovalsTable.prototype.add
    const lost = vi.spyOn(ApprovalsTable.prototype, 'add').mockImplementation(async function (
      this: ApprovalsTable,
      entry,
    ) {
      await add.call(this, entry)
      throw onPurpose('the connection broke')
    })
    const key = crypto.randomUUID()
    await expect(previewed('/v1/clients', CLIENT, key)).rejects.toThrow('no preview')
    lost.mockRestore()
    const confirmation = await confirmationUnder(key)
    await evictDurableObject(confirmation)
    const entries = await coordinator().approvals.waiting()
    const entry = entries.find(({ operation }) => operation === 'create_client_profile')
    expect((await web.open('/owner/approvals')).html).not.toContain(entry!.code)
    expect((await web.open(`/approve/${entry!.operation_id}`)).status).toBe(404)
    const change = await previewed('/v1/clients', CLIENT, key)
    expect((await change.commit()).body.code).toBe('approval_pending')
    expect((await web.open('/owner/approvals')).html).toContain(change.preview.body.approval!.code)
  })
})

describe('a rule that asks for a person', () => {
  test('lets what waits be committed without approval once it is removed, and a pack of the log still passes the verifier', async () => {
    const { web, path, change, code, audit } = await waiting()
    await askForAPerson('book_consult')
    expect((await change.commit()).body.code).toBe('approval_pending')
    await askForAPerson()
    expect((await web.open('/owner/approvals')).html).not.toContain(code)
    expect((await change.commit()).body).toMatchObject({ status: 'committed' })
    expect(await bookings()).toHaveLength(1)
    const said = textOf((await web.open(path)).html)
    expect(said).toContain('Made at ')
    expect(said).not.toContain('Approved')
    await audit()
    const { text } = await ask('/v1/audit/export?format=pack')
    const report = await verifyPack(new TextEncoder().encode(text))
    expect(text).toContain('approval_lifted')
    expect(report.findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
    expect((await web.open('/owner/audit')).html).toContain('Your approval was no longer needed')
  })

  test('cannot be set over REST while no one has a passkey', async () => {
    await emptyStorage()
    const rules = {
      paused: false,
      operations: null,
      max_link: null,
      hours: null,
      changes_a_day: null,
    }
    const put = (approval: Rules['approval']) =>
      ask('/v1/rules/*', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...rules, approval }),
      })
    expect((await put([{ operation: '*', level: 'person' }])).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/approval', detail: expect.stringContaining('passkey') }],
    })
    expect((await put([{ operation: 'book_consult', level: 'agent' }])).status).toBe(200)
  })
})
