import { confirmationName } from '../../../../src/core/confirm/token.ts'
import { Problem, type Refusal, problem } from '../../../../src/core/domain/problem/problem.ts'
import {
  type AppliedRules,
  EVERYBODY,
  NO_RULES,
  type Rules,
} from '../../../../src/core/domain/rules/house-rules.ts'
import { SCOPES, type Scope } from '../../../../src/core/domain/scopes.ts'
import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import type { AuditNote } from '../../../../src/core/ports/audit.ts'
import type { ConfirmationCall } from '../../../../src/core/ports/confirmation.ts'
import type { Ports } from '../../../../src/core/ports/services.ts'
import type { Context } from '../../../../src/practice/operations/context.ts'
import { MUTATIONS, mutationNamed } from '../../../../src/practice/operations/index.ts'
import { operationStatus } from '../../../../src/practice/operations/operation-status.ts'
import { perform, performUnderLink } from '../../../../src/practice/operations/perform.ts'
import { ORIGIN, START, practice, type World } from '../../../support/fake-host.ts'
import { noHouseRules } from '../../../support/fakes/house-rules.ts'
import { noQuota } from '../../../support/fakes/provider-quota.ts'
import { reserveRoom, ROOM } from './toy-mutation.ts'

export type Reply =
  | { is: 'answer'; status: string; body: Record<string, unknown>; replayed: boolean }
  | { is: 'problem'; code: string; refusal: Refusal; replayed: boolean }

interface Sending {
  confirmations?: Pick<World, 'perform' | 'status'>
  approvalWaitMs?: number | undefined
  atOnce?: true
}

let keys = 0

const tokenIn = (fields: { confirmation_token?: string }): string | undefined =>
  fields.confirmation_token

/**
 * Someone with one idempotency key, who asks as REST and MCP ask. Without a token of its own, a commit carries the one
 * of the last preview.
 */
export function callerOf(
  world: World,
  operation: string,
  fields: object,
  options: { key?: string; scopes?: Scope[]; caller?: string } = {},
) {
  const key = options.key ?? `key number ${(keys += 1)}`
  const { caller: asking = 'tester' } = options
  let token: string | undefined
  let hasEnded = false

  const contextOf = async (confirmations: Pick<World, 'perform' | 'status'>): Promise<Context> => {
    return {
      caller: asking,
      label: 'Tester',
      app: null,
      requestId: 'request',
      scopes: options.scopes ?? (Object.keys(SCOPES) as Scope[]),
      granted: [],
      async requireCredential() {
        if (hasEnded) throw problem('unauthenticated')
        return { expiresAt: null }
      },
      services: {
        ...(await world.ports()),
        confirmations,
        houseRules: noHouseRules,
        providerQuota: noQuota,
        get events(): never {
          throw new Error('no change reads events')
        },
        get subscriptions(): never {
          throw new Error('no change subscribes')
        },
        modes: { scheduling: { mode: 'mock' as const }, payments: { mode: 'mock' as const } },
      },
      origin: ORIGIN,
      audit: (note: AuditNote) => void world.notes.push(note),
    }
  }

  const send = async (
    confirm: boolean,
    more: object,
    { confirmations = world, approvalWaitMs, atOnce }: Sending = {},
  ): Promise<Reply> => {
    const context = await contextOf(confirmations)
    try {
      const request = { fields: { ...fields, confirm, ...more }, key, approvalWaitMs }
      const called = [...MUTATIONS, reserveRoom].find(({ name }) => name === operation)
      const { body, replayed } = await (called
        ? perform(called, request, context)
        : performUnderLink(
            mutationNamed(operation)!,
            { ...fields, link_id: key },
            { ...context, site: () => context, note: context.audit },
            atOnce ? { atOnce } : { token: confirm ? (tokenIn(more) ?? '') : undefined },
          ))
      return { is: 'answer', status: String(body['status']), body, replayed }
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown
      const { refusal, replayed } = thrown
      return { is: 'problem', code: refusal.code, refusal, replayed }
    }
  }

  const caller = {
    name: confirmationName(asking, key),
    token: () => token,

    async preview(more: object = {}): Promise<Reply> {
      const reply = await send(false, more)
      if (reply.is === 'answer' && reply.status === 'preview')
        token = String(reply.body['confirmation_token'])
      return reply
    },

    commit: (more: object = {}, approvalWaitMs?: number): Promise<Reply> =>
      send(
        true,
        { ...(token === undefined ? {} : { confirmation_token: token }), ...more },
        { approvalWaitMs },
      ),

    /** Preview and commit in one call, under a link. */
    atOnce: (): Promise<Reply> => send(false, {}, { atOnce: true }),

    status: async () => operationStatus(key, await contextOf(world)),

    /** From now on the credential is good for nothing; calls that are under way were let in before. */
    loseCredential: () => void (hasEnded = true),

    /** What the Worker would ask the object, for races that start at the object. */
    async asked(confirm: boolean, more: object = {}): Promise<ConfirmationCall> {
      const { promise, resolve } = Promise.withResolvers<ConfirmationCall>()
      const given = confirm && token !== undefined ? { confirmation_token: token } : {}
      const catching = {
        status: world.status,
        perform: (_name: string, call: ConfirmationCall) => {
          resolve(call)
          return Promise.reject(new Problem({ code: 'internal_error', effect: 'none' }))
        },
      }
      await send(confirm, { ...given, ...more }, { confirmations: catching })
      return promise
    },

    record: async () => world.record(await caller.name),
    crash: async () => world.crash(await caller.name),
    ring: async () => world.ring(await caller.name),
    ringAll: async () => world.ringAll(await caller.name),
    alarm: async () => world.alarmOf(await caller.name),
  }
  return caller
}

