import { rulesSchemaFor } from '../domain/house-rules.ts'
import { MUTATIONS } from './index.ts'

const [first = '', ...more] = MUTATIONS.map(({ name }) => name)

/** A set of house rules, as the owner sends it. */
export const rulesSchema = rulesSchemaFor([first, ...more]).meta({
  id: 'HouseRules',
  description:
    'What the owner allows besides scopes. Every rule is named, so that none is lifted by being left out.',
})
