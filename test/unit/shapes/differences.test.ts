import { expect, test } from 'vitest'

import { differences } from '../../support/shapes/differences.ts'
import { mistakes } from '../../support/shapes/promise.ts'
import { type JsonSchema, type Shapes, type Side, addSchema } from '../../support/shapes/shape.ts'

/** What is promised where this is all there is. */
function shapesOf(side: Side, properties: Record<string, JsonSchema>, required: string[]): Shapes {
  const rows = new Map()
  addSchema(rows, 'body', { type: 'object', properties, required })
  return new Map([['POST /v1/things', { side, rows }]])
}

const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'integer' }

/** What is said of a field that was one thing and is another; `undefined` where there is none. */
function said(side: Side, was: JsonSchema | undefined, is: JsonSchema | undefined): string[] {
  const of = (schema: JsonSchema | undefined): Shapes => {
    const { mustBe, ...facts } = schema ?? {}
    return shapesOf(side, schema ? { field: facts } : {}, mustBe ? ['field'] : [])
  }
  return differences(of(was), of(is)).map((one) => one.is)
}

const state = (...values: string[]): JsonSchema => ({ ...text, enum: values })

/** Each change, and what it is where the field is sent, and where it is read. */
test.each<
  [
    what: string,
    was: JsonSchema | undefined,
    is: JsonSchema | undefined,
    sent: string,
    read: string,
  ]
>([
  ['is new and optional', undefined, text, 'addition', 'addition'],
  ['is new and required', undefined, { ...text, mustBe: true }, 'break', 'addition'],
  ['is gone', text, undefined, 'break', 'break'],
  ['becomes required', text, { ...text, mustBe: true }, 'break', 'addition'],
  ['becomes optional', { ...text, mustBe: true }, text, 'addition', 'break'],
  ['may be null', text, { type: ['string', 'null'] }, 'addition', 'break'],
  ['may not be null any more', { type: ['string', 'null'] }, text, 'break', 'addition'],
  ['takes fractions', number, { type: 'number' }, 'addition', 'break'],
  ['takes only whole numbers', { type: 'number' }, number, 'break', 'addition'],
  ['is of another type', text, number, 'break', 'break'],
  ['gets a maximum', text, { ...text, maxLength: 10 }, 'break', 'addition'],
  [
    'gets a lower maximum',
    { ...text, maxLength: 20 },
    { ...text, maxLength: 10 },
    'break',
    'addition',
  ],
  [
    'gets a lower minimum',
    { ...number, minimum: 1 },
    { ...number, minimum: 0 },
    'addition',
    'break',
  ],
  ['loses a value', state('a', 'b'), state('a'), 'break', 'break'],
  ['gets a value', state('a'), state('a', 'b'), 'addition', 'break'],
  ['has a list of values now', text, state('a'), 'break', 'addition'],
  ['has no list of values any more', state('a'), text, 'addition', 'break'],
  ['gets a format', text, { ...text, format: 'date-time' }, 'break', 'addition'],
  ['loses its format', { ...text, format: 'date-time' }, text, 'addition', 'break'],
  ['has another default', { ...number, default: 1 }, { ...number, default: 2 }, 'break', 'break'],
  ['has no default any more', { ...number, default: 1 }, number, 'break', 'break'],
])('a field that %s', (_what, was, is, sent, readAs) => {
  expect(said('request', was, is)).toEqual([sent])
  expect(said('answer', was, is)).toEqual([readAs])
  expect(said('both', was, is)).toEqual([[sent, readAs].includes('break') ? 'break' : 'addition'])
})

test.each([
  [
    'other words for people',
    { ...text, description: 'Old.' },
    { ...text, description: 'New.', examples: ['x'] },
  ],
  ['another order of values', state('a', 'b'), state('b', 'a')],
  ['another sentence', state('One sentence.'), state('Another sentence.')],
])('%s are no difference', (_what, was, is) => {
  for (const side of ['request', 'answer'] as const) expect(said(side, was, is)).toEqual([])
})

test('a new path needs its name in the notes; one that is gone is a break', () => {
  const [all, none] = [shapesOf('request', { a: text }, ['a']), new Map()]
  expect(differences(none, all)).toMatchObject([{ is: 'addition', noted: '/v1/things' }])
  expect(differences(all, none)).toMatchObject([{ is: 'break', what: 'POST /v1/things: is gone' }])
})

