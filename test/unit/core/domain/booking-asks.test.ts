import { describe, expect, test } from 'vitest'

import {
  type Given,
  exampleOf,
  fieldsAsked,
  inShort,
  leadOf,
  readSaid,
  whatIsAsked,
} from '../../../../src/core/domain/booking-asks.ts'
import { type Asked, type Place, type Question } from '../../../../src/core/domain/event-type.ts'
import { LOCATIONS, inPerson, video } from '../../../../src/core/domain/location.ts'

const question = (text: string, more: Partial<Question> = {}): Question => ({
  id: text.toLowerCase(),
  question: text,
  required: true,
  kind: 'text',
  ...more,
})
const ABOUT = question('What is it about?')
const ENTITY = question('Which form?', { kind: 'choice', choices: ['LLC', 'S corp'] })
const NEEDS = question('Which returns?', {
  kind: 'choice',
  choices: ['1040', '1065, with K-1', 'Payroll'],
  several: true,
})
const YES_OR_NO = question('New client?', { kind: 'choice', choices: ['yes', 'no'] })
const AGREES = question('I agree to the terms', { kind: 'choice', choices: ['yes', 'no'] })
const CALL: Place = { id: 'call', location: LOCATIONS.practiceCalls, needs: 'phone' }
const ZOOM: Place = { id: 'zoom', location: video('Zoom') }
const ANYWHERE: Place = { id: 'ask', location: LOCATIONS.byInvitee, needs: 'place' }
const OWN = question('Your number', { id: 'own', kind: 'phone', isOwnPhone: true })

const asking = (questions: Question[], places: Place[] = []): Asked => ({ questions, places })
const answering = (...pairs: [question: string, answer: string][]): Given => ({
  answers: pairs.map(([one, answer]) => ({ question: one, answer })),
})
const errorsOf = (asks: Asked | undefined, given: Given) =>
  readSaid(asks, given).errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)
const answersOf = (asks: Asked, given: Given) => readSaid(asks, given).said?.answers

describe('what a kind asks', () => {
  test('is nothing where a name and an address are all', () => {
    for (const asks of [undefined, asking([]), asking([], [ZOOM])]) {
      expect(whatIsAsked(asks)).toBeUndefined()
      expect(fieldsAsked(asks)).toEqual([])
      expect(readSaid(asks, {})).toMatchObject({ said: undefined, errors: [] })
    }
  })

  test('names its questions, whether it calls, and its places by short names of their own', () => {
    const streets = ['1 High Street', '2 Low Street'].map((address) => ({
      id: address,
      location: inPerson(address),
    }))
    expect(whatIsAsked(asking([ABOUT, ENTITY, OWN], [ANYWHERE, CALL, ZOOM, ...streets]))).toEqual({
      questions: [
        { question: 'What is it about?', required: true, kind: 'text' },
        { question: 'Which form?', required: true, kind: 'choice', choices: ['LLC', 'S corp'] },
      ],
      needs_phone: true,
      locations: [
        { location: 'practice_calls', text: LOCATIONS.practiceCalls.text, needs_phone: true },
        { location: 'zoom', text: 'video (Zoom)', needs_phone: false },
        { location: 'in_person', text: 'in person: 1 High Street', needs_phone: false },
        { location: 'in_person_2', text: 'in person: 2 Low Street', needs_phone: false },
      ],
    })
  })

  test('decides which fields are offered: an optional question needs none', () => {
    const optional = { ...ABOUT, required: false }
    expect(fieldsAsked(asking([optional], [ZOOM]))).toEqual([])
    expect(fieldsAsked(asking([ABOUT]))).toEqual(['answers'])
    expect(fieldsAsked(asking([OWN]))).toEqual(['phone'])
    expect(fieldsAsked(asking([], [ZOOM, CALL]))).toEqual(['phone', 'location'])
  })

  test('has an example in the form of a request, which answers nothing for the person', () => {
    expect(JSON.parse(exampleOf(asking([ABOUT, ENTITY], [CALL])))).toEqual({
      answers: [
        { question: 'What is it about?', answer: '<text>' },
        { question: 'Which form?', answer: '<one of: LLC, S corp>' },
      ],
      phone: '<telephone number>',
    })
  })
})

