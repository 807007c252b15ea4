import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import type { Wrong } from '../../../../src/api/client-link/fields.ts'
import { LANGUAGES } from '../../../../src/api/client-link/link-page.ts'
import {
  type ReviewView,
  detailsPage,
  donePage,
  reviewPage,
  statePage,
  timesPage,
} from '../../../../src/api/client-link/views.ts'
import { staticSource } from '../../../../src/cli/static-files.ts'
import { type Asked } from '../../../../src/core/domain/event-type.ts'
import { LOCATIONS, inPerson, video } from '../../../../src/core/domain/location.ts'

const START = Date.parse('2026-11-30T14:00:00Z')
const HALF_HOUR = 1_800_000
const DAY = 86_400_000

const link = {
  link_id: 'cil_mock_1',
  ask: ['details', 'intake', 'time'] as ('details' | 'intake' | 'time')[],
  event_type: 'consult',
  timezone: 'America/New_York',
  expires_at: '2026-12-03T15:00:00Z',
  made_by: 'key:1',
  approved: false,
}
const booking = {
  start_time: '2026-11-30T09:00:00-05:00',
  end_time: '2026-11-30T09:30:00-05:00',
  timezone: 'America/New_York',
  local_time: 'Monday, November 30, 2026, 9:00 AM EST',
  event_type: 'consult',
  invitee_email: 'j***@***.example',
  invitee_name: 'J. Z.',
  location: 'video (Zoom)',
}

function view(language: 'en' | 'es', phone: string | null = '555-0142') {
  const named = { practice: 'Harbor & Pine <i>', provider: 'Calendly', phone }
  return {
    ...named,
    terms: { text: 'Cancel a day before.', language: 'en' as const },
    path: '/c/mock_x',
    chosen: {},
    language,
    words: LANGUAGES[language].wordsOf(named),
    zone: 'America/New_York',
    isMock: false,
    link,
    about: { title: 'Tax consult', minutes: 30, place: 'video (Zoom)' },
  }
}
const form = {
  name: 'Jordan Zibblethwaite',
  email: 'jordan@plumbwick.example',
  notes: 'Before noon, please',
}
const DAYS = 14
/** Every half hour of so many days, from the middle of a day to that of the last. */
const times = Array.from({ length: 48 * DAYS }, (_, n) => START + n * HALF_HOUR)
const asked = { sealed: undefined, pressed: undefined, error: undefined }
const none = new Map<string, Wrong>()
const asks: Asked = {
  questions: [
    { id: 'about', question: 'What is it about? <b>', required: true, kind: 'text' },
    { id: 'who', question: 'Who?', required: true, kind: 'choice', choices: ['Me', '<i>'] },
  ],
  places: [
    { id: 'call', location: LOCATIONS.practiceCalls, needs: 'phone' },
    { id: 'zoom', location: video('Zoom') },
  ],
}
const typing = { makersScopes: [], notice: null, errors: none, asks, form, pressed: START }
const review: Pick<ReviewView, 'preview' | 'form' | 'sent' | 'sealed'> = {
  preview: { client: null, answers: null, booking },
  form,
  sent: { answers: [{ question: 'Who? <i>', answer: '<i>' }], phone: '+12025550147' },
  sealed: 'x'.repeat(900),
}
const booked = { ...booking, booking_id: 'bk_1', state: 'confirmed' as const }

const PAGES = (['en', 'es'] as const).flatMap((language) => {
  const all = (phone: string | null) => ({
    times: timesPage({ ...view(language, phone), ...asked, times }),
    details: detailsPage({ ...view(language, phone), ...typing }),
    review: reviewPage({ ...view(language, phone), ...review }),
    done: donePage({ ...view(language, phone), booking: booked }),
    state: statePage(view(language, phone), 'Title', 'Text', true),
  })
  const [told, untold] = [all('555-0142'), all(null)]
  return Object.entries(told).map(
    ([name, html]) => [`${name}, ${language}`, html, untold[name as keyof typeof untold]] as const,
  )
})

