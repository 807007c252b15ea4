import { type Contract, contractCheck } from './provider-contract.ts'

export const stripeContract = () => contractCheck('stripe.json', { correct: addLeftOut })

/**
 * What the file leaves out and the adapter asks: the list of invoices, whose entries are compared with a single invoice
 * and whose query with what `stripe` 23.1.0 (npm) lets it have; one PaymentIntent, which is asked for by an id that
 * never exists, so that it only ever answers with an error; and the search of them by their metadata.
 */
function addLeftOut({ paths }: Contract): void {
  const { '200': found, ...errors } = paths['/v1/invoices/{invoice}']!['get']!.responses
  const invoice = (found as { content: Record<string, { schema: object }> }).content[
    'application/json'
  ]!.schema
  const schema = {
    type: 'object',
    required: ['object', 'data', 'has_more', 'url'],
    properties: {
      object: { enum: ['list'] },
      data: { type: 'array', items: invoice },
      has_more: { type: 'boolean' },
      url: { type: 'string' },
    },
  }
  const parameters = [
    { name: 'status', schema: { enum: ['draft', 'open', 'paid', 'uncollectible', 'void'] } },
    { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100 } },
    { name: 'starting_after', schema: { type: 'string' } },
  ].map((parameter) => ({ ...parameter, in: 'query' }))
  const list = {
    parameters,
    responses: { ...errors, '200': { content: { 'application/json': { schema } } } },
  }
  const searched = {
    type: 'object',
    required: ['object', 'data', 'has_more'],
    properties: { object: { enum: ['search_result'] }, data: { type: 'array' } },
  }
  Object.assign(paths, {
    '/v1/invoices': { get: list },
    '/v1/payment_intents/search': {
      get: {
        parameters: [
          { name: 'query', in: 'query', schema: { pattern: '^metadata\\["\\w+"\\]:"[^"]+"$' } },
        ],
        responses: { ...errors, '200': { content: { 'application/json': { schema: searched } } } },
      },
    },
    '/v1/payment_intents/{intent}': { get: { responses: errors } },
  })
}
