import { beforeEach, describe, expect, test } from 'vitest'

import { approvalText } from '../../../../src/core/confirm/approval.ts'
import { macsOfTexts, sealedFields, withoutTexts } from '../../../../src/core/confirm/sealed.ts'
import { shownText } from '../../../../src/core/confirm/token.ts'
import { sha256Base64url } from '../../../../src/core/crypto/encoding.ts'
import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import type { Shown } from '../../../../src/core/ports/confirmation.ts'
import { SECRET, type World, practice } from '../../../support/fake-host.ts'
import { type Caller, anExistingBooking, callerOf, personApproves, replace } from './caller.ts'

const REASON = 'The partner is ill until Monday.'

let world: World
/** What the provider was sent for the client, each time. */
let sent: (string | null)[]
let booking_id: string
beforeEach(async () => {
  world = practice()
  sent = []
  replace(world, 'scheduling', ({ cancel }) => ({
    cancel: (id, reason, marker) => (sent.push(reason), cancel(id, reason, marker)),
  }))
  booking_id = await anExistingBooking(world)
})

const cancelling = (reason: string = REASON) =>
  callerOf(world, 'cancel_booking', { booking_id, reason })

/** A cancellation with its preview made. */
async function previewed(reason = REASON) {
  const cancel = cancelling(reason)
  const shown = await shownBy(cancel)
  return { cancel, shown, name: await cancel.name }
}

async function shownBy(cancel: Caller) {
  const reply = await cancel.preview()
  if (reply.is !== 'answer') throw new Error(JSON.stringify(reply))
  return reply.body as unknown as Shown & { preview: { reason: string | null } }
}

const asksForAPerson = (): void => void (world.rules = personApproves('cancel_booking'))

/** Whether the record still has the text, which it never has in clear. */
async function keepsText(cancel: Caller): Promise<boolean> {
  await world.idle()
  const record = await cancel.record()
  expect(JSON.stringify(record)).not.toContain('partner')
  return record?.sealedText !== undefined
}

describe('the reason of a cancellation', () => {
  test.each([
    ['as it stands', REASON, REASON],
    ['with its lines', 'Dear client,\r\nwe are closed.', 'Dear client,\nwe are closed.'],
    ['in any script', 'Wir schließen – 事務所は休みです 🙂', 'Wir schließen – 事務所は休みです 🙂'],
    ['without what no one sees', '  Pay\u202E\u200B nothing\u0000  ', 'Pay nothing'],
    ['with its own letters and figures', 'ｃｌｏｓｅｄ, 33⅓%', 'ｃｌｏｓｅｄ, 33⅓%'],
  ])(
    'is in the preview %s, and that is what the provider is sent',
    async (_how, reason, shownAs) => {
      const { cancel, shown } = await previewed(reason)
      expect(shown.preview.reason).toBe(shownAs)
      expect(shown.warnings).toContain('The reason goes to the client as shown.')
      expect(await cancel.commit()).toMatchObject({ status: 'committed' })
      expect(sent).toEqual([shownAs])
    },
  )

  test('has labels in place of email addresses and phone numbers, and the preview says so', async () => {
    const { cancel, shown } = await previewed(
      'Write to robin@partner.example or call (312) 555-0184.',
    )
    expect(shown.preview.reason).toBe('Write to [email] or call [phone].')
    expect(shown.warnings).toContain(
      'The reason goes to the client as shown, with labels in place of email addresses and phone numbers.',
    )
    await cancel.commit()
    expect(sent).toEqual([shown.preview.reason])
  })

  test('is shown with a warning where a program wrote its signs otherwise', async () => {
    const { shown } = await previewed('We can&#39;t meet.\\nDana')
    expect(shown.warnings.join()).toContain('a sign as a program writes it')
  })

  test.each([undefined, '', ' \n\u200B '])('may be missing or empty: %j', async (reason) => {
    const cancel = callerOf(world, 'cancel_booking', {
      booking_id,
      ...(reason !== undefined && { reason }),
    })
    const { preview, warnings } = await shownBy(cancel)
    expect([preview.reason, warnings.join()]).toEqual([null, expect.not.stringContaining('reason')])
    expect((await cancel.record())?.sealedText).toBeUndefined()
    await cancel.commit()
    expect(sent).toEqual([null])
  })

  test('has at most 1,000 characters, as it was given and as it is sent', async () => {
    const tooLong = { code: 'validation_failed', refusal: { errors: [{ pointer: '/reason' }] } }
    expect(await cancelling('x'.repeat(1_001)).preview()).toMatchObject(tooLong)
    // Each label is a character longer than the address.
    expect(await cancelling(`${'a@b.co '.repeat(142)}`).preview()).toMatchObject(tooLong)
    expect((await previewed('x'.repeat(1_000))).shown.preview.reason).toHaveLength(1_000)
    expect(world.mutations()).toEqual([])
  })

  test('stands in the preview alone: in no sentence, result, record, entry or note', async () => {
    const { cancel, shown } = await previewed()
    expect(shown.summary + shown.warnings.join()).not.toContain('partner')
    const committed = await cancel.commit()
    expect(committed).toMatchObject({
      body: { result: expect.not.objectContaining({ reason: expect.anything() }) },
    })
    await world.idle()
    const everywhere = [committed, await cancel.commit(), await world.status(await cancel.name)]
    const kept = [world.kept(), world.puts, world.auditLog(), world.notes]
    expect(JSON.stringify([everywhere, kept])).not.toContain('partner')
  })
})