describe('answers', () => {
  test('are matched by the words of their question in any case and spacing, or by its id', () => {
    for (const words of ['What is it about?', ' what IS it\tabout? ', ABOUT.id])
      expect(answersOf(asking([ABOUT]), answering([words, ' A new company ']))).toEqual([
        { id: ABOUT.id, answer: 'A new company' },
      ])
  })

  test.each<[Question, string, string]>([
    [ENTITY, ' llc ', 'LLC'],
    [NEEDS, 'payroll\n1040\npayroll', 'Payroll\n1040'],
    [NEEDS, '• 1040\n– Payroll\n* 1065, with K-1', '1040\nPayroll\n1065, with K-1'],
    [NEEDS, '1065, with K-1\n1040', '1065, with K-1\n1040'],
    [question('How many?', { kind: 'number' }), '−5', '-5'],
    [question('Income?', { kind: 'number' }), '$84,500.25', '84500.25'],
    [question('Income?', { kind: 'number' }), 'USD 84500', '84500'],
    [question('Income?', { kind: 'number' }), '84 500,25', '84500.25'],
    [question('Loss?', { kind: 'number' }), '-$500', '-500'],
    [question('Income?', { kind: 'number' }), '84.500,25', '84500.25'],
    [question('Income?', { kind: 'number' }), '900 dollars', '900'],
    [question('Share?', { kind: 'number' }), '33.5%', '33.5'],
    [question('Share?', { kind: 'number' }), '40 percent', '40'],
    [NEEDS, '["1040","Payroll"]', '1040\nPayroll'],
    [NEEDS, '1040 and payroll', '1040\nPayroll'],
    [question('Owner?', { kind: 'choice', choices: ['yes', 'no'] }), 'nope', 'no'],
    [question('Owner?', { kind: 'choice', choices: ['No', 'Yes'] }), 'y', 'Yes'],
    [question('¿Dueña?', { kind: 'choice', choices: ['Sí', 'No'] }), 'true', 'Sí'],
    [question('How many?', { kind: 'number' }), '１２', '12'],
    [question('Spouse?', { kind: 'phone' }), '(202) 555-0147', '+12025550147'],
    [question('Mail?', { kind: 'email' }), ' jo@example.com ', 'jo@example.com'],
    [question('Form?', { ...ENTITY, takesOther: true }), 'Trust', 'Trust'],
  ])('to %o: %j is sent as %j', (asked, answer, sent) => {
    const given = answering([asked.question, answer])
    expect(answersOf(asking([asked]), given)).toEqual([{ id: asked.id, answer: sent }])
  })

  test.each<[string, Question, string, string]>([
    ['a choice', ENTITY, 'Trust', 'Expected one of: LLC, S corp.'],
    ['several', NEEDS, '1040\nPassport', 'Expected one or more of: 1040, 1065, with K-1, Payroll'],
    ['a number', question('How many?', { kind: 'number' }), 'two', 'Expected a number in digits'],
    ['a number', question('How many?', { kind: 'number' }), '1,5', 'Expected a number in digits'],
    ['a number', question('Income?', { kind: 'number' }), '84.500', 'Expected a number in digits'],
    ['a number', question('How many?', { kind: 'number' }), '2.5k', 'Expected a number in digits'],
    ['a number', question('How many?', { kind: 'number' }), '(500)', 'Expected a number in digits'],
    ['a number', question('How many?', { kind: 'number' }), '€500', 'Expected a number in digits'],
    ['a number', question('How many?', { kind: 'number' }), '2 100,500', 'Expected a number in'],
    ['a choice', AGREES, 'y', 'Expected one of: yes, no.'],
    ['a choice', YES_OR_NO, 'yes, since 2020', 'Expected one of: yes, no.'],
    ['a phone', question('Spouse?', { kind: 'phone' }), '555', 'Expected a telephone number'],
    ['an address', question('Mail?', { kind: 'email' }), 'jo', 'Expected an email address'],
  ])('that have not the form of %s are named, and not repeated', (_form, asked, answer, detail) => {
    const [error = ''] = errorsOf(asking([asked]), answering([asked.question, answer]))
    expect(error).toContain(`/answers/0/answer: ${detail}`)
    expect(error).not.toMatch(/Trust|Passport|two|555(?!-)/)
  })

  test('that are near to few of many choices are told how many more there are', () => {
    const kinds = Array.from({ length: 30 }, (_, at) => `Form ${at}`)
    const asked = question('Which form?', {
      kind: 'choice',
      choices: [...kinds, 'Trust of one', 'Trust of two'],
    })
    expect(errorsOf(asking([asked]), answering(['Which form?', 'trusts']))).toEqual([
      '/answers/0/answer: Expected one of: Trust of one, Trust of two, and 30 more of 32.',
    ])
  })

  test('that are missing or blank are asked for by their question and its form', () => {
    const wanted = [
      '/answers: Required: an answer to “What is it about?” (text).',
      '/answers: Required: an answer to “Which form?” (one of: LLC, S corp).',
    ]
    expect(errorsOf(asking([ABOUT, ENTITY]), {})).toEqual(wanted)
    const blank = answering([ABOUT.question, '  '], [ENTITY.question, ''])
    expect(errorsOf(asking([ABOUT, ENTITY]), blank)).toEqual(wanted)
  })

  test('to an optional question may be left out, also blank', () => {
    const optional = { ...ENTITY, required: false }
    expect(readSaid(asking([optional]), {})).toMatchObject({ said: undefined, errors: [] })
    expect(errorsOf(asking([optional]), answering([ENTITY.question, ' ']))).toEqual([])
  })

  test('to a question that is not asked name those that are; to one asked once, that', () => {
    const given = answering([ABOUT.question, 'x'], ['My shoe size', '9'], [ABOUT.id, 'y'])
    expect(errorsOf(asking([ABOUT, ENTITY]), given)).toEqual([
      '/answers/1/question: Expected one of: “What is it about?”, “Which form?”.',
      '/answers/2/question: Expected each question once.',
      '/answers: Required: an answer to “Which form?” (one of: LLC, S corp).',
    ])
  })
})

