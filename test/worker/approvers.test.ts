import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { Access } from '../../durable-objects/access.ts'
import { verifyPack } from '../../src/cli/verify/verify.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../src/core/domain/time/time.ts'
import { dayText } from '../../src/owner/console/shell/dates.ts'
import { accessFrom } from '../../src/practice/wiring/objects.ts'
import { softAuthenticator } from '../support/authenticator.ts'
import { approve, browser, confirmed } from '../support/browser.ts'
import { enrol, invitation, signIn } from '../support/passkeys.ts'
import { textOf } from '../unit/owner/console/text-of.ts'
import { CLIENT, ask, askForAPerson, keyFor, previewed } from './fixtures.ts'
import { ORIGIN, ownerPages } from './owner-pages.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

const NAME = 'Sam at the front desk'

/** Someone who was invited and has made a passkey, in a browser of their own. */
async function approver() {
  const rig = await ownerPages()
  const sam = browser(ORIGIN, rig.ask)
  const authenticator = softAuthenticator(ORIGIN)
  const token = await invitation(rig.web, NAME)
  const enrolled = await enrol({ token }, sam, authenticator)
  expect(enrolled.status, await enrolled.clone().text()).toBe(200)
  return { rig, sam, authenticator, token }
}

const APPROVING = 'value="approve"'

/** A change that a person has to approve, and the path of its page. */
async function waiting() {
  await askForAPerson('*')
  const change = await previewed('/v1/clients', CLIENT)
  return { change, path: change.page }
}

