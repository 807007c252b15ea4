import { describe, expect, test } from 'vitest'

import { questionsOn, saidIn } from '../../../../src/api/client-link/asked.ts'
import { fieldsOfChange, sentForm, typedIn, wrongIn } from '../../../../src/api/client-link/form.ts'
import { LANGUAGES } from '../../../../src/api/client-link/link-page.ts'
import { detailsPage } from '../../../../src/api/client-link/views.ts'
import { readSaid } from '../../../../src/core/domain/booking-asks.ts'
import { type Asked, type Place, type Question } from '../../../../src/core/domain/event-type.ts'
import { LOCATIONS, video } from '../../../../src/core/domain/location.ts'

const START = '2026-11-30T09:00:00-05:00'
const link = {
  link_id: 'cil_mock_1',
  ask: ['time'] as 'time'[],
  event_type: 'consult',
  timezone: 'America/New_York',
  expires_at: '2026-12-03T15:00:00Z',
  made_by: 'key:1',
  approved: false,
}
const PERSON = {
  name: 'Jordan Doe',
  email: 'jordan@example.com',
  email_again: 'jordan@example.com',
}

const CALL: Place = { id: 'call', location: LOCATIONS.practiceCalls, needs: 'phone' }
const ZOOM: Place = { id: 'zoom', location: video('Zoom') }
const OWN: Question = {
  id: 'own',
  question: 'Your number',
  required: true,
  kind: 'phone',
  isOwnPhone: true,
}

/** A kind with one question, which is required and called “Which one?”. */
const one = (more: Partial<Question> = {}, places: Place[] = []): Asked => ({
  questions: [{ id: 'which', question: 'Which one?', required: true, kind: 'text', ...more }],
  places,
})
const kindOf = (places: Place[], questions: Question[] = []): Asked => ({ questions, places })

const NAMED = { practice: 'Harbor', provider: 'Calendly', phone: null }

/** The value of each field of a form; of a field that is in it twice, both. */
type Fields = Record<string, string | string[]>

/** What a browser sends of these fields, read as the page reads it. */
async function posted(fields: Fields) {
  const body = new URLSearchParams()
  for (const [name, values] of Object.entries({ ...PERSON, start_time: START, ...fields }))
    for (const value of [values].flat()) body.append(name, value)
  return typedIn(await sentForm(new Request('https://c.example', { method: 'POST', body })))
}

async function read(asks: Asked, fields: Fields, language: 'en' | 'es') {
  const form = await posted(fields)
  const said = saidIn(form, asks)
  const around = { timezone: link.timezone, language }
  const change = fieldsOfChange(form, said, link, around)
  const words = LANGUAGES[language].wordsOf(NAMED)
  return { form, said, errors: wrongIn(form, change, { link, asks, words }) }
}

test.each([
  ['', '', 'email'],
  ['jordan@example.com', '', 'email_again'],
])('of the addresses %j and %j one is wrong', async (email, email_again, wrong) => {
  const { errors } = await read(kindOf([]), { email, email_again }, 'en')
  expect([...errors.keys()]).toEqual([wrong])
})

test('an address is the same in another case, and with signs around it that show nothing', async () => {
  const email = '\u200bJordan@example.com'
  const asks = one({ kind: 'email' })
  const { said, errors } = await read(asks, { email, 'answer:which': email }, 'en')
  expect([...errors.keys()]).toEqual([])
  expect(readSaid(asks, said).answers[0]?.answer).toBe('Jordan@example.com')
})

const A = 'answer:which'
const O = 'other:which'
const PHONE = '202-555-0147'
const CHOICE = { kind: 'choice', choices: ['Red', 'Green'] } as const
const SEVERAL = { ...CHOICE, several: true } as const

/** What goes to the calendar. */
interface Sent {
  answers?: string[]
  phone?: string
  place?: string
}

const TAKEN: [name: string, asks: Asked, fields: Fields, sent: Sent][] = [
  ['a text', one(), { [A]: ' Two\r\nlines ' }, { answers: ['Two\nlines'] }],
  ['a choice', one(CHOICE), { [A]: 'Green' }, { answers: ['Green'] }],
  [
    'another answer',
    one({ ...CHOICE, takesOther: true }),
    { [A]: '', [O]: 'Blue' },
    { answers: ['Blue'] },
  ],
  ['several choices', one(SEVERAL), { [A]: ['Red', 'Green'] }, { answers: ['Red\nGreen'] }],
  [
    'several choices and another answer',
    one({ ...SEVERAL, takesOther: true }),
    { [A]: 'Red', [O]: 'Blue' },
    { answers: ['Red\nBlue'] },
  ],
  [
    'several addresses',
    one({ kind: 'email', several: true }),
    { [A]: 'sam@example.com\r\nlee@example.com' },
    { answers: ['sam@example.com\nlee@example.com'] },
  ],
  ['nothing, where nothing is required', one({ required: false }), { [A]: '' }, {}],
  ['the number of the call', kindOf([CALL]), { phone: PHONE }, { phone: '+12025550147' }],
  [
    'the number that the kind asks for',
    kindOf([], [OWN]),
    { phone: PHONE },
    { phone: '+12025550147' },
  ],
  [
    'the place, and the number that it needs',
    kindOf([ZOOM, CALL]),
    { location: 'practice_calls', phone: PHONE },
    { phone: '+12025550147', place: 'call' },
  ],
  [
    'the place without the number that it does not need',
    kindOf([CALL, ZOOM]),
    { location: 'zoom', phone: PHONE },
    { place: 'zoom' },
  ],
  ['no number where none is asked', kindOf([ZOOM]), { phone: PHONE }, {}],
]