describe('the number of the invitee', () => {
  test('goes to the place that is called, or to the question for it', () => {
    expect(readSaid(asking([], [CALL]), { phone: '202 555 0147' }).said).toEqual({
      answers: [],
      place: { id: 'call', words: '+12025550147' },
      phone: null,
    })
    expect(readSaid(asking([OWN]), { phone: '202 555 0147' }).said).toEqual({
      answers: [{ id: 'own', answer: '+12025550147' }],
      place: null,
      phone: '+12025550147',
    })
  })

  test('is required where it is called by default, and where the chosen place is called', () => {
    expect(errorsOf(asking([], [CALL, ZOOM]), {})[0]).toMatch(/^\/phone: Required/)
    expect(errorsOf(asking([], [CALL, ZOOM]), { location: 'zoom' })).toEqual([])
    expect(errorsOf(asking([], [ZOOM, CALL]), {})).toEqual([])
    const chosen = errorsOf(asking([], [ZOOM, CALL]), { location: 'practice_calls' })
    expect(chosen[0]).toMatch(/^\/phone: Required/)
  })

  test('that is malformed is refused by its field, and not repeated', () => {
    const [error = ''] = errorsOf(asking([], [CALL]), { phone: '555-9876' })
    expect(error).toMatch(/^\/phone: Expected a telephone number/)
    expect(error).not.toContain('9876')
  })

  test('where none is asked for is refused, and another place named that calls', () => {
    expect(errorsOf(asking([], [ZOOM, CALL]), { phone: '202 555 0147' })).toEqual([
      '/phone: No telephone number is asked for here: leave phone out, or choose the location practice_calls.',
    ])
  })
})

describe('the place', () => {
  test('is the first by default, and then nothing is sent', () => {
    expect(readSaid(asking([], [ZOOM, CALL]), {})).toMatchObject({ said: undefined, place: ZOOM })
    const named = readSaid(asking([], [ZOOM, CALL]), { location: 'Zoom' })
    expect(named).toMatchObject({ said: undefined, place: ZOOM, errors: [] })
  })

  test('is the first that can be named here, where the invitee would have to say the first', () => {
    const { said, place } = readSaid(asking([], [ANYWHERE, ZOOM]), {})
    expect([place?.id, said?.place]).toEqual(['zoom', { id: 'zoom', words: null }])
  })

  test('that is none of them is refused by their names', () => {
    expect(errorsOf(asking([], [ZOOM, CALL]), { location: 'moon' })).toEqual([
      '/location: Expected one of: zoom (video (Zoom)), practice_calls (phone: the practice calls the invitee).',
    ])
  })
})

