import { describe, expect, test } from 'vitest'

import { calledUrl, refusedUrl } from '../../../../../src/core/domain/events/webhook-url.ts'

const OWN = 'https://connector.example.com'
const LOOPBACK = 'http://127.0.0.1:8787'

test.each([
  'https://hooks.zapier.com/hooks/standard/1/abc/',
  'https://hook.eu1.make.com/abcdef',
  'https://n8n.example.org:8443/webhook/1?token=x#part',
  'https://prod-01.westus.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x',
  'https://xn--bcher-kva.example.com/hook',
  'https://lan.example.com/',
  'https://hooks.mycorp.com/',
])('events are sent to %s', (url) => {
  expect(refusedUrl(url, OWN)).toBeUndefined()
})

test.each([
  ['a text that is no address', 'hooks.example.com'],
  ['an empty text', ''],
  ['http', 'http://hooks.example.com/'],
  ['another scheme', 'ftp://hooks.example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/plain,x'],
  ['a low port', 'https://hooks.example.com:1023/'],
  ['a user name', 'https://user@hooks.example.com/'],
  ['a password', 'https://:secret@hooks.example.com/'],
  ['an IPv4 address', 'https://203.0.113.7/'],
  ['the metadata service of a cloud', 'https://169.254.169.254/latest/meta-data/'],
  ['an address as one number', 'https://2130706433/'],
  ['an address with a dot at its end', 'https://127.0.0.1./'],
  ['an address in wide digits', 'https://１２７.0.0.1/'],
  ['an IPv6 address', 'https://[::1]/'],
  ['an IPv4 address in IPv6', 'https://[::ffff:169.254.169.254]/'],
  ['a name of one part', 'https://intranet/'],
  ['a name of one part with a dot', 'https://intranet./'],
  ['localhost', 'https://localhost:8443/'],
  ['a name below localhost', 'https://a.localhost/'],
  ['a name of the local network', 'https://printer.local/'],
  ['the same under another name', 'https://printer.lan/'],
  ['a name inside a company', 'https://metadata.google.internal/'],
  ['the same with a dot at its end', 'https://metadata.google.internal./'],
  ['another name inside a company', 'https://hooks.corp/'],
  ['a third', 'https://hooks.intranet/'],
  ['a name of a home network', 'https://router.home.arpa/'],
  ['another name of one', 'https://router.home/'],
  ['an address as a name', 'https://1.0.0.127.in-addr.arpa/'],
  ['an IPv6 address as a name', 'https://1.0.0.0.ip6.arpa/'],
  ['a name for tests', 'https://hooks.test/'],
  ['a name for documents', 'https://hooks.example/'],
  ['a name that is never there', 'https://hooks.invalid/'],
  ['a hidden service', 'https://abcdefghijklmnop.onion/'],
  ['a name outside the DNS', 'https://hooks.alt/'],
  ['capitals', 'https://METADATA.GOOGLE.INTERNAL/'],
  ['a tab inside', 'https://local\thost/'],
  ['a backslash', 'https:\\\\localhost\\x'],
  ['our own host', 'https://connector.example.com/v1/bookings'],
  ['our own host in capitals, with a dot, on another port', 'https://CONNECTOR.example.com.:8443/'],
  ['an address that is too long', `https://hooks.example.com/${'x'.repeat(2000)}`],
])('nothing is sent to %s', (_what, url) => {
  const reason = refusedUrl(url, OWN)
  expect(reason).toMatch(/^Expected /)
  if (url !== '') expect(reason).not.toContain(url)
})

describe('while our own address is one of this machine', () => {
  test.each([
    'http://127.0.0.1:5678/hook',
    'http://localhost:5678/hook',
    'https://[::1]:5678/hook',
  ])('events are sent to %s', (url) => {
    expect(refusedUrl(url, LOOPBACK)).toBeUndefined()
    expect(refusedUrl(url, OWN)).toBeDefined()
  })

  test.each([
    'http://127.0.0.1:8787/v1/bookings',
    'http://localhost:8787/',
    'http://127.0.0.1:22/',
    'http://10.0.0.1:8080/',
    'http://hooks.example.com/',
    'ftp://127.0.0.1:5678/',
  ])('nothing is sent to %s', (url) => {
    expect(refusedUrl(url, LOOPBACK)).toBeDefined()
  })
})

test('an address is called without what follows #', () => {
  expect(calledUrl('https://Hooks.Example.com:443/a?b=c#d')).toBe('https://hooks.example.com/a?b=c')
})
