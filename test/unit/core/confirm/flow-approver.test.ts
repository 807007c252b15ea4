import { beforeEach, describe, expect, it } from 'vitest'

import type { Previewed } from '../../../../src/core/confirm/record.ts'
import { sealTexts, sealedFields } from '../../../../src/core/confirm/sealed.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import { BOOKING, CLIENT, type Caller, callerOf, personApproves } from './caller.ts'

/** What the page shows in place of the masked fields, by operation. */
const WHOLE = {
  book_consult: { invitee_name: 'Jordan Doe', invitee_email: 'j***@example.com' },
  create_client_profile: { display_name: 'Jordan Doe', contact_email: 'j***@example.com' },
}
const NAMED_BOOKING = { ...BOOKING, invitee_name: 'Jordan Doe' }
const FIELDS = { book_consult: NAMED_BOOKING, create_client_profile: CLIENT }

let world: World
beforeEach(() => void (world = practice()))

async function asked(operation: keyof typeof WHOLE): Promise<{ caller: Caller; name: string }> {
  world.rules = personApproves(operation)
  const caller = callerOf(world, operation, FIELDS[operation])
  await caller.preview()
  return { caller, name: await caller.name }
}

const sealedIn = async (caller: Caller) => (await caller.record())?.sealedText

describe.each(['book_consult', 'create_client_profile'] as const)('%s', (operation) => {
  it('shows the name whole and the whole domain on the page of the approval, and masked in the preview', async () => {
    const { caller, name } = await asked(operation)
    expect((await world.approval(name))?.whole).toEqual(WHOLE[operation])
    const answers = [await caller.preview(), await caller.commit(), await caller.status()]
    const stored = [world.kept(), world.auditLog(), world.puts, world.notes]
    expect(JSON.stringify([answers, stored])).not.toMatch(/Jordan|@example/)
    expect(await sealedIn(caller)).toBeDefined()
  })

  it('keeps nothing of it where no person has to approve', async () => {
    const caller = callerOf(world, operation, FIELDS[operation])
    await caller.preview()
    expect((await caller.record())!).toHaveProperty('sealedText', undefined)
  })

  it('is not approved with another name than the digest covers, nor without one', async () => {
    const { caller, name } = await asked(operation)
    const seen = (await world.approval(name))!
    const record = (await caller.record()) as Previewed
    const keyring = await (await world.ports()).keyring()
    const [field = ''] = Object.keys(WHOLE[operation])
    const textsOf = (texts: object) =>
      sealedFields([{ readers: ['approver'], texts: { ...texts } }], true)
    const forged = textsOf({ ...WHOLE[operation], [field]: 'Jordan Roe' })
    const plant = async (kept: Previewed) => {
      await caller.crash()
      world.plant(name, kept, kept.expiresAt)
    }
    const { sealedText: _sealed, ...without } = record
    const sealedText = (await sealTexts(keyring, record.id, forged))!
    const another = (await sealTexts(keyring, 'another preview', textsOf(WHOLE[operation])))!
    for (const swapped of [
      { ...record, sealedText },
      { ...record, sealedText: another },
      without,
    ]) {
      await plant(swapped)
      expect(await world.approval(name)).toMatchObject({ status: 'expired', whole: {} })
      await world.decide(name, 'approve', seen)
      expect(await caller.commit()).toMatchObject({ code: 'approval_pending' })
    }
    await plant(record)
    await world.decide(name, 'approve', seen)
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  })
})

it('two names that look the same masked have two digests', async () => {
  world.rules = personApproves('book_consult')
  const digests = []
  for (const invitee_name of ['Jordan Doe', 'Jill Dalton']) {
    const caller = callerOf(world, 'book_consult', { ...BOOKING, invitee_name })
    await caller.preview()
    digests.push((await caller.record())?.need?.digest)
  }
  expect(new Set(digests).size).toBe(2)
})