test('of a kind that asks nothing each field is refused by its name', () => {
  const given = { ...answering(['Why?', 'So']), phone: '202 555 0147', location: 'zoom' }
  expect(errorsOf(undefined, given).map((error) => error.split(':')[0])).toEqual([
    '/location',
    '/phone',
    '/answers',
  ])
})

describe('a question and a choice are matched as people and models type them', () => {
  const KNOWN = question('Do you know ‘your’ filing status — for 2025? *', {
    kind: 'choice',
    choices: ['I don’t know', 'Married – joint', 'Single (no children)', 'Head of household…'],
  })
  test.each([
    "Do you know 'your' filing status - for 2025",
    'Do you know ʼyourʼ filing status ‐ for 2025 ?',
    'Do you know ´your´ filing status -- for 2025? (required)',
    '**Do you know &#39;your&#39; filing status — for 2025?**',
    '"Do you know ‘your’ filing status — for 2025?"',
    '2. Do you know your filing status - for 2025?',
  ])('%j', (asked) =>
    expect(answersOf(asking([KNOWN]), answering([asked, "i don't know"]))).toEqual([
      { id: KNOWN.id, answer: 'I don’t know' },
    ]),
  )
  test.each([
    ["I don't know", 'I don’t know'],
    ['I don`t know.', 'I don’t know'],
  ])('the choice %j is %j', (given, choice) =>
    expect(answersOf(asking([KNOWN]), answering([KNOWN.question, given]))).toEqual([
      { id: KNOWN.id, answer: choice },
    ]),
  )

  const OTHERS = question('Which?', {
    kind: 'choice',
    choices: ['< $100k', '≥ $1M', 'Yes, please', 'Sí, claro', '½ day 🙂', 'C++', '3+', 'Año', '-5'],
  })
  test.each([
    ['>= $1M', '≥ $1M'],
    ['yes_please', 'Yes, please'],
    ['< 100k', '< $100k'],
    ['1/2 day', '½ day 🙂'],
  ])('signs, accents and commas: %j is %j', (given, choice) =>
    expect(answersOf(asking([OTHERS]), answering(['Which?', given]))).toEqual([
      { id: OTHERS.id, answer: choice },
    ]),
  )
  test.each(['$100k', 'C', '3', '5', '$1M', 'please'])('%j is another text', (given) =>
    expect(errorsOf(asking([OTHERS]), answering(['Which?', given]))[0]).toMatch(/answer/),
  )
  test('of two that differ by an accent each is itself, and neither is meant without it', () => {
    const each = question('Which?', { kind: 'choice', choices: ['papá', 'papà', 'mamá'] })
    expect(answersOf(asking([each]), answering(['Which?', 'Papà']))).toEqual([
      { id: each.id, answer: 'papà' },
    ])
    expect(errorsOf(asking([each]), answering(['Which?', 'papa']))[0]).toMatch(/answer/)
  })

  test('unless two texts of the kind then fall together', () => {
    const plus = question('Which plan', { kind: 'choice', choices: ['A.', 'A', 'B-1', 'B – 1'] })
    const twins = asking([plus, question('Which plan?', { id: 'other' })])
    expect(errorsOf(twins, answering(['which plan:', 'A']))[0]).toMatch(/^\/answers\/0\/question/)
    expect(answersOf(asking([plus]), answering(['which plan:', 'A.']))).toEqual([
      { id: plus.id, answer: 'A.' },
    ])
    expect(errorsOf(asking([plus]), answering(['Which plan', 'A:']))[0]).toMatch(/answer/)
    expect(errorsOf(asking([plus]), answering(['Which plan', 'b - 1']))[0]).toMatch(/answer/)
    const rated = question('Which bonds?', { kind: 'choice', choices: ['A+', 'A-'] })
    expect(errorsOf(asking([rated]), answering(['Which bonds?', 'A']))[0]).toMatch(/answer/)
  })

  const choosing = (choices: string[], given: string) => {
    const asked = question('Which?', { kind: 'choice', choices })
    return answersOf(asking([asked]), answering(['Which?', given]))?.[0]?.answer
  }

  test.each([
    [['$1,000', '$2,000'], '$1000', '$1,000'],
    [['1,250,000.50 USD'], '1250000.50 usd', '1,250,000.50 USD'],
    [['2025, yes'], '2025 yes', '2025, yes'],
    [['1 / 2'], '1/2', '1 / 2'],
    [['1, 2', '12', '1,2'], '1,2', '1,2'],
  ])('a number is the same with a comma between thousands: of %j, %j is %j', (all, given, choice) =>
    expect(choosing(all, given)).toBe(choice),
  )
  test.each([
    [['1, 2'], '12'],
    [['12'], '1, 2'],
    [['1,5 horas'], '15 horas'],
    [['1.5'], '15'],
    [['5'], '.5'],
    [['5'], '- 5'],
    [['-A', 'A.'], 'a'],
    [['2025'], "20'25"],
    [['1200'], '1,20 0'],
    [['0123'], '0,123'],
    [['1½ hours'], '11/2 hours'],
    [['10²'], '102'],
    [['1,000'], '1.000'],
  ])('numbers do not run together: of %j none is %j', (all, given) =>
    expect(choosing(all, given)).toBeUndefined(),
  )

  test.each([
    ['किताब', 'कतब'],
    ['が', 'か'],
  ])('the marks of other scripts are letters: %j is not %j', (choice, given) => {
    expect(choosing([choice], given)).toBeUndefined()
    expect(choosing([choice, given], given)).toBe(given)
    expect(choosing([choice, given], choice.normalize('NFD'))).toBe(choice)
  })
  test.each(['Crédito', 'Việt Nam', 'Ünal', 'Año'])(
    'Latin accents are left out in haste: %j',
    (one) => expect(choosing([one], one.normalize('NFD').replaceAll(/\p{M}/gu, ''))).toBe(one),
  )

  test.each([
    [['1. Phone', '2. Email'], 'Phone', '1. Phone'],
    [['Phone', 'Email'], '2) Phone', 'Phone'],
    [['1️⃣ Phone', '2️⃣ Phone'], '2. Phone', '2️⃣ Phone'],
    [['1. Phoné', 'Phoné'], '1. Phone', '1. Phoné'],
  ])('the number of a list is left out on one side: of %j, %j is %j', (all, given, choice) =>
    expect(choosing(all, given)).toBe(choice),
  )
  test.each([
    [['1. Phone'], '2. Phone'],
    [['1. Phone', '2. Phone'], 'Phone'],
    [['1. Phone', '2. Phone'], '3. Phone'],
    [['Phone', '1. Phone'], '2. Phone'],
    [['1. 2025', '2. 2024'], '2025'],
    [['10. Phone'], '1. Phone'],
    [['401(k)'], 'k'],
  ])('and on no more: of %j none is %j', (all, given) =>
    expect(choosing(all, given)).toBeUndefined(),
  )

  test('a question whose own name reads as its text is one', () => {
    const notes = question('Notes:', { id: 'notes' })
    expect(answersOf(asking([notes]), answering(['notes!', 'x']))).toEqual([
      { id: 'notes', answer: 'x' },
    ])
  })

  test.each(['?', '🙂', '(required)', '́̀', "'", ', ', '1,', '1. ', ',234', '«', 'ー'])(
    'eight times %j takes about eight times as long',
    (fill) => {
      const cost = (length: number) => {
        const started = process.cpuUsage()
        for (const text of [
          fill.repeat(length),
          `${fill.repeat(length)}x`,
          `1${fill.repeat(length)}5`,
        ])
          readSaid(asking([KNOWN]), answering([KNOWN.question, text], [text, 'x']))
        return process.cpuUsage(started).user / 1000
      }
      // One measurement may be of the garbage collector.
      const isLinear = () => cost(8_000) < 30 * cost(1_000) + 60
      expect(isLinear() || isLinear() || isLinear()).toBe(true)
    },
  )

  test('a question with a long row of marks is read soon', () => {
    const started = process.cpuUsage()
    leadOf(`a${'? '.repeat(16_000)}b`)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(500)
  })

  test.each(['?', '*', ' : ', '…'])('a text of marks alone is none: %j', (asked) =>
    expect(errorsOf(asking([ABOUT]), answering([asked, 'x']))[0]).toMatch(/question/),
  )

  test.each([
    ['true', 'yes'],
    ['False', 'no'],
  ])('%s is %s for a question of yes and no alone', (given, answer) =>
    expect(answersOf(asking([YES_OR_NO]), answering([YES_OR_NO.question, given]))).toEqual([
      { id: YES_OR_NO.id, answer },
    ]),
  )
  test.each([ENTITY, question('Agree?', { kind: 'choice', choices: ['I agree'] })])(
    'true is no answer to another choice',
    (one) => expect(errorsOf(asking([one]), answering([one.question, 'true']))).toHaveLength(1),
  )

  test.each([
    'I agree to the terms of service',
    'Do you accept our cancellation policy?',
    'I have read the engagement letter',
    'Consent to be recorded',
    'Acepto los términos y condiciones',
    'I authorize the practice to file for me',
    'Privacy notice',
  ])('true agrees to nothing, and a plain yes does: %s', (text) => {
    const terms = question(text, { kind: 'choice', choices: ['yes', 'no'] })
    for (const given of ['true', 'FALSE'])
      expect(errorsOf(asking([terms]), answering([text, given]))).toEqual([
        '/answers/0/answer: Expected one of: yes, no. ' +
          'Ask the person whether they agree, and send their yes or no.',
      ])
    expect(answersOf(asking([terms]), answering([text, 'Yes']))).toEqual([
      { id: terms.id, answer: 'yes' },
    ])
    const sent = { answers: [{ question: text, answer: 'true', sentAs: 'boolean' as const }] }
    expect(errorsOf(asking([terms]), sent)).toHaveLength(1)
  })

  const HOW_MANY = question('How many returns?', { kind: 'number' })
  const SEVERAL = question('Which forms?', {
    kind: 'choice',
    choices: ['1040', '1065', 'Payroll'],
    several: true,
  })
  test.each<[Question, string, 'boolean' | 'number' | 'list', boolean]>([
    [YES_OR_NO, 'true', 'boolean', true],
    [YES_OR_NO, 'false', 'boolean', true],
    [YES_OR_NO, '1', 'number', false],
    [ABOUT, 'true', 'boolean', false],
    [ABOUT, '3', 'number', false],
    [ABOUT, 'a\nb', 'list', false],
    [HOW_MANY, '3', 'number', true],
    [HOW_MANY, '84.125', 'number', true],
    [HOW_MANY, 'true', 'boolean', false],
    [SEVERAL, '1040\nPayroll', 'list', true],
    [SEVERAL, '1040', 'number', false],
    [ENTITY, 'LLC', 'list', false],
    [question('Spouse?', { kind: 'phone' }), '2025550147', 'number', false],
  ])('of %j, %j that came as %s is taken: %s', (one, answer, sentAs, isTaken) => {
    const given = { answers: [{ question: one.question, answer, sentAs }] }
    const errors = errorsOf(asking([one]), given)
    expect(errors).toHaveLength(isTaken ? 0 : 1)
    if (!isTaken) expect(errors[0]).toMatch(/ It came as (?:true or false|a number|a list)/)
  })
})

