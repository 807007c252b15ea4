import { beforeEach, describe, expect, it, vi } from 'vitest'

import { APPROVAL_TTL_MS } from '../../../../src/core/domain/approval.ts'
import { RULES_TIMEOUT_MS } from '../../../../src/core/domain/rules/house-rules.ts'
import { DAY, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { type World, ORIGIN, START, operationIdOf, practice } from '../../../support/fake-host.ts'
import { BOOKING, type Caller, aClient, callerOf, personApproves, rulesForAll } from './caller.ts'

const ASKS_FOR_A_PERSON = personApproves('book_consult')

let world: World
let ada: Caller
let name: string
beforeEach(async () => {
  world = practice()
  world.rules = ASKS_FOR_A_PERSON
  ada = callerOf(world, 'book_consult', BOOKING)
  name = await ada.name
})

describe('a preview that a person has to approve', () => {
  it('says so, with the code and the page, and waits on the list', async () => {
    const preview = await ada.preview()
    const { code, url } = world.waiting.get(name)!
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(url).toBe(`${ORIGIN}/approve/${operationIdOf(name)}`)
    expect(preview).toMatchObject({
      status: 'preview',
      body: { approval: { required: 'person', status: 'pending', code, url } },
    })
    expect(world.waiting.get(name)).toEqual({
      caller: 'tester',
      operation: 'book_consult',
      code,
      url,
      since: START,
      until: START + APPROVAL_TTL_MS,
    })
  })

  it('is listed once, under the code that it shows, however many ask for it at once', async () => {
    const previews = await Promise.all([ada.preview(), ada.preview(), ada.preview()])
    const codes = previews.map((one) => one.is === 'answer' && one.body['approval'])
    expect(codes).toMatchObject(Array(3).fill({ code: world.waiting.get(name)!.code }))
    expect(world.log.filter((made) => made === 'await approval')).toEqual(['await approval'])
  })

  it('is on the list before it is kept, and is refused where too many wait', async () => {
    world.tooManyWait = true
    expect(await ada.preview()).toMatchObject({
      code: 'rate_limited',
      refusal: {
        effect: 'none',
        detail: expect.stringContaining('20 changes of this caller wait'),
      },
    })
    expect(world.kept()).toEqual([])
    world.tooManyWait = false
    expect(await ada.preview()).toMatchObject({ status: 'preview' })
  })

  it('cannot be committed with the token alone, and nothing is read or locked for the attempt', async () => {
    await ada.preview()
    world.log.splice(0)
    const { code, url } = world.waiting.get(name)!
    const refused = await ada.commit()
    expect(refused).toMatchObject({
      code: 'approval_pending',
      refusal: { effect: 'none', approval_code: code, approval_url: url, retry_after_seconds: 15 },
    })
    expect(world.log).toEqual([])
    world.pass(10 * MINUTE)
    expect(await ada.commit()).toMatchObject({ refusal: { retry_after_seconds: 60 } })
  })

  it('is committed once it is approved, after the live facts were read again', async () => {
    const preview = await ada.preview()
    expect(await world.decide(name, 'approve')).toBe('approved')
    expect(world.mutations()).toEqual([])
    await world.idle()
    expect(world.waiting.size).toBe(0)
    expect(await ada.preview()).toMatchObject({
      body: {
        approval: { status: 'approved' },
        confirmation_token: preview.is === 'answer' && preview.body['confirmation_token'],
      },
    })
    world.pass(MINUTE)
    expect(await ada.commit()).toMatchObject({
      status: 'committed',
      body: { approval: { level: 'person', approved_at: '2026-11-23T15:00:00Z' } },
    })
    expect(world.mutations()).toEqual(['book'])
    expect(await ada.commit()).toMatchObject({ status: 'committed', replayed: true })
  })

  it('is never committed once it was declined, not even after it was approved, and the next preview asks again', async () => {
    await ada.preview()
    await world.decide(name, 'approve')
    expect(await world.decide(name, 'decline')).toBe('declined')
    const declined = { code: 'approval_declined', refusal: { effect: 'none' } }
    expect(await ada.commit()).toMatchObject(declined)
    expect(await world.decide(name, 'approve')).toBe('ended')
    expect(await ada.commit()).toMatchObject(declined)
    expect(await ada.preview()).toMatchObject({ body: { approval: { status: 'pending' } } })
    expect(await ada.commit()).toMatchObject({ code: 'approval_pending' })
    expect(world.mutations()).toEqual([])
  })

  it('is approved for as long as its token is good, at least', async () => {
    await ada.preview()
    world.pass(APPROVAL_TTL_MS - SECOND)
    await world.decide(name, 'approve')
    world.pass(14 * MINUTE)
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('ends with its preview: what has expired can be neither approved nor committed', async () => {
    await ada.preview()
    const shown = await world.approval(name)
    world.pass(APPROVAL_TTL_MS)
    expect(await world.approval(name)).toMatchObject({ status: 'expired' })
    expect(await world.decide(name, 'approve', shown)).toBe('ended')
    expect(await ada.commit()).toMatchObject({ code: 'confirmation_expired' })
  })

  it('counts for nothing but what was shown: a fresh preview needs an approval of its own', async () => {
    await ada.preview()
    const shown = (await world.approval(name))!
    await world.decide(name, 'decline')
    await ada.preview()
    expect((await world.approval(name))!.digest).not.toBe(shown.digest)
    expect(await world.decide(name, 'approve', shown)).toBe('ended')
    const { id } = (await world.approval(name))!
    expect(await world.decide(name, 'approve', { id, digest: shown.digest })).toBe('ended')
    expect(await ada.commit()).toMatchObject({ code: 'approval_pending' })
  })

  it('stays on the list when an earlier decline reaches the list late', async () => {
    await ada.preview()
    const late = world.stop('before', 'clear approval')
    await world.decide(name, 'decline')
    await late.reached
    await ada.preview()
    late.go()
    await world.idle()
    expect(await world.approval(name)).toMatchObject({ status: 'waiting' })
    expect(world.waiting.get(name)).toMatchObject({ code: (await world.approval(name))!.code })
  })

  it('keeps the approval through a crash, and while the provider is busy', async () => {
    await ada.preview()
    await world.decide(name, 'approve')
    await ada.crash()
    world.fail('book', 'busy')
    const busy = await ada.commit()
    expect(busy).toMatchObject({ code: 'provider_busy', refusal: { effect: 'none' } })
    world.allIsWell()
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('is declined in time while a commit still reads the live facts', async () => {
    await ada.preview()
    await world.decide(name, 'approve')
    const stop = world.stop('after', 'slots')
    const commit = ada.commit()
    await stop.reached
    expect(await world.decide(name, 'decline')).toBe('declined')
    stop.go()
    expect(await commit).toMatchObject({ code: 'approval_declined' })
    expect(world.mutations()).toEqual([])
  })

  it('cannot be declined any more once the commit has begun', async () => {
    await ada.preview()
    await world.decide(name, 'approve')
    const shown = await world.approval(name)
    const stop = world.stop('before', 'book')
    const commit = ada.commit()
    await stop.reached
    expect(await world.decide(name, 'decline', shown)).toBe('ended')
    stop.go()
    expect(await commit).toMatchObject({ status: 'committed' })
  })
})

describe('a rule about approval that is set or lifted between preview and commit', () => {
  it('makes a preview without an approval stale at once', async () => {
    world.rules = []
    await ada.preview()
    world.rules = ASKS_FOR_A_PERSON
    expect(await ada.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: { effect: 'none', changes: [{ field: 'approval' }] },
    })
    expect(world.mutations()).toEqual([])
    expect(await ada.preview()).toMatchObject({ body: { approval: { status: 'pending' } } })
  })

  it('is met by the approval that the preview has', async () => {
    await ada.preview()
    await world.decide(name, 'approve')
    world.rules = personApproves('*')
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('gives an approved change no way round another rule', async () => {
    await ada.preview()
    await world.decide(name, 'approve')
    world.rules = [rulesForAll({ paused: true })]
    expect(await ada.commit()).toMatchObject({ code: 'paused' })
    world.rules = ASKS_FOR_A_PERSON
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })
})

describe('a preview that waits for a person while the owner lifts the rule', () => {
  /** A call has found that it waits, and waits for a decision from now on. */
  const theRulesAreRead = () => new Promise((later) => setImmediate(later))

  it('is committed by the same token on the next commit, leaves the list, and the audit log says why', async () => {
    await ada.preview()
    expect(await ada.commit()).toMatchObject({ code: 'approval_pending' })
    world.rules = []
    const { body } = (await ada.commit()) as { body: object }
    expect(body).toMatchObject({ status: 'committed' })
    expect(body).not.toHaveProperty('approval')
    await world.idle()
    expect(world.mutations()).toEqual(['book'])
    expect(world.waiting.size).toBe(0)
    expect(await world.approval(name)).toMatchObject({ status: 'committed', endedAt: START })
    expect(await world.approval(name)).not.toHaveProperty('decision')
    const [first, lifted, commit, ...more] = world.auditLog()
    expect([first, lifted, commit].map((one) => [one!.event, one!.code])).toEqual([
      ['preview', 'approval_needed'],
      ['preview', 'approval_lifted'],
      ['commit', 'committed'],
    ])
    expect(more).toEqual([])
    expect(commit!.about).toEqual({ approved: 'agent' })
    expect(new Set([first!.shown, lifted!.shown, commit!.shown]).size).toBe(1)
  })

  it('goes on waiting where another rule still asks, and where the rules do not come', async () => {
    await ada.preview()
    world.rules = personApproves('*')
    expect(await ada.commit()).toMatchObject({ code: 'approval_pending' })
    world.rules = []
    world.rulesHang = true
    const commit = ada.commit()
    await vi.waitFor(() => expect(world.timers()).toBeGreaterThan(0))
    world.pass(RULES_TIMEOUT_MS)
    expect(await commit).toMatchObject({ code: 'approval_pending' })
    expect(world.waiting.size).toBe(1)
    world.rulesHang = false
    world.rules = personApproves('cancel_booking')
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('is shown and reported as a preview that needs no one, and a rule that is set again still counts', async () => {
    await ada.preview()
    world.rules = []
    expect(await world.status(name)).toMatchObject({ is: 'previewed' })
    const shown = (await ada.preview()) as { body: object }
    expect(shown.body).toMatchObject({ status: 'preview' })
    expect(shown.body).not.toHaveProperty('approval')
    world.rules = ASKS_FOR_A_PERSON
    expect(await ada.commit()).toMatchObject({ code: 'preview_stale', refusal: { effect: 'none' } })
    expect(world.mutations()).toEqual([])
    expect(await ada.preview()).toMatchObject({ body: { approval: { status: 'pending' } } })
  })

  it('stays declined, and is never committed where someone is answered that it is declined', async () => {
    await ada.preview()
    const seen = await world.approval(name)
    world.rules = []
    const [commit, decided] = await Promise.all([ada.commit(), world.decide(name, 'decline', seen)])
    expect(decided).toBe('declined')
    expect(commit).toMatchObject({ code: 'approval_declined' })
    expect(await ada.commit()).toMatchObject({ code: 'approval_declined' })
    expect(world.mutations()).toEqual([])
  })

  it('asks the rules once a call, also while the audit log takes its entries, and never once it has expired', async () => {
    await ada.preview()
    world.pass(2 * MINUTE)
    world.rulesHang = true
    world.rulesAsked = 0
    const commit = ada.commit()
    await vi.waitFor(() => expect(world.auditLog()).toHaveLength(1))
    await world.idle()
    world.pass(RULES_TIMEOUT_MS)
    expect(await commit).toMatchObject({ code: 'approval_pending' })
    expect(world.rulesAsked).toBe(1)
    world.pass(APPROVAL_TTL_MS)
    expect(await world.status(name)).toMatchObject({ is: 'expired' })
    expect(await ada.commit()).toMatchObject({ code: 'confirmation_expired' })
    expect(world.rulesAsked).toBe(1)
  })

  it('ends the wait for a decision at once where another call finds that no rule asks for it, and a decision about what is outdated ends none', async () => {
    await ada.preview()
    const outdated = await world.approval(name)
    await world.decide(name, 'decline')
    await ada.preview()
    const call = { ...(await ada.asked(true)), approvalWaitMs: 20 * SECOND }
    let isOver = false
    const waiting = world.perform(name, call).finally(() => (isOver = true))
    await theRulesAreRead()
    expect(await world.decide(name, 'approve', outdated)).toBe('ended')
    await world.idle()
    expect(isOver).toBe(false)
    world.rules = []
    expect(await world.status(name)).toMatchObject({ is: 'previewed' })
    expect(await waiting).toEqual({ is: 'ask_again', waited: true })
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['book'])
    expect(world.auditLog().filter(({ code }) => code === 'approval_lifted')).toHaveLength(1)
  })

  it('is answered that it waits once its wait is over, where the rule was removed and set again meanwhile', async () => {
    await ada.preview()
    const call = { ...(await ada.asked(true)), approvalWaitMs: 20 * SECOND }
    const waiting = world.perform(name, call)
    await theRulesAreRead()
    world.rules = []
    world.pass(20 * SECOND)
    world.rules = ASKS_FOR_A_PERSON
    expect(await waiting).toMatchObject({ is: 'ask_again' })
    expect(await ada.commit()).toMatchObject({ code: 'approval_pending' })
    expect(world.mutations()).toEqual([])
  })

  it('has its page opened by a host that can, once, whatever restarts in between', async () => {
    await ada.preview()
    const pending = { is: 'refused', refusal: { code: 'approval_pending' } }
    expect(await world.perform(name, await ada.asked(true))).not.toHaveProperty('openPage')
    const call = { ...(await ada.asked(true)), opensPages: true }
    const replies = await Promise.all([world.perform(name, call), world.perform(name, call)])
    expect(replies.filter((reply) => 'openPage' in reply)).toHaveLength(1)
    await ada.crash()
    const repeat = await world.perform(name, call)
    for (const reply of [...replies, repeat]) expect(reply).toMatchObject(pending)
    expect(repeat).not.toHaveProperty('openPage')
    await world.decide(name, 'decline')
    await ada.preview()
    const fresh = { ...(await ada.asked(true)), opensPages: true }
    expect(await world.perform(name, fresh)).toMatchObject({ ...pending, openPage: true })
    await world.decide(name, 'approve')
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('is never committed where the rule is set again before its locks are taken', async () => {
    await ada.preview()
    world.rules = []
    const stop = world.stop('before', 'take')
    const commit = ada.commit()
    await stop.reached
    world.rules = ASKS_FOR_A_PERSON
    stop.go()
    expect(await commit).toMatchObject({ code: 'preview_stale' })
    expect(world.mutations()).toEqual([])
    expect(await ada.commit()).toMatchObject({ code: 'preview_stale' })
  })

  it('is lifted once by many calls and statuses at a time, and committed once', async () => {
    await ada.preview()
    world.rules = []
    const all = await Promise.all([
      ada.commit(),
      world.status(name),
      ada.preview(),
      ada.commit(),
      ada.commit(),
    ])
    expect(
      all.filter((one) => 'status' in one && one.status === 'committed').length,
    ).toBeGreaterThan(0)
    await world.idle()
    expect(world.mutations()).toEqual(['book'])
    expect(world.auditLog().map(({ code }) => code)).toEqual([
      'approval_needed',
      'approval_lifted',
      'committed',
    ])
  })

  it('names its caller in the audit log, also where a status finds it and after a crash', async () => {
    await ada.preview()
    await ada.crash()
    world.rules = []
    await world.status(name)
    await ada.crash()
    expect(await world.status(name)).toMatchObject({ is: 'previewed' })
    await ada.ringAll()
    expect(world.auditLog().map(({ code, caller }) => [code, caller])).toEqual([
      ['approval_needed', 'tester'],
      ['approval_lifted', 'tester'],
    ])
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('can be declined and not approved once it is lifted, also while a commit reads the live facts, and a decline is kept', async () => {
    await ada.preview()
    const shown = await world.approval(name)
    world.rules = []
    await world.status(name)
    expect(await world.approval(name)).toMatchObject({
      status: 'lifted',
      code: shown!.code,
      digest: shown!.digest,
    })
    expect(await world.decide(name, 'approve', shown)).toBe('ended')
    const stop = world.stop('after', 'slots')
    const commit = ada.commit()
    await stop.reached
    expect(await world.decide(name, 'decline', shown)).toBe('declined')
    stop.go()
    expect(await commit).toMatchObject({ code: 'approval_declined' })
    expect(await world.status(name)).toMatchObject({
      is: 'failed',
      refusal: { code: 'approval_declined' },
    })
    expect(world.mutations()).toEqual([])
    await world.idle()
    expect(world.auditLog().map(({ code, caller }) => [code, caller])).toEqual([
      ['approval_needed', 'tester'],
      ['approval_lifted', 'tester'],
      ['declined', 'owner'],
    ])
    expect(await ada.preview()).toMatchObject({ status: 'preview' })
    expect(await world.approval(name)).toBeUndefined()
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('goes on waiting by a limit in another currency, and is lifted by a limit that it does not exceed', async () => {
    const link = callerOf(world, 'create_payment_link', { invoice_id: 'in_mock_open' })
    const above = (limit: Record<string, number>) => {
      world.rules = [
        rulesForAll({
          approval: [{ operation: 'create_payment_link', above: limit, level: 'person' }],
        }),
      ]
    }
    above({ usd: 0 })
    await link.preview()
    for (const limit of [{ eur: 1_000_000 }, { usd: 24_999 }]) {
      above(limit)
      expect(await link.commit()).toMatchObject({ code: 'approval_pending' })
    }
    world.rules = [...world.rules, { ...rulesForAll({ approval: null }), caller: 'tester' }]
    expect(await link.commit()).toMatchObject({ code: 'approval_pending' })
    above({ usd: 25_000 })
    expect(await link.commit()).toMatchObject({ status: 'committed' })
  })

  it('keeps an approval that it has', async () => {
    await ada.preview()
    await world.decide(name, 'approve')
    world.rules = []
    expect(await ada.commit()).toMatchObject({ body: { approval: { level: 'person' } } })
  })
})

describe('the status of a change that a person has to approve', () => {
  it('says that it waits, that it may be committed, and that it was declined', async () => {
    await ada.preview()
    expect(await world.status(name)).toMatchObject({
      is: 'awaiting_approval',
      refusal: { code: 'approval_pending' },
    })
    await world.decide(name, 'approve')
    expect(await world.status(name)).toMatchObject({ is: 'previewed', approved: true })
    await world.decide(name, 'decline')
    expect(await world.status(name)).toMatchObject({
      is: 'failed',
      refusal: { code: 'approval_declined' },
    })
  })
})

describe('the audit log of a change that a person has to approve', () => {
  it('says who decided and what proves it, and each commit has its approval before it', async () => {
    await ada.preview()
    const { shown } = (await world.approval(name))!
    await world.decide(name, 'approve')
    await world.decide(name, 'approve')
    await world.idle()
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    expect(
      world.auditLog().map(({ event, code, caller, shown: of }) => [event, code, caller, of]),
    ).toEqual([
      ['preview', 'approval_needed', 'tester', shown],
      ['approval', 'approved', 'owner', shown],
      ['commit', 'committed', 'tester', shown],
    ])
    expect(world.auditLog()[1]!.about).toEqual({ credential: 'c' })
  })

  it('names a decline, and leaves the caller of the change as it was', async () => {
    await ada.preview()
    await world.decide(name, 'decline')
    await world.idle()
    expect(world.auditLog().at(-1)).toMatchObject({
      event: 'approval',
      code: 'declined',
      caller: 'owner',
    })
    await ada.preview()
    expect(world.waiting.get(name)).toMatchObject({ caller: 'tester' })
  })
})

describe('a deletion of the client whose change waits for a person', () => {
  /** A client, and an intake of theirs that waits. */
  async function intakeWaits() {
    world.rules = []
    const clientId = await aClient(world)
    await world.idle()
    world.rules = personApproves('*')
    const answers = { primary_goal: 'retirement' }
    const intake = callerOf(world, 'submit_intake_answers', { client_id: clientId, answers })
    await intake.preview()
    return { clientId, intake }
  }

  it('leaves nothing of what the page showed', async () => {
    const { clientId, intake } = await intakeWaits()
    const shown = await world.approval(await intake.name)
    expect(shown).toMatchObject({ status: 'waiting' })
    await world.erase(await intake.name, clientId)
    await world.idle()
    expect(await world.approval(await intake.name)).toBeUndefined()
    expect(await world.decide(await intake.name, 'approve', shown)).toBe('ended')
    await world.until(START + 40 * DAY)
    expect(world.waiting.size).toBe(0)
  })

  it('leaves no digest of it either, where no rule asks any more and the audit log does not have its entries yet', async () => {
    const { clientId, intake } = await intakeWaits()
    const { digest } = (await world.approval(await intake.name))!
    world.rules = []
    world.failingAppends = 9
    await world.status(await intake.name)
    const kept = async () => JSON.stringify(await intake.record())
    expect(await kept()).toContain(digest)
    await world.erase(await intake.name, clientId)
    expect(await kept()).toContain('approval_lifted')
    expect(await kept()).not.toContain(digest)
  })
})
