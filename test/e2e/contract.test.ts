import { beforeAll, describe, expect, test } from 'vitest'

import { type Exchange, type OpenApi, contractOf, toolContractOf } from '../support/contract.ts'
import { sharedConnector } from '../support/started.ts'
import { newKey } from '../support/transports.ts'

const connector = sharedConnector()
let contract: ReturnType<typeof contractOf>
beforeAll(async () => {
  const { text } = await connector.rest('/openapi.json')
  contract = contractOf(JSON.parse(text) as OpenApi)
})

const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'
const asked = { method: 'POST', path: '/v1/payment-links', status: 200, contentType: JSON_TYPE }

const realPreview = async (): Promise<object> =>
  (
    await connector.rest(asked.path, {
      body: { invoice_id: 'in_mock_open', confirm: false },
      key: newKey(),
    })
  ).body

const realProblem = async (): Promise<object> =>
  (await connector.rest(asked.path, { body: {} })).body

describe('the contract that every answer of these tests must meet', () => {
  test.each<[what: string, change: (real: object, problem: object) => Partial<Exchange>]>([
    ['a field more', (real) => ({ body: { ...real, surprise: 1 } })],
    ['a status that is not documented', (real) => ({ status: 201, body: real })],
    [
      'a problem with a field more, on any path',
      (_real, problem) => ({
        path: '/nowhere',
        status: 404,
        contentType: PROBLEM_TYPE,
        body: { ...problem, stack: 'at line 1' },
      }),
    ],
  ])('refuses %s', async (_what, change) => {
    const exchange = { ...asked, body: {}, ...change(await realPreview(), await realProblem()) }
    expect(contract(exchange)).toMatch(/\w/)
  })

  test('refuses a tool result that the output schema does not cover', () => {
    const outputSchema = {
      type: 'object',
      anyOf: [{ required: ['status'], properties: { status: { const: 'ok' } } }],
    }
    const check = toolContractOf([{ name: 'tool', outputSchema }])
    expect(check('tool', { status: 'ok' })).toBeUndefined()
    expect(check('tool', { status: 'odd' })).toMatch(/\w/)
    expect(check('tool', undefined)).toMatch(/\w/)
    expect(check('another', { status: 'ok' })).toMatch(/\w/)
  })
})
