import { describe, expect, test } from 'vitest'

import { INSTRUCTIONS } from '../../../../src/api/mcp/protocol.ts'
import { forCaller, toolOf, withChoices } from '../../../../src/api/mcp/tools.ts'
import { READ_SCOPES, SCOPES, type Scope } from '../../../../src/core/domain/scopes.ts'
import { settingsFrom } from '../../../../src/core/settings.ts'
import {
  LISTED_FIRST,
  MUTATIONS,
  READS,
  SEED,
  TOOLS as ALL,
  toolsFor,
} from '../../../../src/practice/operations/index.ts'

const ALL_TOOLS = ALL.map((one) => toolOf(one))

/** Every schema within a schema, the whole one first. */
function within(schema: unknown): Record<string, unknown>[] {
  if (schema === null || typeof schema !== 'object') return []
  if (Array.isArray(schema)) return schema.flatMap(within)
  const { properties = {}, ...rest } = schema as Record<string, unknown>
  return [
    schema as Record<string, unknown>,
    ...[...Object.values(properties as object), ...Object.values(rest)].flatMap(within),
  ]
}

test('a tool beside the seven has a scope that none of the seven has', () => {
  const ofTheSeven = new Set(SEED.map(({ scope }) => scope))
  const shared = ALL.filter((one) => !SEED.includes(one) && ofTheSeven.has(one.scope))
  const advice = shared.map(
    ({ name, scope }) =>
      `Every key with ${scope} would see ${name} as a tool, though its owner did not grant that. ` +
      'Give it a scope of its own, or, if it is a read, leave out its text: then it is a resource and no tool.',
  )
  expect(advice).toEqual([])
})

/** A practice whose consults ask for everything that one can ask for. */
const ASKS_EVERYTHING = { BOOKING_ASKS: 'answers,phone,location' }

describe('the input of a tool', () => {
  const inputs = MUTATIONS.map((one) => toolOf(one)).map(({ name, inputSchema }) => ({
    name,
    required: inputSchema['required'] as string[] | undefined,
    properties: inputSchema['properties'] as Record<string, { default?: unknown }>,
  }))

  test('of a change begins with a preview, and need not say so', () => {
    for (const { name, properties, required } of inputs) {
      expect([name, properties['confirm']?.default]).toEqual([name, false])
      expect(required).not.toContain('confirm')
      expect(required).toContain('idempotency_key')
    }
  })

  test('has no pattern or format that a host checks, and no example that a model could send', () => {
    const words = expect.arrayContaining([
      expect.stringMatching(/^(pattern|format|examples?)$/),
    ]) as string[]
    for (const { name, inputSchema } of ALL_TOOLS)
      for (const schema of within(inputSchema)) expect(Object.keys(schema), name).not.toEqual(words)
  })

  test('is flat: some hosts drop or invert a call whose schema is put together', () => {
    const { practice } = settingsFrom(ASKS_EVERYTHING)
    const shown = [
      ...ALL_TOOLS,
      ...ALL.map((one) => withChoices(toolOf(one, practice), one.choices?.(practice) ?? {})),
    ]
    for (const { name, inputSchema } of shown)
      for (const schema of within(inputSchema))
        for (const word of ['oneOf', 'anyOf', 'allOf', '$ref', '$defs', 'not', 'if'])
          expect(schema, `${name}: ${JSON.stringify(schema)}`).not.toHaveProperty(word)
  })

  test('names the kinds of consult of the practice wherever a kind can be named', () => {
    const EVENT_TYPES = JSON.stringify({ intro: { id: '1' }, 'tax-review': { id: '2' } })
    const { practice } = settingsFrom({ EVENT_TYPES })
    for (const operation of ALL) {
      const { inputSchema } = withChoices(toolOf(operation), operation.choices?.(practice) ?? {})
      const kind = (inputSchema['properties'] as Record<string, { enum?: string[] }>)['event_type']
      if (kind)
        expect([operation.name, kind.enum]).toEqual([operation.name, ['intro', 'tax-review']])
    }
    expect(ALL.filter(({ choices }) => choices).map(({ name }) => name)).toEqual([
      'list_availability',
      'book_consult',
      'invite_client',
    ])
  })

  test('says what each field is, and leaves nothing to be looked up elsewhere', () => {
    for (const { name, inputSchema } of ALL_TOOLS) {
      expect(JSON.stringify(inputSchema), name).not.toMatch(/\$ref|openapi\.json|https?:/)
      for (const [field, schema] of Object.entries(
        inputSchema['properties'] as Record<string, { description?: string; type?: string }>,
      ))
        expect(schema.description ?? schema.type, `${name}.${field}`).toMatch(/\w/)
    }
  })

  test('depends on nothing that can change while a host keeps the list', () => {
    const list = JSON.stringify(ALL_TOOLS)
    expect(list).not.toContain('"default":"America/New_York"')
    expect(list).not.toMatch(new RegExp(String(new Date().getFullYear() + 1)))
  })
})

