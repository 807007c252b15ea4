import { Problem, type Refusal } from '../../../../src/core/domain/problem/problem.ts'
import { SCOPES } from '../../../../src/core/domain/scopes.ts'
import type { Context } from '../../../../src/practice/operations/context.ts'
import { mutationNamed } from '../../../../src/practice/operations/index.ts'
import type { Operation } from '../../../../src/practice/operations/operation.ts'
import { perform } from '../../../../src/practice/operations/perform.ts'
import { withoutClientLines, withoutClientText } from '../auditor/canaries.ts'
import { confirmationObjects, namespaceOf } from '../world/cloudflare.ts'
import { PRACTICE } from '../world/ports.ts'
import type { World } from '../world/world.ts'
import type { Payload } from './payloads.ts'

/** What one call is answered over the wire. */
export type CallAnswer =
  | { is: 'preview'; token: string }
  | { is: 'committed'; result: Record<string, unknown> }
  | { is: 'refused'; refusal: Refusal }

export interface Sent {
  caller: string
  key: string
  payload: Payload
  fields: Record<string, unknown>
  confirm: boolean
  token?: string | undefined
}

/** What is answered of an operation that only the later version has. */
const NO_SUCH_ROUTE: Refusal = { code: 'not_found', effect: 'none' }

const SCOPE_NAMES = Object.keys(SCOPES) as (keyof typeof SCOPES)[]

/**
 * One call through a Worker: the real `perform`, over the simulated objects. `placed` resolves once it has reached them,
 * or was answered without; only until then is real time involved, in the hash that names the object.
 */
export function callWorker(
  world: World,
  sent: Sent,
): { placed: Promise<unknown>; answer: Promise<CallAnswer> } {
  const { keyring, auditor } = world
  const { payload, caller, key, confirm, token } = sent
  if (world.later?.operation === payload.operation && !world.later.isDeployed) {
    const answer = Promise.resolve({ is: 'refused', refusal: NO_SUCH_ROUTE } as const)
    return { placed: answer, answer }
  }
  const placed = Promise.withResolvers<void>()
  let object = ''
  let brokeOff = false
  const confirmations = confirmationObjects(
    namespaceOf((hash: string) => ({
      perform(call) {
        object = world.nameOf(hash, key)
        placed.resolve()
        const reply = world.object(object).perform(call, payload.tag)
        reply.catch(() => (brokeOff = true))
        return reply
      },
    })),
  )
  const request = {
    fields: {
      ...sent.fields,
      confirm,
      ...(token === undefined ? {} : { confirmation_token: token }),
    },
    ...(payload.path ? { path: payload.path } : {}),
    key,
  }
  // A mutation asks no more of a Worker: all else is up to the object.
  const services = {
    keyring: async () => keyring,
    practice: PRACTICE,
    confirmations,
  } as Context['services']
  const context = {
    caller,
    label: caller,
    app: null,
    requestId: `${key} ${confirm}`,
    scopes: SCOPE_NAMES,
    granted: [],
    requireCredential: async () => ({ expiresAt: null }),
    services,
    origin: 'https://connector.example.com',
    audit: () => {},
  }
  const answer = perform(mutationNamed(payload.operation) as Operation, request, context).then(
    ({ body, text }): CallAnswer => {
      const isPreview = body['status'] === 'preview'
      auditor.scan('an answer', withoutClientText(body))
      auditor.scan('an answer', isPreview ? withoutClientLines(text()) : text())
      return isPreview
        ? { is: 'preview', token: String(body['confirmation_token']) }
        : { is: 'committed', result: body['result'] as Record<string, unknown> }
    },
    (thrown: unknown): CallAnswer => {
      // As the app answers what no one expected.
      const refusal: Refusal =
        thrown instanceof Problem ? thrown.refusal : { code: 'internal_error', effect: 'unknown' }
      if (brokeOff) auditor.madeUp(object, payload.tag, refusal)
      return { is: 'refused', refusal }
    },
  )
  return { placed: Promise.race([placed.promise, answer]), answer }
}