export type Caller = ReturnType<typeof callerOf>

/** Tuesday, 10:00 in New York; free in the mock calendar. */
export const BOOKING = {
  start_time: '2026-11-24T10:00:00-05:00',
  timezone: 'America/New_York',
  invitee_email: 'jordan@example.com',
}
export const CLIENT = {
  entity_type: 'individual',
  display_name: 'Jordan Doe',
  contact_email: 'jordan@example.com',
}
export const LINK = { invoice_id: 'in_mock_open' }

/** A booking that is there already: Tuesday, 10:00 in New York. */
export async function anExistingBooking(
  world: World,
  request: 'open' | null = null,
): Promise<string> {
  const start = Date.parse(BOOKING.start_time)
  const made = await world.calendar.book({
    event_type_id: 'mock_consult',
    start,
    end: start + 30 * MINUTE,
    timezone: 'America/New_York',
    masked_email: 'j***@***.com',
    initials: 'J. D.',
    marker: 'someone',
    request,
  })
  if (made === 'taken') throw new Error('taken')
  return `bk_${made.id}`
}

/** Wednesday, 14:00 in New York; free in the mock calendar. */
export const NEW_TIME = '2026-11-25T14:00:00-05:00'

/** A practice of its own, and someone in it who was shown a preview and has not committed yet. */
async function previewed(
  operation: string,
  fields: object,
  options: Parameters<typeof practice>[0],
) {
  const world = practice(options)
  const caller = callerOf(world, operation, fields)
  await caller.preview()
  return { world, caller }
}

/** A caller's preview and commit, and the result of the commit. */
export async function resultOf(caller: Caller): Promise<Record<string, unknown>> {
  await caller.preview()
  const reply = await caller.commit()
  if (reply.is !== 'answer' || reply.status !== 'committed') throw new Error(JSON.stringify(reply))
  return reply.body['result'] as Record<string, unknown>
}

/** A client of the practice, as it is known by its id. */
export const aClient = async (world: World): Promise<string> =>
  String((await resultOf(callerOf(world, 'create_client_profile', CLIENT)))['client_id'])

/** A link of its own that the mock has, as under PAYMENT_LINK_STYLE=payment_link. */
async function aPaymentLink({ ledger }: World): Promise<string> {
  const { invoice_id } = LINK
  const link = { invoice_id, amount: 25_000, currency: 'usd', marker: 'made before' }
  return (await ledger.makeLink(link)).id
}