describe('the text for the client is kept sealed, and emptied', () => {
  test('by an alarm when its preview expires, and no repeat shows it before the alarm has come', async () => {
    asksForAPerson()
    const { cancel, name } = await previewed()
    const { until } = (await world.approval(name))!
    expect(await cancel.alarm()).toBeLessThanOrEqual(until)
    await world.until(until - 1)
    expect(await world.approval(name)).toMatchObject({
      status: 'waiting',
      preview: { reason: REASON },
    })
    world.pass(1)
    expect(await world.approval(name)).toMatchObject({
      status: 'expired',
      preview: { reason: null },
    })
    expect(await keepsText(cancel)).toBe(true)
    await world.until(until)
    expect(await keepsText(cancel)).toBe(false)
    expect(await world.approval(name)).toMatchObject({
      status: 'expired',
      preview: { reason: null },
    })
    expect(await cancel.commit()).toMatchObject({ code: 'confirmation_expired' })
  })

  test('by that alarm also where the audit log does not answer', async () => {
    const { cancel } = await previewed()
    world.failingAppends = 100
    await world.until(world.now() + 15 * MINUTE)
    expect(await keepsText(cancel)).toBe(false)
    expect((await cancel.record())?.outbox).toBeDefined()
  })

  test('when a person declines, before or after an approval, and the page shows it no more', async () => {
    asksForAPerson()
    for (const decisions of [['decline'], ['approve', 'decline']] as const) {
      const { cancel, name } = await previewed()
      for (const decision of decisions) {
        expect(await world.approval(name)).toMatchObject({ preview: { reason: REASON } })
        await world.decide(name, decision)
      }
      expect(await keepsText(cancel)).toBe(false)
      expect(await world.approval(name)).toMatchObject({
        status: 'declined',
        preview: { reason: null },
      })
    }
  })

  test('when the preview is stale, or the provider refuses', async () => {
    const stale = await previewed()
    const refused = await previewed()
    world.fail('cancel', 'refused')
    await refused.cancel.commit()
    expect(await keepsText(refused.cancel)).toBe(false)
    await callerOf(world, 'cancel_booking', { booking_id }).preview()
    await world.calendar.cancel(booking_id.slice('bk_'.length), 'someone')
    expect(await stale.cancel.commit()).toMatchObject({ code: 'booking_not_active' })
    expect(await keepsText(stale.cancel)).toBe(false)
  })

  test('not while its commit may still be sent: a busy provider is sent the same text later', async () => {
    const { cancel } = await previewed()
    world.fail('cancel', 'busy')
    expect(await cancel.commit()).toMatchObject({ code: 'provider_busy' })
    expect(await keepsText(cancel)).toBe(true)
    expect(await cancel.commit()).toMatchObject({ status: 'committed' })
    expect(sent).toEqual([REASON, REASON])
  })
})

describe('a crash', () => {
  test('between send and answer: the alarm sends the same text, without the caller, until the outcome is known', async () => {
    const { cancel } = await previewed()
    world.fail('cancel', 'timeout_before', 'timeout_before')
    expect(await cancel.commit()).toMatchObject({ code: 'outcome_unknown' })
    await cancel.crash()
    expect(await keepsText(cancel)).toBe(true)
    await cancel.ring()
    expect(await keepsText(cancel)).toBe(true)
    await cancel.crash()
    await cancel.ringAll()
    expect(sent).toEqual([REASON, REASON, REASON])
    expect(await keepsText(cancel)).toBe(false)
    expect(await cancel.commit()).toMatchObject({ status: 'committed', replayed: true })
  })
})

