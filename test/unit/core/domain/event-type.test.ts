import { expect, test } from 'vitest'

import { inPerson, publicText } from '../../../../src/core/domain/event-type.ts'

test.each([
  ['12 Main Street, Springfield, IL 62701-1234', '12 Main Street, Springfield, IL 62701-1234'],
  ['  Hauptstraße 5\n10115 Berlin\t', 'Hauptstraße 5 10115 Berlin'],
  ['St.Louis, No.5 Elm Ave.', 'St.Louis, No.5 Elm Ave.'],
  ['a\u202Eb\u0007c', 'a b c'],
  ['Pinecrest Road 7', 'Pinecrest Road 7'],
])('an address is shown in one line: %j', (text, shown) => expect(publicText(text)).toBe(shown))

test.each([
  'https://zoom.us/j/8123456789',
  'zoom.us/j/8123',
  'www.meet.example',
  'write to host@practice.example',
  'Main Street 5, PIN 4471',
  'Meeting 812 3456 7890',
  '+1 (312) 555-0100 4471 00'.replaceAll(/[()]/g, ''),
  'Passcode: abc',
  ' \n ',
  'x'.repeat(201),
  null,
  undefined,
])('a text that lets somebody in, or says nothing, is not shown: %j', (text) => {
  expect(publicText(text)).toBeNull()
  expect(inPerson(text)).toEqual({ kind: 'in_person', text: 'in person' })
})