describe('the output of a tool', () => {
  test.each(ALL_TOOLS)(
    '$name has no prose, one type in each place, and stays open to new fields',
    ({ outputSchema }) => {
      expect(outputSchema.type).toBe('object')
      for (const schema of within(outputSchema)) {
        expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['description']))
        expect(schema).not.toHaveProperty('examples')
        expect(schema).not.toHaveProperty('additionalProperties')
        expect(schema).not.toHaveProperty('$ref')
        expect(Array.isArray(schema['type']), JSON.stringify(schema)).toBe(false)
      }
    },
  )

  test('holds one open problem by the few fields that every refusal has', () => {
    for (const { outputSchema } of ALL_TOOLS) {
      const answers = outputSchema['anyOf'] as {
        required: string[]
        properties: Record<string, object>
      }[]
      const problems = answers.filter(({ properties }) => 'code' in properties)
      expect(problems.map(({ required }) => required)).toEqual([
        ['code', 'detail', 'effect', 'retryable', 'next_step'],
      ])
      expect(problems[0]!.properties['code']).toEqual({ type: 'string' })
    }
  })
})

describe('a caller is pointed to the tools that it is listed', () => {
  const reads = READS.map(({ name }) => name)
  const listed = (granted: readonly Scope[]) =>
    toolsFor({ scopes: Object.keys(SCOPES) as Scope[], granted }).map((one) =>
      forCaller(toolOf(one), one, { scopes: Object.keys(SCOPES) as Scope[], granted }),
    )

  test.each<Scope[][]>([[[]], ...READ_SCOPES.map((one): [Scope[]] => [[one]]), [[...READ_SCOPES]]])(
    'where the owner granted %j',
    (granted) => {
      const tools = listed(granted)
      const names = tools.map(({ name }) => name)
      for (const { name, description } of tools)
        for (const read of reads.filter((one) => description.includes(one)))
          expect(names, `${name} names ${read}`).toContain(read)
      for (const read of reads) expect(INSTRUCTIONS).not.toContain(read)
    },
  )

  test('and who may list bookings learns where a booking_id is found', () => {
    const moving = ['reschedule_booking', 'cancel_booking']
    for (const granted of [[], ['bookings:read']] as Scope[][])
      for (const { description } of listed(granted).filter(({ name }) => moving.includes(name)))
        expect(
          /booking_id is from [^.]*\. find_bookings finds the booking_id/.test(description),
        ).toBe(granted.length > 0)
  })
})

test('a tool tells of fields that are granted by name to those alone who have the grant', () => {
  const one = toolsFor({ scopes: ['bookings:read'], granted: ['bookings:read'] }).find(
    ({ name }) => name === 'get_booking',
  )!
  const told = (granted: readonly Scope[]) =>
    JSON.stringify(forCaller(toolOf(one), one, { scopes: [], granted }))
  expect(told(['bookings:read'])).toBe(JSON.stringify(toolOf(one)))
  expect(told(['bookings:read'])).not.toMatch(/answers|withheld|wrote/)
  expect(told(['bookings:read', 'booking_answers:read'])).toMatch(/"answers".*"withheld"/)
})

describe('the description of a tool', () => {
  test.each(LISTED_FIRST.map((one) => toolOf(one)))(
    '$name says when to use it, what it gives and what it cannot do',
    ({ description }) => {
      expect(description).toContain('Use this when')
      expect(description).toMatch(/Returns (a|an|the) /)
      expect(description).toMatch(/Cannot|cannot|holds no time/)
      expect(description).not.toMatch(/openapi|https?:|\.md/)
    },
  )

  test.each(MUTATIONS.map((one) => [one.name, one.recordId[0]!] as const))(
    '%s names the field of its answer that the next call needs, and its fields say how it is confirmed',
    (name, field) => {
      const { description, inputSchema } = ALL_TOOLS.find((tool) => tool.name === name)!
      expect(description).toContain(field)
      expect(description).toContain('in two calls, preview and commit')
      // Some hosts leave the instructions out: the list of tools has to be enough.
      const fields = inputSchema['properties'] as Record<string, { description: string }>
      const says = (one: string) => fields[one]!.description
      expect(says('confirm')).toMatch(/false .*a preview to show to the person.*yes, true commits/)
      expect(says('confirmation_token')).toMatch(/of the preview, for confirm=true/)
      expect(says('idempotency_key')).toMatch(/same for the preview, commit.*is a new change/)
    },
  )
})