/** What each operation is asked for, and what has to exist for it. */
const FIELDS: Record<string, (world: World) => Promise<object>> = {
  book_consult: async () => BOOKING,
  reschedule_booking: async (world) => ({
    booking_id: await anExistingBooking(world),
    start_time: NEW_TIME,
  }),
  cancel_booking: async (world) => ({ booking_id: await anExistingBooking(world) }),
  create_payment_link: async () => LINK,
  end_payment_link: async (world) => ({ payment_link_id: await aPaymentLink(world) }),
  respond_to_booking: async (world) => ({
    booking_id: await anExistingBooking(world, 'open'),
    decision: 'accept',
  }),
  create_client_profile: async () => CLIENT,
  invite_client: async () => ({ ask: ['time'] }),
  submit_intake_answers: async (world) => ({
    client_id: await aClient(world),
    answers: { primary_goal: 'retirement' },
  }),
}

/** Whether a request for this operation is written here. */
export const hasFields = ({ name }: { name: string }): boolean => Object.hasOwn(FIELDS, name)

/** What this operation is asked for; what has to exist for it is made. */
export function fieldsOf(operation: string, world: World): Promise<object> {
  const fields = FIELDS[operation]
  if (!fields)
    throw new Error(
      `write a request for ${operation} into FIELDS of test/unit/core/confirm/caller.ts`,
    )
  return fields(world)
}

/** From now on a port of the practice has methods of the test in front of those that it had. */
export function replace<Port extends 'scheduling' | 'payments' | 'records'>(
  world: World,
  port: Port,
  own: (had: Ports[Port], ports: Ports) => Partial<Ports[Port]>,
): void {
  const { adapt } = world
  world.adapt = (given) => {
    const ports = adapt(given)
    return { ...ports, [port]: { ...ports[port], ...own(ports[port], ports) } }
  }
}

/** Rules of the owner for all callers together. */
export const rulesForAll = (rules: Partial<Rules>, changesToday = 0): AppliedRules => ({
  caller: EVERYBODY,
  rules: { ...NO_RULES, ...rules },
  pausedSince: rules.paused ? START : null,
  changesToday,
})
/** The rule that a person approves each change by an operation, or by any. */
export const personApproves = (operation: string): AppliedRules[] => [
  rulesForAll({ approval: [{ operation, level: 'person' }] }),
]

/** For tests that are about the flow alone: a change that no practice has. */
export async function previewedRoom(options: Parameters<typeof practice>[0] = {}) {
  const mutations = [...(options.mutations ?? []), reserveRoom]
  const { world, caller: room } = await previewed('reserve_room', ROOM, { ...options, mutations })
  return { world, room }
}

export async function previewedBooking(options: Parameters<typeof practice>[0] = {}) {
  const { world, caller: booking } = await previewed('book_consult', BOOKING, options)
  return { world, booking }
}

export async function previewedLink(options: Parameters<typeof practice>[0] = {}) {
  const { world, caller: link } = await previewed('create_payment_link', LINK, options)
  return { world, link }
}

/** A practice with a booking, and a caller who was shown a preview of its move. */
export async function previewedMove(more: object = {}) {
  const world = practice()
  const booking_id = await anExistingBooking(world)
  const move = callerOf(world, 'reschedule_booking', { booking_id, start_time: NEW_TIME, ...more })
  await move.preview()
  return { world, booking_id, move }
}

/** A practice with a booking, and a caller who was shown a preview of its cancellation. */
export async function previewedCancellation(more: object = {}) {
  const world = practice()
  const cancel = callerOf(world, 'cancel_booking', {
    booking_id: await anExistingBooking(world),
    ...more,
  })
  await cancel.preview()
  return { world, cancel }
}

export async function previewedClient(options: Parameters<typeof practice>[0] = {}) {
  const { world, caller: client } = await previewed('create_client_profile', CLIENT, options)
  return { world, client }
}
