import { isJSONRPCRequest } from '@modelcontextprotocol/server'
import { Problem } from '../domain/problem.ts'
import type { CallKind } from '../domain/rate-limit.ts'
import { TOOLS } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'

type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The operation whose tool has this name, whatever it was that came as a name. */
export const operationNamed = (name: unknown): Operation | undefined => TOOLS.find((one) => one.name === name)

const paramsOf = (message: unknown): Fields =>
  isFields(message) && isFields(message['params']) ? message['params'] : {}

const kindOf = (message: unknown): CallKind =>
  operationNamed(paramsOf(message)['name'])?.kind === 'mutation' ? 'changes' : 'reads'

/** A request that the SDK hands to a tool; when it is one too many, the tool answers it with the refusal. */
function isToolCall(message: unknown): boolean {
  const { name, arguments: given = {} } = paramsOf(message)
  return (
    isJSONRPCRequest(message) && message.method === 'tools/call' && !!operationNamed(name) && isFields(given)
  )
}

/**
 * Counts every message before anything is done: as its tool's kind where it names one, else as a read. Gives the refusal
 * of each call of a tool that is one too many. Raises `rate_limited` where any other message is.
 */
export async function countAll(
  messages: readonly unknown[],
  count: (kind: CallKind) => Promise<void>,
): Promise<(Problem | undefined)[]> {
  // Once a quota is used up, the rest need not be counted.
  const usedUp: Partial<Record<CallKind, Problem>> = {}
  const refusals: (Problem | undefined)[] = []
  for (const message of messages) {
    const kind = kindOf(message)
    const refusal = usedUp[kind] ?? (await refusalOf(count(kind)))
    if (refusal) usedUp[kind] = refusal
    if (refusal && !isToolCall(message)) throw refusal
    refusals.push(refusal)
  }
  return refusals
}

async function refusalOf(counted: Promise<void>): Promise<Problem | undefined> {
  try {
    await counted
    return undefined
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown
    throw thrown
  }
}