describe('someone who is invited to approve changes', () => {
  test('sees what waits and approves it with a passkey of their own, which the log names', async () => {
    const { rig, sam } = await approver()
    const { change, path } = await waiting()
    expect((await sam.open('/owner/approvals')).html).toContain(path)
    expect((await approve(sam, path)).status).toBe(303)
    expect((await change.commit()).body).toMatchObject({
      status: 'committed',
      approval: { level: 'person' },
    })
    const entries = await rig.audit()
    const approved = entries.find(({ event }) => event === 'approval')!
    expect(approved).toMatchObject({
      code: 'approved',
      caller: expect.stringMatching(/^approver:[\w-]{16}$/),
    })
    const theirs = entries.find(
      ({ event, about }) => event === 'enrolment' && about?.['role'] === 'approver',
    )!
    expect(theirs.about).toMatchObject({ credential: approved.about!['credential'] })
    expect(JSON.stringify(entries)).not.toContain(NAME)
    // The owner reads who it was.
    expect((await rig.web.open('/owner/audit?event=approval')).html).toContain(NAME)
    expect(textOf((await sam.open(path)).html)).toContain('Approved by you ,')
    expect((await sam.open(path)).html).not.toContain('/owner/audit')
    expect(textOf((await rig.web.open(path)).html)).toContain(`Approved by ${NAME} ,`)
    const filtered = await rig.web.open(`/owner/audit?caller=${approved.caller}`)
    expect([filtered.status, filtered.html.includes('Choose from the list.')]).toEqual([200, false])
  })

  test('declines too, and can sign out and in again', async () => {
    const { rig, sam, authenticator } = await approver()
    const { change, path } = await waiting()
    const list = await sam.open('/owner/approvals')
    expect(list.html, 'what was decided is read from the log of the owner').not.toContain('Decided')
    const out = list.form('/owner/sign-out')
    await sam.submit('/owner/sign-out', out)
    expect((await sam.open(path)).html).toContain('Sign in')
    expect((await signIn(sam, authenticator)).status).toBe(200)
    const fields = (await sam.open(path)).form(path).filter(([name]) => name !== 'decision')
    await sam.submit(path, [...fields, ['decision', 'decline']])
    expect((await change.commit()).body.code).toBe('approval_declined')
    expect(textOf((await rig.web.open(path)).html)).toContain(`Declined by ${NAME} ,`)
  })

  test('is led to the next change, which says what was decided before; an address alone says nothing', async () => {
    const { sam } = await approver()
    const { path: first } = await waiting()
    const { page: second } = await previewed('/v1/clients', { ...CLIENT, display_name: 'Max Roe' })
    const said = async (address: string) => textOf((await sam.open(address)).html)
    const led = `${second}?after=${first.slice('/approve/'.length)}`
    expect(await said(led)).not.toContain('This is the next one.')
    const fields = (await sam.open(first)).form(first).filter(([name]) => name !== 'decision')
    const decline: [string, string][] = [
      ['decision', 'decline'],
      ['next', 'next'],
    ]
    const decided = await sam.submit(first, [...fields, ...decline])
    expect(decided.headers.get('Location')).toBe(led)
    expect(await said(led)).toContain('Declined. Look at that change . This is the next one.')
  })

  test('is asked no more by a looser rule, which lists what it lets through, and that can be declined first', async () => {
    const rig = await ownerPages()
    const { change } = await waiting()
    // The rows of the table are left out, so that no change needs approval.
    const looser = (await rig.web.open('/owner/settings')).form('/owner/rules', 'Save rules')
    const asked = await rig.web.submit('/owner/rules', looser)
    expect(textOf(asked.html)).toContain('no longer need your approval')
    const [, codes = ''] = /name="first" value="([^"]+)"/.exec(asked.html) ?? []
    const again = await rig.web.submit('/owner/rules', [
      ...asked.form('/owner/rules'),
      ['first', codes],
    ])
    expect(again.status).toBe(200)
    expect(textOf(again.html)).not.toContain('without you')
    expect((await confirmed(rig.web, again)).status).toBe(303)
    expect((await change.commit()).body.code).toBe('approval_declined')
  })

  test('waits for no one once a looser rule has released it, and can still be declined', async () => {
    const rig = await ownerPages()
    const { change, path } = await waiting()
    const looser = (await rig.web.open('/owner/settings')).form('/owner/rules', 'Save rules')
    const asked = await rig.web.submit('/owner/rules', looser)
    expect((await confirmed(rig.web, asked)).status).toBe(303)
    expect((await rig.web.open('/owner/approvals')).html).not.toContain(path)
    const page = await rig.web.open(path)
    expect(page.html).not.toContain('data-passkey="confirm"')
    await rig.web.submit(path, page.form(path))
    expect((await change.commit()).body.code).toBe('approval_declined')
  })

  test('waits for no one once the access of who asked has ended', async () => {
    const rig = await ownerPages()
    await askForAPerson('*')
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
      'X-API-Key': await keyFor('asker', ['clients:write']),
    }
    const body = JSON.stringify({ ...CLIENT, confirm: false })
    const { approval } = (await ask('/v1/clients', { method: 'POST', headers, body })).body
    const { pathname } = new URL(approval!.url)
    // A list may lack who was let in a moment ago, as that of apps does.
    const lists = vi.spyOn(Access.prototype, 'listKeys').mockReturnValue([])
    expect((await rig.web.open('/owner')).html).toContain(pathname)
    expect((await rig.web.open(pathname)).html).toContain(APPROVING)
    lists.mockRestore()
    await accessFrom(env).revokeKey('asker')
    for (const page of ['/owner', '/owner/approvals'])
      expect((await rig.web.open(page)).html, page).not.toContain(pathname)
    expect((await rig.web.open(pathname)).html).toContain('Its access has ended')
  })

  test('is shown no other page: each leads to what waits', async () => {
    const { sam } = await approver()
    for (const page of ['', '/audit', '/callers', '/clients', '/settings']) {
      const { status, headers, html } = await sam.open(`/owner${page}`)
      const said = [page, status, headers.get('Location'), html]
      expect(said).toEqual([page, 302, '/owner/approvals', ''])
    }
  })

  test('does nothing that the owner does: no form of the console, no consent, no passkey, no proof', async () => {
    const { rig, sam, authenticator } = await approver()
    const csrf = (await sam.open('/owner/approvals')).form('/owner/sign-out')
    for (const path of [
      '/owner/pause',
      '/owner/resume',
      '/owner/rules',
      '/owner/keys/revoke',
      '/owner/passkeys/add',
      '/owner/passkeys/remove',
      '/owner/approvers/invite',
      '/owner/clients',
      '/owner/clients/delete',
      '/owner/audit/export',
      '/owner/audit/review',
      '/owner/doctor',
      '/owner/sign-out-everywhere',
    ])
      expect((await sam.submit(path, [...csrf, ['caller', '*'], ['name', 'x']])).status, path).toBe(
        403,
      )
    const options = await sam.postJson('/owner/passkey/options', { purpose: 'enrol' })
    expect(options.status).toBe(401)
    // Their passkey is worth nothing as the proof of an act of the owner.
    const fields = (await rig.web.open('/owner/settings/people')).form('/owner/approvers/invite')
    const asked = await rig.web.submit('/owner/approvers/invite', [...fields, ['name', 'x']])
    rig.web.authenticator = authenticator
    const refused = await confirmed(rig.web, asked)
    expect(refused.status).toBe(403)
    expect(refused.html).not.toContain('#inv_')
  })

  test('approves with no passkey but the own: the owner’s does not count in their session', async () => {
    const { rig, sam } = await approver()
    const { change, path } = await waiting()
    sam.authenticator = rig.web.authenticator
    expect((await approve(sam, path)).status).toBe(403)
    expect((await change.commit()).body.code).toBe('approval_pending')
  })

  test('is out once the owner removes the passkey, and what they asked for before is worth nothing', async () => {
    const { rig, sam, authenticator } = await approver()
    const { change, path } = await waiting()
    const page = await sam.open(path)
    const settings = await rig.web.open('/owner/settings/people')
    expect(settings.html).toContain(NAME)
    const [, id = ''] =
      /name="id" value="([^"]*)"[^]*?Remove/.exec(
        settings.html.slice(settings.html.indexOf(NAME)),
      ) ?? []
    const csrf = settings.form('/owner/sign-out')
    const asked = await rig.web.submit('/owner/approvers/remove', [...csrf, ['id', id]])
    expect(asked.html).toContain(`Remove \u2068${NAME}\u2069?`)
    expect((await sam.open(path)).html).toMatch(/<h1>[A-Z][a-z]+ this [a-z ]+\?<\/h1>/)
    const { headers } = await confirmed(rig.web, asked)
    expect(headers.get('Location')).toBe('/owner/settings/people?done=passkey')
    // The owner is still signed in, and so is everybody else.
    expect((await rig.web.open('/owner/settings/passkeys')).html).toContain('Sign out everywhere')
    expect((await sam.submit(path, page.form(path, APPROVING))).status).toBe(403)
    expect((await signIn(sam, authenticator)).status).toBe(401)
    expect((await change.commit()).body.code).toBe('approval_pending')
    // The owner is still the owner.
    expect((await signIn(rig.web, rig.web.authenticator!)).status).toBe(200)
  })

  test('keeps the name in the console and in packs after that, with its days, and the log has none', async () => {
    const { rig, sam } = await approver()
    const { change, path } = await waiting()
    await approve(sam, path)
    await change.commit()
    const day = () => dayText(Date.now(), 'America/New_York')
    const from = day()
    vi.setSystemTime(Date.now() + 40 * DAY)
    await signIn(rig.web, rig.web.authenticator!)
    const remove = (await rig.web.open('/owner/settings/people')).form(
      '/owner/approvers/remove',
      `Remove: ${NAME}`,
    )
    await confirmed(rig.web, await rig.web.submit('/owner/approvers/remove', remove))
    await signIn(rig.web, rig.web.authenticator!)
    const named = `${NAME} (from ${from} until ${day()})`
    const entries = await rig.audit()
    const approved = entries.find(({ event }) => event === 'approval')!
    for (const page of [
      '/owner/audit?event=approval',
      `/owner/audit/${approved.index}`,
      // Whose passkey was added and removed.
      '/owner/audit?event=enrolment',
    ])
      expect(textOf((await rig.web.open(page)).html)).toContain(named)
    const filter = await rig.web.open(`/owner/audit?caller=${approved.caller}`)
    expect(textOf(filter.html)).toContain(`${named} approved a new client`)
    const settings = textOf((await rig.web.open('/owner/settings/people')).html)
    expect(settings).toContain(`${NAME} Since ${from} · removed ${day()}`)
    expect(settings).not.toContain(`Remove: ${NAME}`)

    const { text } = await ask('/v1/audit/export?format=pack')
    const [head = '', ...leaves] = text.split('\n')
    expect(JSON.parse(head)).toMatchObject({
      callers: expect.arrayContaining([
        {
          caller: approved.caller,
          name: NAME,
          from: expect.any(String),
          until: isoSeconds(Date.now()),
        },
      ]),
    })
    expect(leaves.join('\n')).not.toContain(NAME)
    const { csv, counts, findings } = await verifyPack(new TextEncoder().encode(text))
    expect(findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
    expect(JSON.stringify(counts)).toContain(`${approved.caller} (${NAME}, from `)
    expect(csv).toContain(`"person","${approved.caller} (${NAME}, from `)
  })

  test('leaves what they approved as it is, which the owner is shown before', async () => {
    const { rig, sam } = await approver()
    const { change, path } = await waiting()
    await approve(sam, path)
    const remove = (await rig.web.open('/owner/settings/people')).form(
      '/owner/approvers/remove',
      `Remove: ${NAME}`,
    )
    const asked = await rig.web.submit('/owner/approvers/remove', remove)
    expect(textOf(asked.html)).toContain(
      'Already approved, and can still be made: Create a client profile',
    )
    await confirmed(rig.web, asked)
    expect((await change.commit()).body.status).toBe('committed')
  })
})