describe.each(PAGES)('the page %s', (_name, html, untold) => {
  test('is at most 6,144 bytes by gzip -9, also with as many times as there can be', () => {
    expect(gzipSync(html, { level: 9 }).length).toBeLessThanOrEqual(6 * 1024)
  })

  test('says whom to call, and leaves that out where no one is named', () => {
    expect(html).toContain('555-0142')
    expect(untold).not.toMatch(/0142|null|undefined|\bCall\b|Llame/)
  })

  test('runs no script, and escapes what the practice wrote', () => {
    expect(html).toContain('Harbor &amp; Pine &lt;i&gt;')
    expect(html).not.toMatch(/<script|<i>| on\w+=|style="/)
  })
})

describe('the client is told', () => {
  test.each([
    [video('Zoom').text, 'by video (Zoom)', 'por video (Zoom)'],
    [video().text, 'by video', 'por video'],
    [inPerson(null).text, 'in person', 'en persona'],
    [inPerson('12 Main Street').text, 'in person: 12 Main Street', 'en persona: 12 Main Street'],
    [LOCATIONS.practiceCalls.text, 'calls you', 'le llama'],
    [LOCATIONS.inviteeCalls.text, 'you call Harbor', 'al 555-0142'],
    [LOCATIONS.link.text, 'Calendly sends you the link', 'Calendly le envía el enlace'],
    [LOCATIONS.byInvitee.text, 'at a place that you name', 'donde usted diga'],
    [LOCATIONS.arranged.text, 'arranges with you', 'como lo acuerde con'],
    ['On the roof', 'On the roof', 'On the roof'],
  ])('where it is: %s', (location, english, spanish) => {
    const pages = (['en', 'es'] as const).map((language) =>
      donePage({ ...view(language), booking: { ...booked, location } }),
    )
    expect(pages[0]).toContain(english)
    expect(pages[1]).toContain(spanish)
  })

  test('the time in the zone that was chosen, said once', () => {
    const page = timesPage({
      ...view('en'),
      ...asked,
      zone: 'America/Los_Angeles',
      times: [START, START + DAY],
    })
    expect(page).toContain('<b>Los Angeles time.</b>')
    expect(page).toContain('>6:00 AM</button>')
    expect(page).toContain('value="2026-11-30T06:00:00-08:00"')
    expect(page).not.toMatch(/ [EP][SD]T\b/)
  })

  test('what is kept of what was typed, and where the mail goes, on the page before it is sent', () => {
    const page = reviewPage({ ...view('en'), ...review })
    expect(page).toContain('keeps only J. Z. and j***@***.example.')
    expect(page).toContain('Calendly writes to jordan@plumbwick.example.')
    expect(page).toContain('<section class="box" aria-labelledby="terms">')
  })

  test('that a consult which the practice has to accept is asked for, and by whom it is accepted', () => {
    const waiting = { ...booked, state: 'pending_host_approval' as const }
    const page = donePage({ ...view('en'), booking: waiting })
    expect(page).toContain('<h1>Requested</h1>')
    expect(page).toContain('still has to accept it')
    expect(page).not.toContain('comes within a few minutes')
  })

  test('that a consult of the mock was a trial, also once the calendar is live', () => {
    const page = (booking_id: string) =>
      donePage({ ...view('en'), booking: { ...booked, booking_id } })
    expect(page('bk_mock_1')).toContain('<h1>Booked (trial)</h1>')
    expect(page('bk_1')).toContain('<h1>Booked</h1>')
  })

  test('the file for the own calendar of a client in the language that they chose', () => {
    const page = donePage({ ...view('es'), chosen: { language: 'es' }, booking: booked })
    expect(page).toContain('href="?lang=es&amp;file=calendar"')
  })

  test('nothing about another person at the end, which the maker of the link can open', () => {
    for (const language of ['en', 'es'] as const)
      expect(donePage({ ...view(language), booking: booked })).not.toMatch(/J\. Z\.|j\*\*\*/)
  })
})

test('the times of each day follow its choice, where the style shows them if it is chosen', () => {
  const style = readFileSync(staticSource('client-link.css'), 'utf8')
  expect(style).toContain('.days > input:checked + label + .of {')
  const day =
    /<input type="radio" name="day"[^>]*>\s*<label [^>]*>(?:(?!<input).)*?<\/label>\s*<div class="of">/gs
  const page = timesPage({ ...view('en'), ...asked, times })
  expect(page.match(day)).toHaveLength(DAYS + 1)
})