describe('a client can answer with', () => {
  test.each(TAKEN)('%s', async (_name, asks, fields, { answers = [], phone, place }) => {
    const { said, errors } = await read(asks, fields, 'en')
    expect([...errors]).toEqual([])
    const sent = readSaid(asks, said)
    expect(sent.answers.map(({ answer }) => answer)).toEqual(answers)
    expect(sent.phone).toBe(phone)
    if (place !== undefined) expect(sent.place?.id).toBe(place)
  })
})

const REFUSED: [name: string, asks: Asked, fields: Fields, control: string][] = [
  ['no answer', one(), {}, 'question-1'],
  ['an answer of spaces', one(), { [A]: '   ' }, 'question-1'],
  ['a choice that there is not', one(CHOICE), { [A]: 'Zebra' }, 'question-1'],
  ['nothing ticked', one(SEVERAL), {}, 'question-1'],
  ['one tick that there is not', one(SEVERAL), { [A]: ['Red', 'Zebra'] }, 'question-1'],
  ['no number', one({ kind: 'number' }), { [A]: 'Zebra' }, 'question-1'],
  ['no telephone number', one({ kind: 'phone' }), { [A]: '555' }, 'question-1'],
  ['no address', one({ kind: 'email' }), { [A]: 'Zebra' }, 'question-1'],
  ['1,001 characters', one(), { [A]: 'Zebra'.repeat(201) }, 'question-1'],
  ['half a surrogate pair', one(), { [A]: 'Zebra \uFFFD' }, 'question-1'],
  ['a Social Security number', one(), { [A]: 'Zebra 219-09-9999' }, 'question-1'],
  ['a card number', one(), { [A]: '4111 1111 1111 1111' }, 'question-1'],
  ['no number to call', kindOf([CALL]), {}, 'phone'],
  ['half a number to call', kindOf([CALL]), { phone: '555-01' }, 'phone'],
  ['no number of their own', kindOf([], [OWN]), {}, 'phone'],
  ['no place', kindOf([CALL, ZOOM]), { phone: PHONE }, 'location'],
  [
    'a place that there is not',
    kindOf([CALL, ZOOM]),
    { location: 'zebra', phone: PHONE },
    'location',
  ],
  [
    'no number for the place that they choose',
    kindOf([ZOOM, CALL]),
    { location: 'practice_calls' },
    'phone',
  ],
]

describe.each(['en', 'es'] as const)(
  'in %s, the field is named, and nothing is lost, after',
  (language) => {
    test.each(REFUSED)('%s', async (_name, asks, fields, control) => {
      const { form, errors } = await read(asks, fields, language)
      expect([...errors.keys()]).toEqual([control])
      const { label, text } = errors.get(control)!
      expect(label + text).not.toMatch(/zebra|219-09|4111|555-01\b/i)
      const page = detailsPage({
        ...NAMED,
        terms: null,
        path: '/c/x',
        chosen: {},
        isMock: false,
        language,
        words: LANGUAGES[language].wordsOf(NAMED),
        zone: link.timezone,
        link,
        notice: null,
        about: { title: null, minutes: null, place: null },
        makersScopes: [],
        errors,
        asks,
        form,
        pressed: Date.parse(START),
      })
      expect(page).toContain(`<a href="#${control}">${label.replace(/(\w)$/, '$1:')} ${text}</a>`)
      expect(page).toMatch(new RegExp(`<(input|select|textarea)[^>]* id="${control}"`))
      expect(page).toContain(`id="${control}-error"`)
      for (const value of Object.values(PERSON)) expect(page).toContain(`value="${value}"`)
    })
  },
)

test('a page has each question once, under a name that another question cannot take', () => {
  const same = { question: 'Which one?', required: true, kind: 'text' } as const
  const asks = { questions: [{ ...same, id: 'Which one?' }, { ...same, id: 'Which\none?' }, OWN] }
  expect(questionsOn(asks).map(({ answer }) => answer)).toEqual(['answer:Which one?'])
})

test('a field that the page does not have twice is refused twice', async () => {
  const refused: Fields[] = [{ phone: ['1', '2'] }, { [O]: ['1', '2'] }, { answers: '1' }]
  for (const fields of refused) await expect(posted(fields)).rejects.toThrow()
})
