import { describe, expect, test } from 'vitest'

import { maskPhone, phoneNumber, spokenPhone } from '../../../../src/core/domain/phone.ts'

describe('a telephone number', () => {
  test.each([
    ['(202) 555-0147', '+12025550147'],
    ['202-555-0147', '+12025550147'],
    ['202.555.0147', '+12025550147'],
    [' 1 202 555 0147 ', '+12025550147'],
    ['+1 (202) 555-0147', '+12025550147'],
    ['202\u2011555\u20130147', '+12025550147'],
    ['tel:+1-202-555-0147', '+12025550147'],
    ['+44 20 7946 0958', '+442079460958'],
    ['\u202a+1 (202) 555-0147\u202c', '+12025550147'],
    ['\u200e202\u2212555\u22120147', '+12025550147'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['0044 20 7946 0958', '+442079460958'],
    ['011 353 1 555 0147', '+35315550147'],
    ['"+1 202-555-0147"', '+12025550147'],
    ['2025550147.0', '+12025550147'],
    ['202_555_0147', '+12025550147'],
    ['Mobile Phone: 202 555 0147', '+12025550147'],
    ['202-555-0147 (work phone)', '+12025550147'],
    ['whatsapp:+12025550147;', '+12025550147'],
    ['Cell/Text: 202.555.0147', '+12025550147'],
    ['Phone (cell) number: 202-555-0147', '+12025550147'],
    ['Teléfono móvil: 202 555 0147', '+12025550147'],
    ['+44 020 7946 0958', '+442079460958'],
    ['+234 0803 555 0147', '+2348035550147'],
    ['+91 098765 43210', '+919876543210'],
    // In Italy the zero is part of the number.
    ['+39 06 5555 0147', '+390655550147'],
  ])('%s is read as %s', (typed, number) => expect(phoneNumber(typed)).toBe(number))

  test.each([
    '202-555-0147 fax',
    'fax 202-555-0147',
    '0112025550',
    '2.025550147E9',
    '(0) 202 555 0147',
    '+44 20 7946 0958 1234 56',
  ])('%j is none', (typed) => expect(phoneNumber(typed)).toBeUndefined())

  test.each([' ', '(', 'h'])('a long row of %j is read soon', (fill) => {
    const started = process.cpuUsage()
    phoneNumber(`1${fill.repeat(32_000)}5`)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(500)
  })

  test('is shown by its last four digits, and whole to who approves', () => {
    expect(maskPhone('+12025550147')).toBe('(•••) •••-0147')
    expect(maskPhone('+442079460958')).toBe('••• 0958')
    expect(spokenPhone('+12025550147')).toBe('(202) 555-0147')
    expect(spokenPhone('+442079460958')).toBe('+442079460958')
  })
})