describe('what a person approves', () => {
  test('has the text under both digests, which still hold once the text is gone', async () => {
    asksForAPerson()
    const { cancel, shown, name } = await previewed()
    const view = (await world.approval(name))!
    const { id, digest, operation, mode, preview, summary, warnings } = view
    const seen = { preview, summary, warnings }
    expect(seen).toEqual({
      preview: shown.preview,
      summary: shown.summary,
      warnings: shown.warnings,
    })
    const keyring = await (await world.ports()).keyring()
    const ofPage = async (shown: Shown) => {
      const reason = String(Reflect.get(shown.preview, 'reason'))
      const readers = ['caller', 'approver', 'provider'] as const
      const texts = sealedFields([{ readers, texts: { reason } }], true)
      const macs = await macsOfTexts(keyring, { keyId: keyring.current, id }, texts)
      const kept = withoutTexts(shown, texts)
      const by = { caller: 'tester', app: null, request_id: null }
      const text = approvalText({ operation, mode, id, shown: kept, by }, macs)
      expect(text).not.toContain(reason)
      return keyring.mac(keyring.current, 'approval', text)
    }
    expect(await ofPage(seen)).toBe(digest)
    const another = { ...seen, preview: { ...preview, reason: 'Another text.' } }
    expect(await ofPage(another)).not.toBe(digest)

    await world.decide(name, 'approve')
    await cancel.commit()
    await world.idle()
    const kept = world
      .auditLog()
      .filter(({ event }) => ['preview', 'approval', 'commit'].includes(event))
    expect(kept).toHaveLength(3)
    // The nonce stands in the token, which the caller has and no log.
    const nonce = cancel.token()!.slice('ct_'.length).split('.')[0]!
    const proof = await sha256Base64url(shownText(nonce, seen))
    expect(kept.map((entry) => entry.shown)).toEqual([proof, proof, proof])
    expect(await sha256Base64url(shownText(nonce, another))).not.toBe(proof)
  })
})

describe('a rotation of the signing secret', () => {
  const NEXT = 'the signing secret of these tests, 2nd'

  test('that has dropped the secret leaves nothing to approve, and sends nothing', async () => {
    asksForAPerson()
    const { cancel, name } = await previewed()
    await world.decide(name, 'approve')
    world.secrets = [NEXT]
    await cancel.crash()
    expect(await world.approval(name)).toMatchObject({
      status: 'expired',
      preview: { reason: null },
    })
    expect(await cancel.commit()).toMatchObject({ code: 'confirmation_expired' })
    expect(sent).toEqual([])
  })

  test('that drops the secret while the change is being made does not call it expired', async () => {
    asksForAPerson()
    const { cancel, name } = await previewed()
    await world.decide(name, 'approve')
    const reading = world.stop('after', 'booking')
    const commit = cancel.commit()
    await reading.reached
    world.secrets = [NEXT]
    expect(await world.approval(name)).toMatchObject({
      status: 'running',
      preview: { reason: null },
    })
    world.secrets = [SECRET]
    reading.go()
    expect(await commit).toMatchObject({ status: 'committed' })
    expect(await world.approval(name)).toMatchObject({ status: 'committed' })
  })

  test('that drops the secret while the change is declined leaves the page with the decline', async () => {
    asksForAPerson()
    const { name } = await previewed()
    const seen = (await world.approval(name))!
    world.secrets = [NEXT]
    const page = world.approval(name)
    await world.decide(name, 'decline', seen)
    expect(await page).toMatchObject({ status: 'declined', preview: { reason: null } })
  })

  test('that drops the secret of a change in doubt sends nothing else in its place: a person has to look', async () => {
    const { cancel } = await previewed()
    world.fail('cancel', 'timeout_before')
    expect(await cancel.commit()).toMatchObject({ code: 'outcome_unknown' })
    world.secrets = [NEXT]
    await cancel.crash()
    await cancel.ringAll()
    expect(sent).toEqual([REASON])
    expect(world.alerted).toEqual(['cancel_booking'])
    expect((await cancel.record())?.state).toBe('running')
  })
})
