import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseJson } from '../../../../src/api/http/body.ts'
import { hasDoubledName } from '../../../../src/core/json.ts'

describe('a name that occurs twice in an object', () => {
  test.each([
    '{"confirm":true,"confirm":false}',
    '{"a":1,"b":{"c":2,"c":2}}',
    '[{"a":1},{"b":1,"b":2}]',
    '{"a":[{"x":[]},{"y":{}}],"a":1}',
    '{"conf\\u0069rm":true,"confirm":false}',
    '{ "a" : 1 ,\n\t"a"\r\n:2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a\\"":1,"a\\"":2}',
    '{"\\\\":1,"\\\\":2}',
  ])('is found: %s', (json) => {
    expect(hasDoubledName(json)).toBe(true)
    expect(() => parseJson(new TextEncoder().encode(json))).toThrow('validation_failed')
  })

  test.each([
    '{"a":{"a":{"a":1}},"b":{"a":2}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":"{\\"a\\":1","b":"}"}',
    '["a","a",{"a":["a","a"]}]',
    '"a"',
    '5',
    '{"A":1,"a":2}',
  ])('is not found where there is none: %s', (json) => {
    expect(hasDoubledName(json)).toBe(false)
    expect(parseJson(new TextEncoder().encode(json))).toEqual(JSON.parse(json))
  })

  test('is never found in serialized JSON, and always found after one is added', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
        fc.nat(1),
        (value, indent) => {
          const json = JSON.stringify(value, undefined, indent)
          expect(hasDoubledName(json)).toBe(false)
          const [name] = Object.keys(value)
          expect(hasDoubledName(`{${JSON.stringify(name)}:0,${json.slice(1)}`)).toBe(true)
          expect(hasDoubledName(`[${json},${json}]`)).toBe(false)
        },
      ),
    )
  })

  test('is searched in linear time', () => {
    for (const json of [
      `${'['.repeat(16_000)}${']'.repeat(16_000)}`,
      `{"a":"${'\\\\'.repeat(16_000)}"}`,
    ])
      expect(hasDoubledName(json)).toBe(false)
  })
})
