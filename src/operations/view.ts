import type * as z from 'zod'
import type { Mode } from '../domain/mode.ts'
import { requireScope } from '../domain/scopes.ts'
import type { Ports } from '../ports/index.ts'
import type { Described } from './operation.ts'
import type { Context, Request } from './perform.ts'
import { parseInput } from './validation.ts'

/**
 * A look at what is there: served over REST and as an MCP resource, and no tool. It changes nothing and never acts on
 * what it shows. A listing has the field `next_cursor` in its answer.
 */
export interface View extends Described {
  kind: 'view'
  input: z.ZodObject
  output: z.ZodObject
  mode(ports: Ports): Mode
  run(input: object, ports: Ports): Promise<object>
}

interface ViewDefinition<I extends z.ZodObject, O extends z.ZodObject> extends Described {
  input: I
  output: O
  mode(ports: Ports): Mode
  run(input: z.infer<I>, ports: Ports): Promise<z.infer<O>>
}

export const defineView = <I extends z.ZodObject, O extends z.ZodObject>(
  definition: ViewDefinition<I, O>,
): View => ({
  ...(definition as unknown as ViewDefinition<z.ZodObject, z.ZodObject>),
  kind: 'view',
})

/** Takes the look: the one path for REST and MCP. Throws a Problem for every refusal. */
export async function look(
  view: View,
  { fields, path }: Request,
  { scopes, ports }: Pick<Context, 'scopes' | 'ports'>,
): Promise<Record<string, unknown>> {
  requireScope(scopes, view.scope)
  const input = parseInput(view.input, fields, path)
  return view.output.parse(await view.run(input, ports))
}
