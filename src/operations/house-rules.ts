import { NO_RULES, rulesSchemaFor } from '../domain/rules/house-rules.ts'
import { MUTATIONS } from './index.ts'

const namesOf = (mutations: typeof MUTATIONS) => mutations.map(({ name }) => name)
const [first = '', ...more] = namesOf(MUTATIONS)

export const WITH_AMOUNT = namesOf(MUTATIONS.filter(({ preview }) => 'amount' in preview.shape))

/** A set of house rules, as the owner sends it. */
export const rulesSchema = rulesSchemaFor([first, ...more], WITH_AMOUNT).meta({
  id: 'HouseRules',
  description:
    'What the owner allows besides scopes. Every rule is named, so that none is lifted by being left out.',
  examples: [{ ...NO_RULES, max_link: { usd: 50000 }, changes_a_day: 100 }],
})