describe('a refusal does not repeat hundreds of choices', () => {
  const CITIES = Array.from({ length: 250 }, (_, at) => `City ${at} of Springfield County`)
  const CITY = question('Which city?', { kind: 'choice', choices: [...CITIES, 'Shelbyville'] })

  test.each(['', 'zzz', 'City', 'x'.repeat(900)])('where none is near, or all are: %j', (given) => {
    const [error = ''] = errorsOf(asking([CITY]), answering([CITY.question, given]))
    expect(error).toContain('251')
    expect(error.length).toBeLessThan(500)
  })

  test('so does the refusal of a place', () => {
    const places = CITIES.map((city) => ({
      id: city,
      location: inPerson(`${city.length} ${city} Street`),
    }))
    const [error = ''] = errorsOf(asking([], [ZOOM, ...places]), { location: 'zoo' })
    expect(error).toContain('zoom (video (Zoom))')
    expect(error).toContain('of 251')
    expect(error.length).toBeLessThan(500)
  })

  test('so do a list of questions, the example and what is asked', () => {
    const many = asking(CITIES.map((city) => question(city)))
    const [error = ''] = errorsOf(many, answering(['Ogdenville', 'x']))
    expect(error).toContain('of 250')
    expect(error.length).toBeLessThan(500)
    expect(exampleOf(asking([CITY])).length).toBeLessThan(500)
    const short = inShort(whatIsAsked(asking([CITY, ENTITY]))!)
    expect(short.questions[0]).toMatchObject({ more_choices: 231 })
    expect(short.questions[0]?.choices).toHaveLength(20)
    expect(short.questions[1]).toEqual(whatIsAsked(asking([ENTITY]))?.questions[0])
  })
})
