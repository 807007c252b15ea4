import { expect, test } from 'vitest'

import { inPerson, publicText } from '../../../../src/core/domain/location.ts'

test.each([
  ['12 Main Street, Springfield, IL 62701-1234', '12 Main Street, Springfield, IL 62701-1234'],
  ['  Hauptstraße 5\n10115 Berlin\t', 'Hauptstraße 5 10115 Berlin'],
  ['a\u202Eb\u0007c', 'a b c'],
])('an address is shown in one line: %j', (text, shown) => expect(publicText(text)).toBe(shown))

test.each([
  ...(
    'zoommtg://join|zoom.xyz/j|www.zoom.xyz|ask @dana|write to host@practice.example|abc-defg-hij|' +
    'combo 12-34-56|dial 0 then 4821|door 4821 back way in|Gate 4821 Drive|enter 4821 Pine Street|' +
    'WiFi Guest2024 password kafka|wifi guest hunter22|wi fi: guest / hunter22|SSID Guest2024|Wi-Fi 48213377|' +
    '4 Elm Rd, guest network Harbor2026|4 Elm Rd, alarm off with 1234|１２３４５６７８９|' +
    'jane at example dot com|Main Street 5, call 212-555-0147|SSN 078-05-1120'
  ).split('|'),
  'x'.repeat(201),
  null,
])('a text that lets someone in, or says nothing, is not shown: %j', (text) => {
  expect(publicText(text)).toBeNull()
  expect(inPerson(text)).toEqual({ kind: 'in_person', text: 'in person' })
})

/** Texts of one form, with each of these words in it. */
const withEach = (form: string, words: string): string[] =>
  words.split('|').map((word) => form.replace('_', word))

test.each([
  ...withEach(
    '_ 4821',
    'buzz|buzzer|intercom|lockbox|keypad|combo|combination|unlock|press|punch|punch in|enter|dial|ring|bell|' +
      'alarm|callbox|keybox|portero|timbre|marque|toque|interphone|sonnette|klingel|doors|gate|lobby|garage|' +
      'entry|entrance|elevator|lift|puerta|portón|portón|entrada|porte|portail|Tür|Tuer|eingang|' +
      'door is|puerta es|gate number|gate no|door pad|wlan',
  ),
  ...withEach(
    'gate 4821 _ Pine Street',
    'then|and|or|at|for|to|on|in|is|the|from|by|near|behind|beside|next|off|opposite|across|before|after|under|' +
      'with|inside|outside|y|o|en|para|luego|detrás|frente|junto',
  ),
  ...withEach('4821 _ gate', 'at|for|on|to|opens|en|para|de|at the|en la|en el|at the unlock'),
  ...withEach(
    'Elm Road, _ kafka',
    'PIN|passcode|accesscode|meetingcode|doorcode|gatecode|digicode|code|pass|password|passphrase|passe|pw|pwd|key|contraseña|clave|código|codigo',
  ),
  ...withEach(
    'zoom._',
    'com|net|org|us|me|io|app|co|biz|info|link|live|gov|edu|dev|ly|gg|tv|uk|ca|mx|eu',
  ),
  ...withEach('_ 81234', 'id|meeting|conference|reunión|sala|room'),
])('so is a word for what lets someone in: %j', (text) => expect(publicText(text)).toBeNull())

test.each([
  ...withEach(
    'gate 120 Pine _',
    'street|st|avenue|ave|av|road|rd|boulevard|blvd|drive|dr|lane|ln|way|court|ct|place|pl|plaza|square|sq|' +
      'terrace|parkway|pkwy|highway|hwy|circle|cir|trail|route|loop|alley|row|walk|turnpike',
  ),
  ...withEach('gate 120 _ Ave', '2nd|3rd'),
  ...withEach(
    'gate 120 _ Ocho',
    'calle|avenida|paseo|camino|carretera|carrera|rue|via|viale|piazza|rua',
  ),
  ...withEach(
    'gate 120 Pine St _',
    'north|south|east|west|SW|unit 4|apt 4|#4|suite 4|ste 4|floor 4|building 4|bldg 4',
  ),
  ...withEach(
    'WiFi _, 4 Elm Rd',
    'in 412|at 412|on 412|near 412|unit 412|apt 412|room 412|5th street|3rd street|2nd street|1st street',
  ),
  ...withEach('Haupt_ 5', 'strasse|str|weg|platz|gasse|allee|laan|straat'),
  'P.O. Box 12',
  'Suite 12',
  '12 Main Street, Springfield, IL 62701-1234',
  'Hauptstraße 5, 10115 Berlin',
  ...(
    'St.Louis, No.5 Elm Ave.|Calle 8 #4521, San Juan PR 00926|P.O. Box 12, 4 Elm Rd|4821 Door Street|' +
    '5 rue de la Porte, Paris|main entrance 4500 Oak Blvd.|Entrance 120 1st Ave|' +
    'Entry 1600 N. 5th St, Suite 12|Lobby 1200 Broadway|Door 350 Saint John’s Plaza, floor 3|' +
    'entrance 120 Pine Street Suite 400|free WiFi, 120 Pine Street|WiFi, Suite 12B, 4 Elm Rd'
  ).split('|'),
])('a plain street address is shown: %j', (text) => {
  expect(inPerson(text)).toEqual({ kind: 'in_person', text: `in person: ${text}` })
})

test.each(
  (
    'Ring at the back, ask for Sam|Our office|Main Street 1234567|12 34 56 Main Street|' +
    'Main Street 5 <b>|Main Street|kafka 4821'
  ).split('|'),
)('anything else of a place is said in words of the connector: %j', (text) => {
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
