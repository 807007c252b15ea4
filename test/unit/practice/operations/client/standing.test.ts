import { describe, expect, it } from 'vitest'

import { Problem } from '../../../../../src/core/domain/problem/problem.ts'
import { type KeptRules, NO_RULES } from '../../../../../src/core/domain/rules/house-rules.ts'
import type { Services } from '../../../../../src/core/ports/services.ts'
import { standingOfMaker } from '../../../../../src/practice/operations/complete-client-link.ts'
import type { KeptLink } from '../../../../../src/practice/operations/invite-client.ts'
import { noHouseRules } from '../../../../support/fakes/house-rules.ts'

const SCOPES = ['client_links:write']
const LINK = { link_id: 'cil_mock_1', ask: ['time'], made_by: 'key:1', approved: false }

type Given = {
  scopes?: readonly string[] | undefined
  link?: object
  rules?: () => Promise<KeptRules[]>
}

function standing({ scopes, link = {}, rules = async () => [] }: Given, seen: KeptRules[] = []) {
  const services = {
    access: { standingOf: async () => scopes && { scopes } },
    houseRules: { ...noHouseRules, copyOf: rules, lastCopyOf: () => seen },
    practice: { timezone: 'America/New_York' },
    now: () => Date.parse('2026-11-24T15:00:00Z'),
  } as unknown as Services
  return standingOfMaker({ ...LINK, ...link } as KeptLink, services)
}

const kept = (rules: Partial<KeptRules['rules']>): KeptRules => ({
  caller: 'key:1',
  rules: { ...NO_RULES, ...rules },
  pausedSince: null,
})
const PAUSED = kept({ paused: true })
const PERSON = kept({
  approval: [{ operation: 'book_consult', level: 'person', unless: undefined }],
})

describe('the maker of a link', () => {
  it('lets its link work as long as it may make links, and its page say what it reads', async () => {
    const scopes = [...SCOPES, 'clients:read']
    expect(await standing({ scopes })).toEqual({ scopes })
  })

  it.each([[undefined], [[]], [['bookings:write']]])(
    'ends it where it may do %j now',
    async (scopes) => expect(await standing({ scopes })).toBeUndefined(),
  )

  it('ends it where a rule wants a person for what it does, unless one approved it', async () => {
    const rules = async () => [PERSON]
    expect(await standing({ scopes: SCOPES, rules })).toBeUndefined()
    const approved = { scopes: SCOPES, rules, link: { approved: true } }
    expect(await standing(approved)).toEqual({ scopes: SCOPES })
    const other = { scopes: SCOPES, rules, link: { ask: ['details'] } }
    expect(await standing(other)).toEqual({ scopes: SCOPES })
  })

  it.each([
    ['as they are now', async () => [PAUSED], []],
    [
      'as they were last seen, where they do not come',
      () => Promise.reject(new Error('gone')),
      [PAUSED],
    ],
    [
      'as they were last seen, where they come too late',
      () => new Promise<never>(() => {}),
      [PAUSED],
    ],
  ])('stops it where it is paused, by the rules %s', async (_which, rules, seen) => {
    await expect(standing({ scopes: SCOPES, rules }, seen)).rejects.toSatisfy(
      (thrown) => thrown instanceof Problem && thrown.refusal.code === 'paused',
    )
  })
})
