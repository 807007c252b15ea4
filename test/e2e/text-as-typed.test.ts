import { describe, expect, test } from 'vitest'

import { AGENTS } from '../support/agents.ts'
import { connectorForAll } from '../support/started.ts'
import { FACES, type Face, ask, done, newKey } from '../support/transports.ts'

const connector = connectorForAll()

const CLIENT = {
  display_name: 'Robin Castle',
  entity_type: 'individual',
  contact_email: 'robin.castle@practice-guests.example',
}

/** What a practice types, and what is kept where that is not the same. */
const KEPT: [typed: string, kept?: string][] = [
  ['K-1 totals 2024: 312,500 and 2025: 298,100.'],
  ['Form 4797: 312,450 gain'],
  ['AGI 61234/58210'],
  ['Box 1 61234 58210 by job.'],
  ['wages 312450 1099 2025'],
  ['parcel 045-123-067'],
  ['confirmation 0012345678'],
  ['Invoice 5185550142'],
  ['Capital 2023: 415,223 / 2024: 415,918 / 2025: 377,945'],
  ['Each of three children owns 33⅓% of the LLC.'],
  ['Was here 1½ years, 2¼ acres.\n👨‍👩‍👧 نمی‌دانم'],
  ['ﷺ'.repeat(500)],
  ['Pay\u202e\u200b nothing', 'Pay nothing'],
  ['DLN 49789-933-00903-8'],
  ['Amazon order 113-4300145-5480654'],
  ['wages 53036 60132 14295'],
  ['EFTPS number 271699277025640 for Q3'],
  ['Invoice 25-0001234'],
  ['Case 24-1234567'],
  ['SS benefits 23919 / 4221'],
  ['Social security: 23919, 4221 tax-free.'],
  ['2025: 182,400, call 212-555-0147', '2025: 182,400, call [phone]'],
  ['33⅓% to jane@example.com', '33⅓% to [email]'],
]

/** What is refused: the kind, and where it stands. */
const REFUSED: [typed: string, kind: string, where: string][] = [
  ['4111 1111 1111 1111', 'card', 'characters 1 to 19'],
  ['3782-822463-10005', 'card', 'characters 1 to 17'],
  ['MC 2223003122003222', 'card', 'characters 4 to 19'],
  ['card 4111 1111 1111 1112', 'card', 'characters 6 to 24'],
  ['ATIN 912-93-1234', 'itin', 'characters 6 to 16'],
  ['912-93-1234', 'itin', 'characters 1 to 11'],
  ['ATIN 912931234', 'itin', 'characters 6 to 14'],
  ['EIN 25-0001234', 'ein', 'characters 5 to 14'],
  ['25-0001234', 'ein', 'characters 1 to 10'],
  ['S.S. no. 219099999', 'ssn', 'characters 10 to 18'],
  ['SSA number 219099999', 'ssn', 'characters 12 to 20'],
  ['TP 219099999, SP 078051120', 'ssn', 'characters 4 to 12'],
  ['FEI number 123456789', 'ein', 'characters 12 to 20'],
  ['DDA 123456789012', 'bank_account', 'characters 5 to 16'],
  ['refund to 021000021 / 11223344556', 'bank_account', 'characters 11 to 33'],
  ['Fidelity account Z12-345678', 'bank_account', 'characters 18 to 27'],
  ['account 7AB12345 at Merrill', 'bank_account', 'characters 9 to 16'],
  ['SIN: 046454286', 'national_id', 'characters 6 to 14'],
  ['NINO QQ 12 34 56 C', 'national_id', 'characters 6 to 18'],
  ['Aadhaar 2345 6789 0124', 'national_id', 'characters 9 to 22'],
  ['👨‍👩‍👧 née Zoë: 078-05-1120', 'ssn', 'characters 12 to 22'],
]

/** All of them over REST, and a part of them by each agent: the rules are the same. */
const partFor = <One>(all: readonly One[], face: Face): One[] =>
  all.filter((_one, at) => face === 'REST' || at % AGENTS.length === AGENTS.indexOf(face))

describe.each(FACES)('notes over %s', (face) => {
  test('are shown and kept as they were typed, but for contacts and signs that deceive', async () => {
    const { result } = await done(connector, face, 'create_client_profile', CLIENT)
    const client_id = String(result['client_id'])
    for (const [typed, kept = typed] of partFor(KEPT, face)) {
      const answers = { primary_goal: 'other', notes: typed }
      const fields = { client_id, answers }
      const { preview, result: intake } = await done(
        connector,
        face,
        'submit_intake_answers',
        fields,
      )
      expect([typed, preview.preview]).toMatchObject([typed, { answers: { notes: kept } }])
      expect([typed, intake]).toMatchObject([typed, { answers: { notes: kept } }])
      const isLabelled = /\[(?:phone|email)\]/.test(kept)
      const warned = JSON.stringify(preview).includes('with labels in place of')
      expect([typed, warned]).toEqual([typed, isLabelled])
    }
  })

  test('are refused for a number, with its kind and its place and never the text', async () => {
    const { result } = await done(connector, face, 'create_client_profile', CLIENT)
    for (const [typed, kind, where] of partFor(REFUSED, face)) {
      const answers = { primary_goal: 'other', notes: typed }
      const fields = { client_id: result['client_id'], answers, confirm: false }
      const { status, body, text } = await ask(
        connector,
        face,
        'submit_intake_answers',
        fields,
        newKey(),
      )
      const error = {
        pointer: '/answers/notes',
        kind,
        detail: expect.stringContaining(where) as string,
      }
      expect([typed, status, body]).toMatchObject([
        typed,
        400,
        { code: 'sensitive_data_refused', errors: [error] },
      ])
      expect(text).not.toContain(typed)
    }
  })
})
