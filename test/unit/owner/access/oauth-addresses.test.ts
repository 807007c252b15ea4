import { expect, test } from 'vitest'

import { networkOf } from '../../../../src/core/domain/origin.ts'
import { isDocumentAddress, speaksFor } from '../../../../src/owner/access/oauth-documents.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['2001:db8:0:0:1::9', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['unknown', 'unknown'],
])('the address %s is throttled as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('every address of a network of 64 bits is throttled as one', () => {
  const ends = ['::', '::1', ':0:0:0:1', ':1::', ':1::1', ':ffff:ffff:ffff:ffff', '::ffff:1.2.3.4']
  for (const network of ['2001:db8:0:0', '2001:db8:0:7', '2001:db8:7:0', '2001:0:0:7', '1:2:3:4'])
    expect(new Set(ends.map((end) => networkOf(network + end)))).toEqual(new Set([network]))
})

test.each([
  ['https://app.example/client.json', true],
  ['https://app.example:8443/a/b?c=d', true],
  ['https://xn--bcher-kva.example/a', true],
  ['https://bücher.example/a', false],
  ['https://app.example:443/a', false],
  ['https://app.example./a', true],
  ['https://0x7f000001/a', false],
  [`https://app.example/${'a'.repeat(600)}`, false],
  ['https:/app.example/a', false],
  ['https:app.example/a', false],
  ['ftp://app.example/a', false],
  ['data:application/json,{}', false],
])('whether %s is the address of a client document: %s', (id, isOne) => {
  expect(isDocumentAddress(id)).toBe(isOne)
})

test.each([
  ['https://app.example/cb', true],
  ['https://login.app.example/cb', true],
  ['https://example/cb', false],
  ['https://evilapp.example/cb', false],
  ['https://app.example.evil.example/cb', false],
  ['https://app.example@evil.example/cb', false],
  ['http://app.example/cb', false],
  ['app://app.example/cb', false],
])('a document of app.example speaks for %s: %s', (redirect, does) => {
  expect(speaksFor('https://app.example/client.json', redirect)).toBe(does)
})