describe('an invitation', () => {
  test('makes a passkey of a user of its own, under the name of the person who is invited', async () => {
    const rig = await ownerPages()
    const token = await invitation(rig.web, NAME)
    const other = browser(ORIGIN, rig.ask)
    const options = async () =>
      (await (
        await other.postJson('/owner/passkey/options', { purpose: 'enrol', token })
      ).json()) as {
        user: { id: string; name: string }
        excludeCredentials: object[]
      }
    const [one, two] = [await options(), await options()]
    expect([one.user.name, one.excludeCredentials]).toEqual([NAME, []])
    expect(one.user.id).not.toBe(two.user.id)
    const own = await rig.web.postJson('/owner/passkey/options', { purpose: 'enrol' })
    expect(await own.json()).toMatchObject({ user: { name: 'owner' }, excludeCredentials: [{}] })
  })

  test('is listed while it is open, and worth nothing once it is withdrawn', async () => {
    const rig = await ownerPages()
    const token = await invitation(rig.web, NAME)
    const settings = await rig.web.open('/owner/settings/people')
    expect(textOf(settings.html)).toMatch(
      new RegExp(`${NAME} is invited: the link works once, and expires in (?:23 h 59 min|24 h)`),
    )
    expect(settings.html).not.toContain(token.slice(4))
    await rig.web.submit('/owner/approvers/withdraw', settings.form('/owner/approvers/withdraw'))
    expect((await rig.web.open('/owner/settings/people')).html).not.toContain('is invited')
    const form = settings.form('/owner/approvers/withdraw')
    const again = await rig.web.submit('/owner/approvers/withdraw', form)
    expect([again.status, textOf(again.html)]).toEqual([403, expect.stringContaining('was used')])
    const other = browser(ORIGIN, rig.ask)
    expect((await enrol({ token }, other, softAuthenticator(ORIGIN))).status).toBe(401)
  })

  test('is made with the passkey of the owner, and only its hash is kept', async () => {
    const rig = await ownerPages()
    const fields = (await rig.web.open('/owner/settings/people')).form('/owner/approvers/invite')
    const asked = await rig.web.submit('/owner/approvers/invite', [...fields, ['name', NAME]])
    expect(asked.html).not.toContain('#inv_')
    const token = await invitation(rig.web, NAME)
    expect(token).toMatch(/^inv_/)
    const rows = await runInDurableObject(env.ACCESS.getByName('access'), (_object, { storage }) =>
      storage.sql.exec('SELECT * FROM invitations').toArray(),
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
  })

  test('works once, and for a day', async () => {
    const { rig, token } = await approver()
    const late = await invitation(rig.web, NAME)
    for (const [used, wait] of [
      [token, 0],
      [late, DAY],
      ['inv_made-up', 0],
    ] as const) {
      vi.setSystemTime(Date.now() + wait)
      const other = browser(ORIGIN, rig.ask)
      expect((await enrol({ token: used }, other, softAuthenticator(ORIGIN))).status).toBe(401)
      expect((await other.open('/owner/approvals')).html).toContain('Sign in')
    }
  })

  test('never makes the owner’s passkey that of someone who approves', async () => {
    const rig = await ownerPages()
    const token = await invitation(rig.web, NAME)
    const other = browser(ORIGIN, rig.ask)
    const asked = await other.postJson('/owner/passkey/options', { purpose: 'enrol', token })
    const credential = await rig.web.authenticator!.create(
      (await asked.json()) as { challenge: string },
    )
    expect((await other.postJson('/owner/passkey/enrol', { token, credential })).status).toBe(401)
    expect((await signIn(rig.web, rig.web.authenticator!)).status).toBe(200)
    expect((await rig.web.open('/owner/settings')).status).toBe(200)
  })
})
