import { describe, expect, test } from 'vitest'

import { maskPhone, phoneNumber, spokenPhone } from '../../../../src/core/domain/phone.ts'

describe('a telephone number', () => {
  test.each([
    ['(202) 555-0147', '+12025550147'],
    ['202-555-0147', '+12025550147'],
    ['202.555.0147', '+12025550147'],
    ['2025550147', '+12025550147'],
    [' 1 202 555 0147 ', '+12025550147'],
    ['+1 (202) 555-0147', '+12025550147'],
    ['202\u2011555\u20130147', '+12025550147'],
    ['２０２ ５５５ ０１４７', '+12025550147'],
    ['tel:+1-202-555-0147', '+12025550147'],
    ["'2025550147", '+12025550147'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+52 55 5555 0147', '+525555550147'],
  ])('%s is read as %s', (typed, number) => expect(phoneNumber(typed)).toBe(number))

  test.each([
    '555-0147',
    '202-555-0147 ext. 12',
    '202-555-0147 x3',
    '102-555-0147',
    '202-155-0147',
    '+1 202 555 014',
    '123-45-6789',
    '+123456789',
    '4111 1111 1111 1111',
    '020 7946 0958',
    '0044 20 7946 0958',
    '+0 20 7946 0958',
    '+44 20 7946 0958 1234 56',
    'call me',
    '+',
    '',
  ])('%j is none', (typed) => expect(phoneNumber(typed)).toBeUndefined())

  test('is shown by its last four digits, and whole to who approves', () => {
    expect(maskPhone('+12025550147')).toBe('(•••) •••-0147')
    expect(maskPhone('+442079460958')).toBe('••• 0958')
    expect(spokenPhone('+12025550147')).toBe('(202) 555-0147')
    expect(spokenPhone('+442079460958')).toBe('+442079460958')
  })
})
