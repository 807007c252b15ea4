import * as z from 'zod'

import {
  canonicalEmail,
  emailSchema,
  maskEmail,
  mistypedWarnings,
  withWholeDomain,
} from '../../core/domain/email.ts'
import {
  initials,
  outgoingName,
  outgoingNameWarnings,
  placeholderWarnings,
} from '../../core/domain/name.ts'
import { recordKey } from '../../core/domain/records.ts'
import { zoneSchema } from '../../core/domain/time/time.ts'
import { emailIndex, issueClientId, sameClient } from './client/identity.ts'
import { defineMutation, practiceMode, recordWrite } from './operation.ts'
import { textField, namedObject } from './schemas.ts'

const ENTITY_TYPES = [
  'individual',
  'joint',
  'trust',
  'llc',
  's_corp',
  'c_corp',
  'partnership',
  'estate',
] as const

export const entityTypeSchema = z.enum(ENTITY_TYPES)

const EXAMPLE_ID = 'cl_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b9kLmNoPqRsTuVwXyZ012345'

export const clientIdField = z.string().meta({
  description: 'The client: an opaque id.',
  examples: [EXAMPLE_ID],
})

export const clientZoneField = zoneSchema.optional().meta({
  description: 'IANA zone of the client; by default the zone of the practice.',
  examples: ['America/New_York'],
})

const profileFields = {
  entity_type: entityTypeSchema,
  display_name: textField('Initials only.'),
  contact_email: textField('Masked.'),
  timezone: textField('IANA time zone name.'),
}

const EXAMPLE_PROFILE = {
  entity_type: 'individual' as const,
  display_name: 'J. D.',
  contact_email: 'j***@***.com',
  timezone: 'America/New_York',
}
export const EXAMPLE_CLIENT = { client_id: EXAMPLE_ID, ...EXAMPLE_PROFILE }

/** A client in answers and records, masked. */
export const clientFields = { client_id: clientIdField, ...profileFields }

export const previewedClientSchema = namedObject('PreviewedClient', profileFields)

export const createClientProfile = defineMutation({
  name: 'create_client_profile',
  title: 'Create a client profile',
  description:
    'Creates a client profile (a new client, customer or contact record), in two calls, ' +
    'preview and commit. Use this when a person becomes a client. Returns the client_id. ' +
    'submit_intake_answers takes the client_id. The name ' +
    'is kept as initials and the email address masked. Cannot find, change or delete a client. ' +
    'Another key creates a second client.',
  scope: 'clients:write',
  route: 'POST /v1/clients',
  provider: null,
  destructive: false,
  problems: ['client_not_found'],
  input: z.strictObject({
    entity_type: entityTypeSchema.describe('The legal form of the client.'),
    display_name: outgoingName()
      .min(1)
      .meta({
        description:
          'Name of the client, on one line, without links or markup; kept and returned as ' +
          'initials.',
        examples: ['Jordan Doe'],
      }),
    contact_email: emailSchema.meta({
      description: 'Email address of the client; kept and returned masked.',
      examples: ['jordan@example.com'],
    }),
    timezone: clientZoneField,
  }),
  defaults: ({ timezone }) => ({ timezone }),
  preview: previewedClientSchema,
  committed: namedObject('Client', clientFields),
  canonical: (input) => ({ ...input, contact_email: canonicalEmail(input.contact_email) }),
  async facts({ contact_email }, reading) {
    const { ports, isPreview, id, keyId } = reading
    const keyring = await ports.keyring()
    const index = isPreview ? await emailIndex(keyring, keyId, contact_email) : []
    const notices = await sameClient(index, reading)
    const client_id = await issueClientId(keyring, keyId, id, practiceMode(ports))
    return { pinned: { client_id }, index, notices }
  },
  show(input, { notices }, { practice }) {
    const preview = {
      entity_type: input.entity_type,
      display_name: initials(input.display_name),
      contact_email: maskEmail(input.contact_email),
      timezone: input.timezone ?? practice.timezone,
    }
    return {
      preview,
      summary:
        `Create a client profile (${preview.entity_type}) for ${preview.display_name}, ` +
        `${preview.contact_email}.`,
      warnings: [
        mistypedWarnings(input.contact_email),
        placeholderWarnings(input.display_name),
        notices.warnings,
        outgoingNameWarnings(input.display_name),
      ],
      discloses: notices.discloses,
      sealed: [
        {
          readers: ['approver'],
          texts: {
            display_name: input.display_name,
            contact_email: withWholeDomain(input.contact_email),
          },
        },
      ],
    }
  },
  result: ({ preview, pinned }) => ({ client_id: pinned.client_id, ...preview }),
  summary: ({ display_name, entity_type, client_id }) =>
    `Created a client profile (${entity_type}) for ${display_name}: ${client_id}.`,
  namesAddress: () => true,
  recordId: ['client_id'],
  records: (result, finished) => [
    recordWrite(recordKey('client', result.client_id), result, finished, { links: finished.index }),
  ],
  example: {
    input: {
      entity_type: 'individual',
      display_name: 'Jordan Doe',
      contact_email: 'jordan@example.com',
      timezone: 'America/New_York',
    },
    preview: EXAMPLE_PROFILE,
    result: EXAMPLE_CLIENT,
  },
})
