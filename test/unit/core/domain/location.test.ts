import { expect, test } from 'vitest'

import { inPerson, publicText } from '../../../../src/core/domain/location.ts'

test.each([
  ['12 Main Street, Springfield, IL 62701-1234', '12 Main Street, Springfield, IL 62701-1234'],
  ['  Hauptstraße 5\n10115 Berlin\t', 'Hauptstraße 5 10115 Berlin'],
  ['a\u202Eb\u0007c', 'a b c'],
])('an address is shown in one line: %j', (text, shown) => expect(publicText(text)).toBe(shown))

test.each([
  'https://zoom.us/j/8123456789',
  'write to host@practice.example',
  'Main Street 5, PIN 4471',
  'Meeting 812 3456 7890',
  'Passcode: abc',
  'abc-defg-hij',
  'Zoom id: 123456',
  'pass 4821',
  'buzz 214 on arrival',
  'lockbox 7719',
  'combo 12-34-56',
  'door is 4821',
  'Callbox: 4821',
  'dial 0 then 4821',
  'Unlock with 4821',
  'entrance 4821',
  'gate 4821 behind Pine Street',
  'door 4821 back way in',
  'Gate 4821 Drive',
  'enter 4821 Pine Street',
  'WiFi Guest2024 password kafka',
  'wifi guest hunter22',
  'wi fi: guest / hunter22',
  'Wi-Fi 48213377',
  'SSID Guest2024',
  '4 Elm Rd, guest network Harbor2026',
  '4 Elm Rd, alarm off with 1234',
  'Porte 4821, rue de Rivoli',
  'Tür 4821, Hauptstraße 5',
  'Digicode 12A45, 5 rue de Rivoli',
  'Puerta 1234',
  'Main Street 5, pwd kafka',
  'Calle Mayor 3, contraseña gato',
  '１２３４５６７８９',
  'zoom.us',
  'jane at example dot com',
  'Main Street 5, call 212-555-0147',
  'SSN 078-05-1120',
  'x'.repeat(201),
  null,
])('a text that lets someone in, or says nothing, is not shown: %j', (text) => {
  expect(publicText(text)).toBeNull()
  expect(inPerson(text)).toEqual({ kind: 'in_person', text: 'in person' })
})

test.each([
  '12 Main Street, Springfield, IL 62701-1234',
  'Hauptstraße 5, 10115 Berlin',
  'St.Louis, No.5 Elm Ave.',
  'Calle 8 #4521, San Juan PR 00926',
  'P.O. Box 12, 4 Elm Rd',
  '4821 Door Street',
  '5 rue de la Porte, Paris',
  'main entrance 4500 Oak Blvd.',
  'Entrance 120 1st Ave',
  'Entry 1600 N. 5th St, Suite 12',
  'Lobby 1200 Broadway',
  'Door 350 Saint John’s Plaza, floor 3',
  'entrance 120 Pine Street Suite 400',
  'free WiFi, 120 Pine Street',
  'WiFi, Suite 12B, 4 Elm Rd',
])('a plain street address is shown: %j', (text) => {
  expect(inPerson(text)).toEqual({ kind: 'in_person', text: `in person: ${text}` })
})

test.each([
  'Ring at the back, ask for Sam',
  'Our office',
  'Main Street 1234567',
  '12 34 56 Main Street',
  'Main Street 5 <b>',
  'Main Street',
  'kafka 4821',
])('anything else of a place is said in words of the connector: %j', (text) => {
  expect(inPerson(text)).toEqual({ kind: 'in_person', text: 'in person' })
})

test.each(['Tax consult', 'Social Security 2026 review', 'Room 4821', 'WiFi available 24/7'])(
  'a title is shown as it is: %j',
  (title) => expect(publicText(title)).toBe(title),
)

test.each([
  'entrance 1',
  'entrance 120 Pine ',
  'wifi ',
  'wifi a ',
  'door 12 a.',
  'gate is ',
  'wifi 1st ',
])('a long row of %j is read soon', (fill) => {
  const started = process.cpuUsage()
  for (let times = 0; times < 200; times += 1) publicText(fill.repeat(200 / fill.length))
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
})
