import { type Contract, contractCheck } from './provider-contract.ts'

/** The check against `calcom.json`, which knows one version of each endpoint. */
export const calcomContract = () =>
  contractCheck('calcom.json', {
    correct: (contract) => {
      for (const { correct } of EXCEPTIONS) correct(contract)
    },
    isOther({ parameters = [] }, { headers }) {
      const version = parameters.find(({ name }) => name === 'cal-api-version')?.schema.default
      return version !== undefined && headers['cal-api-version'] !== version
    },
  })

/** Where the file is not what Cal.com does, and why that is known. */
const EXCEPTIONS: { reason: string; correct(contract: Contract): void }[] = [
  {
    reason:
      'Slots: the schema has the map of days without the envelope that its own example and the service have, and bare starts where both have objects.',
    correct(contract) {
      const slot = {
        type: 'object',
        properties: { start: { type: 'string' } },
        required: ['start'],
      }
      const day = { type: 'array', items: { oneOf: [slot, { type: 'string' }] } }
      const schema = {
        type: 'object',
        required: ['status', 'data'],
        properties: { data: { type: 'object', additionalProperties: day } },
      }
      contract.paths['/v2/slots']!['get']!.responses['200'] = {
        content: { 'application/json': { schema } },
      }
    },
  },
  {
    reason:
      'Event types: a setting that is off comes as { disabled: true }, which only the inputs of the file have.',
    correct(contract) {
      const off = {
        type: 'object',
        properties: { disabled: { enum: [true] } },
        required: ['disabled'],
      }
      for (const name of ['EventTypeOutput_2024_06_14', 'TeamEventTypeOutput_2024_06_14']) {
        const fields = contract.components.schemas[name]!.properties!
        for (const key of ['seats', 'bookerActiveBookingsLimit', 'recurrence'])
          fields[key] = { oneOf: [fields[key], off] }
      }
    },
  },
  {
    reason:
      'Event types: users are objects; the file says strings, which its generator made of a type it could not read.',
    correct({ components }) {
      components.schemas['EventTypeOutput_2024_06_14']!.properties!['users'] = {
        type: 'array',
        items: { type: 'object' },
      }
    },
  },
  {
    reason:
      'Event types: slotInterval is a number, as its example in the file; the file says object.',
    correct({ components }) {
      for (const name of ['EventTypeOutput_2024_06_14', 'TeamEventTypeOutput_2024_06_14'])
        components.schemas[name]!.properties!['slotInterval'] = { type: 'number', nullable: true }
    },
  },
  {
    reason:
      'Booking questions: isDefault, and required of the email address, are booleans; the file says object.',
    correct({ components }) {
      for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
        if (!name.includes('FieldOutput_')) continue
        for (const key of ['isDefault', 'required'])
          if (key in properties) properties[key] = { type: 'boolean' }
      }
    },
  },
  {
    reason:
      'Booking questions: one for which the API has no form comes as a text (`internal-to-api/booking-fields.ts` of its source), which the file leaves out.',
    correct({ components: { schemas } }) {
      const properties = {
        type: { enum: ['unknown'] },
        slug: { enum: ['unknown'] },
        bookingField: { type: 'string' },
      }
      schemas['UrlFieldOutput_2024_06_14'] = {
        anyOf: [
          schemas['UrlFieldOutput_2024_06_14']!,
          { type: 'object', properties, required: Object.keys(properties) },
        ],
      }
    },
  },
  {
    reason:
      'Answers to requests: the file leaves out the two paths; they are as in Cal.com’s own OpenAPI description (`docs/api-reference/v2/openapi.json` of github.com/calcom/companion), and in `bookings.controller.ts` of its source.',
    correct({ paths }) {
      const { parameters = [], responses } = paths['/v2/bookings/{bookingUid}']!['get']!
      const reason = { type: 'object', properties: { reason: { type: 'string' } } }
      const requestBody = { required: true, content: { 'application/json': { schema: reason } } }
      paths['/v2/bookings/{bookingUid}/confirm'] = { post: { parameters, responses } }
      paths['/v2/bookings/{bookingUid}/decline'] = { post: { parameters, requestBody, responses } }
    },
  },
  {
    reason:
      'Bookings of a team: the file leaves out the path; it is as in `teams-bookings.controller.ts` of its source, 2df8c121.',
    correct({ paths }) {
      paths['/v2/teams/{teamId}/bookings'] = { get: paths['/v2/bookings']!['get']! }
    },
  },
]
