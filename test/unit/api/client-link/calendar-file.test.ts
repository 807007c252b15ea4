import { expect, test } from 'vitest'

import { calendarFile } from '../../../../src/api/client-link/calendar-file.ts'

const ENTRY = {
  uid: 'cil_mock_1',
  start: Date.parse('2026-11-30T10:00:00-05:00'),
  end: Date.parse('2026-11-30T10:30:00-05:00'),
  title: 'Consult with Harbor Tax & Books',
  place: 'In person: 12 Main St, Suite 4; ring twice\nthen wait',
}
const file = (more: Partial<Parameters<typeof calendarFile>[0]> = {}) =>
  calendarFile({ ...ENTRY, ...more }, Date.parse('2026-11-28T12:00:00Z'))

test('a consult as a file for a calendar: in UTC, with marked text', () => {
  const lines = file().replaceAll('\r\n ', '').split('\r\n')
  expect(lines.at(-1)).toBe('')
  expect(lines).toEqual(
    expect.arrayContaining(['DTSTART:20261130T150000Z', 'DTEND:20261130T153000Z']),
  )
  expect(lines).toContain(
    String.raw`LOCATION:In person: 12 Main St\, Suite 4\; ring twice\nthen wait`,
  )
  expect(file({ place: null })).not.toContain('LOCATION')
})

test('no text adds a line of its own, and no line is longer than 75 octets', () => {
  const text = file({ title: `é${'€'.repeat(80)}\r\nATTENDEE:mailto:x@example.com` })
  expect(text).not.toMatch(/^ATTENDEE/m)
  for (const line of text.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
})
