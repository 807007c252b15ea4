import { expect, test } from 'vitest'

import {
  KEY_PRESETS,
  type KeyPreset,
  keyPresetNamed,
} from '../../../../src/core/domain/key-presets.ts'
import { NO_RULES } from '../../../../src/core/domain/rules/house-rules.ts'
import { BY_NAME_SCOPES } from '../../../../src/core/domain/scopes.ts'
import { rulesSchema } from '../../../../src/practice/operations/house-rules.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'

const ALL: [string, KeyPreset][] = Object.entries(KEY_PRESETS)

test.each(ALL)('%s has rules that REST takes as they are', (_, { rules }) => {
  const whole = { ...NO_RULES, ...rules }
  expect(rulesSchema.parse(whole)).toEqual(whole)
})

test.each(ALL)(
  '%s has no scope that is granted by name alone, and none that administers',
  (_, { scopes }) => {
    expect(scopes.filter((one) => [...BY_NAME_SCOPES, 'admin'].includes(one))).toEqual([])
  },
)

test.each(ALL)('%s allows by its rules only what its scopes can do', (_, { scopes, rules }) => {
  for (const name of rules?.operations ?? [])
    expect(scopes).toContain(MUTATIONS.find((one) => one.name === name)?.scope)
})

test.each(['', 'own', 'constructor', '__proto__', 'Website'])('%j is no preset', (name) => {
  expect(keyPresetNamed(name)).toBeUndefined()
})