test('a note names a new field with its place, so that it covers no other one of that name', () => {
  const now = shapesOf('answer', { caller: text }, [])
  const missing = (notes: string) =>
    mistakes(now, shapesOf('answer', {}, []), { version: '0.2.0', notes }).length
  expect(missing('Added: `caller` of `GET /v1/rules`.')).toBe(1)
  expect(missing('Added: `caller` of `POST /v1/things`.')).toBe(0)
})

/** Something with one place, and what is known of it. */
const one = (side: Side, at: string, facts: object): Shapes =>
  new Map([['POST /v1/things answer', { side, rows: new Map([[at, { ...facts }]]) }]])

test.each(['query', 'header'])('a new parameter of the %s may be optional', (place) => {
  const needs = one('request', 'scopes', { needs: ['admin'] })
  const withOne = (facts: object): Shapes => {
    const more = one('request', `${place}.caller`, { type: ['string'], ...facts })
    return new Map(
      [...needs].map(([name, { side, rows }]) => [
        name,
        { side, rows: new Map([...rows, ...more.get(name)!.rows]) },
      ]),
    )
  }
  expect(differences(needs, withOne({}))).toMatchObject([{ is: 'addition', noted: 'caller' }])
  expect(differences(needs, withOne({ required: true }))).toMatchObject([{ is: 'break' }])
})

test('an answer may have a new code or event, and never loses one', () => {
  const codes = (...list: string[]) => one('answer', 'refusals', { list })
  expect(differences(codes('a'), codes('a', 'b'))).toMatchObject([{ is: 'addition', noted: 'b' }])
  expect(differences(codes('a', 'b'), codes('a'))).toMatchObject([{ is: 'break' }])
  const events = (...type: string[]) => one('answer', '200', { type })
  const [made, ended] = ['#ThingMadeEvent', '#ThingEndedEvent']
  expect(differences(events(made), events(made, ended))).toMatchObject([{ is: 'addition' }])
  expect(differences(events(made), events(made, '#Other'))).toMatchObject([{ is: 'break' }])
  const committed = [made, '#RecordVisitCommitted']
  expect(differences(events(made), events(...committed))).toMatchObject([{ is: 'addition' }])
  const scopes = (...values: string[]) =>
    one('answer', '200.scopes[]', { type: ['string'], enum: values })
  expect(differences(scopes('a'), scopes('a', 'b'))).toMatchObject([{ is: 'addition', noted: 'b' }])
})

test('what is named by callers never changes, and more of it may come', () => {
  const codes = (all: Record<string, object>): Shapes =>
    new Map([['codes', { side: 'fact', rows: new Map(Object.entries(all)) as never }]])
  const kept = { late: { status: 409 } }
  expect(differences(codes(kept), codes({ late: { status: 400 } }))).toMatchObject([
    { is: 'break' },
  ])
  expect(differences(codes(kept), codes({}))).toMatchObject([{ is: 'break' }])
  const more = differences(codes(kept), codes({ ...kept, early: { status: 409 } }))
  expect(more).toMatchObject([{ is: 'addition', noted: 'early' }])
})

test('a stored column stays, and a new one can be left empty by an earlier version', () => {
  const table = (columns: Record<string, string>): Shapes => {
    const rows = Object.entries(columns).map(([name, column]) => [name, { column }] as const)
    return new Map([['stored Records.records', { side: 'stored', rows: new Map(rows) }]])
  }
  const kept = { key: 'TEXT', at: 'INTEGER' }
  const becomes = (columns: Record<string, string>) => differences(table(kept), table(columns))
  expect(becomes({ key: 'TEXT' })).toMatchObject([
    { is: 'break', what: expect.stringMatching(/at: is gone/) },
  ])
  expect(becomes({ ...kept, at: 'TEXT' })).toMatchObject([{ is: 'break' }])
  expect(becomes({ ...kept, host: 'TEXT NOT NULL' })).toMatchObject([{ is: 'break' }])
  for (const column of ['TEXT', "TEXT NOT NULL DEFAULT ''"])
    expect(becomes({ ...kept, host: column })).toEqual([
      { is: 'addition', what: 'stored Records.records host: is new' },
    ])
})
