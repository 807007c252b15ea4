import * as z from 'zod'
import { compileFn } from 'zod/v4/core'

import { orNull } from '../../core/domain/facts.ts'
import { modeSchema } from '../../core/domain/mode.ts'
import type { PageMutation, Operation } from './operation.ts'

/** How a text field reads a value that a host sent in another JSON type; undefined where that is none. */
export const hostForms = z.registry<{ read(value: unknown): string | undefined }>()

/** A whole number that JSON carries without loss. */
export const numberAsText = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined

// The fields of answers are made from it, so it stands beside them, too.
export { orNull }

export const textOrNull = orNull(z.string())

/** A text that needs a description. */
export const textField = (description: string) => z.string().meta({ description })

/** A moment in an answer, as RFC 3339 writes it. */
export const momentField = z.string().meta({ format: 'date-time' })

/** An object of exactly these fields, under a name in the documents, with an optional description. */
export function namedObject<S extends z.core.$ZodLooseShape>(
  id: string,
  ...about: [fields: S] | [description: string, fields: S]
): z.ZodObject<S, z.core.$strict> {
  const [description, fields] = about.length === 2 ? about : [undefined, about[0]]
  return z.strictObject(fields).meta({ id, description })
}

/** The answer of a read: these fields, and those that `defineRead` adds. */
export const answerOfRead = <N extends string, S extends z.core.$ZodLooseShape>(
  operation: N,
  id: string,
  description: string,
  fields: S,
) => namedObject(id, description, { operation: z.literal(operation), mode: modeSchema, ...fields })

/** The fields that every mutation has besides its own. */
export const confirmationFields = {
  confirm: z.boolean().meta({
    description:
      'false changes nothing and returns a preview to show to the person. ' +
      'After their yes, true commits what was shown.',
    // A form for the tool then begins with a preview, and its field is not left empty.
    default: false,
  }),
  confirmation_token: z
    .string()
    .max(256)
    .optional()
    .describe('The token of the preview, for confirm=true.'),
}

/** Schemas are made once per operation: two of one name would clash in the documents. */
function once<T>(make: (operation: PageMutation) => T): (operation: PageMutation) => T {
  const made = new WeakMap<PageMutation, T>()
  return (operation) => {
    const known = made.get(operation) ?? make(operation)
    made.set(operation, known)
    return known
  }
}

export const requestSchema = once((operation) => operation.input.extend(confirmationFields))

const answer = <S extends string>(operation: { name: string }, status: S) => ({
  status: z.literal(status),
  operation: z.literal(operation.name),
  mode: modeSchema,
})

const pascal = (name: string) =>
  name.replaceAll(/(^|_)([a-z])/g, (_, _gap, letter: string) => letter.toUpperCase())

const previewApprovalSchema = z
  .strictObject({
    required: z.literal('person'),
    status: z.enum(['pending', 'approved']),
    code: z.string().meta({
      description: 'The code by which a person recognises the change.',
      examples: ['7K3Q'],
    }),
    url: textField('The page on which a person approves or declines it.'),
  })
  .meta({
    id: 'PreviewApproval',
    description: 'Present if the owner wants a person to approve the change first.',
  })

const approvalSchema = z
  .strictObject({
    level: z.literal('person'),
    approved_at: momentField,
  })
  .meta({ id: 'Approval', description: 'When a person approved it, if a person had to.' })

export const previewSchema = once((operation) =>
  namedObject(
    `${pascal(operation.name)}Preview`,
    'What a commit would do; nothing has been changed.',
    {
      ...answer(operation, 'preview'),
      preview: operation.preview,
      summary: textField('What a commit would do, in one sentence.'),
      warnings: z.array(z.string()).describe('What a person should know before confirming.'),
      confirmation_token: z.string(),
      expires_at: momentField,
      next_step: z.string(),
      approval: previewApprovalSchema.optional(),
    },
  ),
)

/** Fields of a result that differ from what its preview showed. */
export const differsField = z.array(z.string()).meta({
  id: 'DiffersFromPreview',
  description:
    'The fields that differ from the preview, such as start_time. ' +
    'Present only if the provider did something else than the preview showed. ' +
    'Tell the person.',
})

export const committedSchema = once((operation) =>
  namedObject(`${pascal(operation.name)}Committed`, 'The change is made.', {
    ...answer(operation, 'committed'),
    result: operation.unstored
      ? operation.committed
          .extend(operation.unstored.fields)
          .meta({ ...operation.committed.meta() })
      : operation.committed,
    summary: textField('What was done, in one sentence.'),
    differs_from_preview: differsField.optional(),
    ...(operation.nextStep && {
      next_step: z
        .string()
        .optional()
        .describe('What to do before using a part of this answer later.'),
    }),
    committed_at: momentField,
    approval: approvalSchema.optional(),
  }),
)

export const requestName = (operation: { name: string }) => `${pascal(operation.name)}Request`

/** The schema without these fields, as far as it has them. */
export function withoutFields<S extends z.ZodObject>(schema: S, names: readonly string[]): S {
  const own = names.filter((name) => Object.hasOwn(schema.shape, name))
  if (own.length === 0) return schema
  const mask: object = Object.fromEntries(own.map((name) => [name, true]))
  return schema.omit(mask as Record<never, never>) as unknown as S
}

/** A whole number from 1 in a request; a query has it as digits, which validation reads. */
export const numberField = (most: number) => z.int().min(1).max(most)

const compiled = new WeakMap<z.ZodType, z.ZodType>()

/** The operation whose answers are long enough for a compiled check to pay for the start that it costs. */
const LONG_ANSWER = 'list_availability'

/** The schemas of an operation that are compiled: those of its requests, and of a long answer. */
export function compiledSchemasOf(operation: Operation): z.ZodType[] {
  if (operation.kind !== 'read') return [requestSchema(operation)]
  return operation.name === LONG_ANSWER ? [operation.input, operation.output] : [operation.input]
}

/**
 * Compiles schemas of operations to JavaScript, which Workers allow only while an isolate starts:
 * https://developers.cloudflare.com/workers/configuration/compatibility-flags/#enable-eval-during-startup
 * A schema that is not compiled is interpreted.
 */
export function compileSchemas(operations: readonly Operation[]) {
  for (const schema of operations.flatMap(compiledSchemasOf)) {
    const compiledSchema = compiledOnce(schema)
    if (compiledSchema) compiled.set(schema, compiledSchema)
  }
}

/**
 * Undefined where the runtime forbids compilation. `z.compile` would compile a second function,
 * which only checks.
 */
function compiledOnce(schema: z.ZodType): z.ZodType | undefined {
  try {
    return z.withParser(schema, compileFn(schema))
  } catch {
    return undefined
  }
}

/** The compiled schema, or itself: verdicts and messages are the same. */
export const fast = <S extends z.ZodType>(schema: S): S =>
  (compiled.get(schema) as S | undefined) ?? schema
