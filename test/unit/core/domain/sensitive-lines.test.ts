import { describe, expect, test } from 'vitest'

import { redactContacts } from '../../../../src/core/domain/sensitive-data/contacts.ts'
import { sensitivePart } from '../../../../src/core/domain/sensitive-data/sensitive-data.ts'
import { HELD_OUT_ACCEPTED, HELD_OUT_CONTACTS, HELD_OUT_REFUSED } from '../../held-out-lines.ts'

describe('lines that were written before the rules are judged rightly', () => {
  test.each(HELD_OUT_REFUSED)('refused: %s', (line) => expect(sensitivePart(line)).toBeDefined())
  test.each(HELD_OUT_ACCEPTED)('accepted: %s', (line) =>
    expect(sensitivePart(line)).toBeUndefined(),
  )
  test.each(HELD_OUT_CONTACTS)('%s', (note, kept) => expect(redactContacts(note)).toBe(kept))
})

describe('what docs/security.md says is not recognised passes', () => {
  test.each([
    'Chase 000123456789',
    'Wells Fargo: 12345678',
    'zero 78-05-1120',
    '078 zero five 1120',
    'ssn 07eight051120',
    'four111 1111 1111 1111',
    'zéro sept huit zéro cinq un un deux zéro',
    'ssn seven hundred eighty oh five eleven twenty',
    '零七八零五一一二零',
    'ssn 078x05x1120',
    'ssn 078, then 05, then 1120',
    'ssn 0a7b8c0d5e1f1g2h0',
    'ssn 078-----05-----1120',
    'ssn 078.05. 1120',
    'ssn: first half 07805, second half 1120',
    '0211-50-870',
    btoa('my ssn is 078-05-1120'),
    'my social security number, as I promised you when we met last Tuesday, 078051120',
    '078051120',
    '47 1234567',
    '078.05-1120',
    '078, 05, 1120',
    '4111, 1111, 1111, 1111',
    'account 12345',
    'account value 123000',
    'roth 245123',
    'my account? ask 2125550147',
    'account 2024-12-31 4567',
    'license D12345678',
    'state ID number 12345678',
  ])('%s', (line) => expect(sensitivePart(line)).toBeUndefined())
})

/** Milliseconds of the processor, not of the clock: other programs do not count. */
const costOf = (work: () => void): number => {
  const started = process.cpuUsage()
  work()
  return process.cpuUsage(started).user / 1000
}

/** Milliseconds for 32,000 characters or fewer, whatever they are. */
const AT_MOST = 1_500

describe('eight times the text takes about eight times as long', () => {
  const fills =
    '1|1 |1, |1.|1:|1/|12 |1,234,|1,234/|$1|2024 |1/2 |10:30 |+1 |212-555-|2125550147 |ssn |ssn 1|s.|acct no |' +
    'acct number is the my |acct #######|account 1 |its |checking 12 |4111 |gb82 w |&amp;|&#45|%25|one |twenty one |' +
    'double |wire 1|wire to a |wire to 12345678 |employer no |oh|x; |x. |no. |data:a|AAAA|jane at |jane at gmail|a@b|a@b, |212_|[phone] |1-|-| |+|+1|(|415 |415-|0|00 |' +
    'a|a.|.|a@|@|a@b.|%40|jo at |a dot | dot |(at)|a at b dot |call |call at |call at 1|five |\u0316\u0301|a\u0301|' +
    '\ufdfa|"|\u0663|4242 |123-45-|123456789 |one two |de89|de89 |acct 12345 |aA1/|data:|social |1234567 |' +
    'tp a b |*a|{{a|a_|aB|dl 1 |passport |passport (|passport (a |C01234567 is my passport #|A-no |021000021 |011 1|invoices 1, |ssn on the |W-2 |Rs 1|1k '
  const TAILS = ['x', '!', '@']

  function takesLinearTime(fill: string, length: number, tails: readonly string[]): void {
    for (const look of [sensitivePart, redactContacts])
      for (const tail of tails) {
        const text = fill.repeat(length / fill.length) + tail
        // Quadratic would be 64 times as long. One measurement may be of the garbage collector.
        const isLinear = () => {
          const [long, short] = [text, text.slice(-length / 8)].map((one) =>
            costOf(() => look(one)),
          )
          return long! < Math.min(30 * short! + 60, AT_MOST)
        }
        expect(isLinear() || isLinear() || isLinear(), `${look.name}, before ${tail}`).toBe(true)
      }
  }

  const all = fills.split('|').map((fill, at) => [fill, [TAILS[at % TAILS.length]!]] as const)
  const some = all.filter((_, at) => at % 8 === 0)
  test.each(some)('%j', (fill, tails) => takesLinearTime(fill, 16_000, tails))
  test.each(all)('%j, whatever comes after it', { tags: 'slow' }, (fill) =>
    takesLinearTime(fill, 32_000, TAILS),
  )

  test('empty cells of a table under long headings', () => {
    const table = `${'Heading of a long column\t'.repeat(2)}Last\n${'\t\t\n'.repeat(10_000)}`
    expect(costOf(() => sensitivePart(table))).toBeLessThan(AT_MOST)
  })
})
