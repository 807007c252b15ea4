// @module-tag slow

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { beforeEach, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

import { bookingIdOf } from '../../src/core/domain/booking.ts'
import type { StepOutcome, LookupOutcome } from '../../src/core/domain/outcome.ts'
import { Problem } from '../../src/core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../src/core/domain/time/time.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import * as answers from '../../src/practice/adapters/scheduling/calendly/schemas.ts'
import { type FakeEvent, refusal } from '../support/fakes/calendly-bodies.ts'
import { fieldsOf, pathsIn, type Schema } from '../support/fakes/calendly-gaps.ts'
import { type CalendlyRoute, ROUTES } from '../support/fakes/calendly.ts'
import { OMISSIONS, type OmittedField, withOmitted } from '../support/fakes/contract-fields.ts'
import { resetAfter } from '../support/fakes/http.ts'
import { type CalendlyRig, JANE, MARKER, NOW, slotAt, startCalendly } from './calendly-rig.ts'

const REFERENCE = `(ref ${MARKER})`
const FIRST = { ...JANE, email: 'first@example.com' }
const slot = slotAt(0)

let rig: CalendlyRig
beforeEach(async () => {
  rig = await startCalendly()
})

const eventTypeId = () => rig.fake.eventType.id
const events = () => rig.fake.state.events
const isOurs = (event: FakeEvent) =>
  event.invitees.some(({ tracking }) => tracking['utm_content'] === MARKER)
const isCancelledByUs = (event: FakeEvent | undefined) =>
  event?.cancellation?.reason?.startsWith(REFERENCE) ?? false

/** What is said of a booking is true of the one that carries the marker, or says that it is not known. */
function expectTrueBooking(said: LookupOutcome): void {
  const ours = events().find(isOurs)
  if (said.is === 'ok') {
    const { event_type_id: kind, ...facts } = said.facts
    if (kind !== undefined) expect(kind).toBe(ours?.eventType)
    expect(facts).toEqual({
      booking_id: bookingIdOf(ours?.id ?? 'none'),
      state: ours?.status === 'active' ? 'confirmed' : 'cancelled',
      start_time: isoUtc(ours?.start ?? 0),
      end_time: isoUtc(ours?.end ?? 0),
    })
  }
  if (said.is === 'refused') expect(ours).toBeUndefined()
}

/** A send that was turned away had no effect; a lookup says nothing of the kind. */
function expectNoEffect(ran: StepOutcome): void {
  if (ran.is === 'busy' || ran.is === 'refused') expect(events().filter(isOurs)).toEqual([])
}

function expectTrueCancellation(said: LookupOutcome): void {
  const [event] = events()
  if (said.is === 'ok') expect(isCancelledByUs(event)).toBe(true)
  if (said.is === 'refused') expect(isCancelledByUs(event)).toBe(false)
  if (said.is === 'not_found') expect(event?.status).toBe('active')
}

type Scenario = (scheduling: Scheduling) => Promise<void>

const book = (scheduling: Scheduling) =>
  scheduling.book({ eventTypeId: eventTypeId(), ...slot, invitee: JANE }, MARKER)
const find = (scheduling: Scheduling) => scheduling.findBooked(slot, eventTypeId(), MARKER)
const idOfFirst = () => bookingIdOf(events()[0]!.id)

async function bookAndFind(scheduling: Scheduling): Promise<void> {
  const ran = await book(scheduling)
  expectTrueBooking(ran)
  expectNoEffect(ran)
  expectTrueBooking(await find(scheduling))
}

async function cancelAndFind(scheduling: Scheduling): Promise<void> {
  const ran = await scheduling.cancel(idOfFirst(), 'Travelling', MARKER)
  expectTrueCancellation(ran)
  if (ran.is === 'busy') expect(isCancelledByUs(events()[0])).toBe(false)
  expectTrueCancellation(await scheduling.findCancelled(idOfFirst(), MARKER))
}

/** Each sets the scene, acts, and holds what came back against what is true. */
const SCENARIOS: Record<string, Scenario> = {
  'a booking at an address'(scheduling) {
    rig.fake.eventType.locations = [{ kind: 'physical', location: '1 High Street' }]
    return bookAndFind(scheduling)
  },
  'a booking whose answer is lost'(scheduling) {
    rig.fake.fault('book', resetAfter)
    return bookAndFind(scheduling)
  },
  'a booking that is delivered twice'(scheduling) {
    rig.twice()
    return bookAndFind(scheduling)
  },
  async 'a booking whose answer is lost, and that is cancelled since'(scheduling) {
    rig.fake.fault('book', resetAfter)
    await book(scheduling)
    for (const { id } of events()) rig.fake.cancelOnPage(id, 'Mine')
    expectTrueBooking(await find(scheduling))
  },
  'a booking that is delivered twice and refused at length'(scheduling) {
    const details = [
      { parameter: 'start_time', message: 'It is no longer free', code: 'already_filled' },
    ]
    rig.fake.state.filled = refusal(400, 'Invalid Argument', 'The parameters are invalid.', details)
    rig.twice()
    return bookAndFind(scheduling)
  },
  'a booking that is delivered twice to a team'(scheduling) {
    rig.fake.bookOnPage(slot.start, FIRST)
    rig.twice()
    return bookAndFind(scheduling)
  },
  'a booking for a time that someone has'(scheduling) {
    rig.fake.bookOnPage(slot.start, FIRST)
    return bookAndFind(scheduling)
  },
  'a cancellation'(scheduling) {
    rig.fake.bookOnPage(slot.start, JANE)
    return cancelAndFind(scheduling)
  },
  'a cancellation whose answer is lost'(scheduling) {
    rig.fake.bookOnPage(slot.start, JANE)
    rig.fake.fault('cancel', resetAfter)
    return cancelAndFind(scheduling)
  },
  'a cancellation that is delivered twice'(scheduling) {
    rig.fake.bookOnPage(slot.start, JANE)
    rig.twice()
    return cancelAndFind(scheduling)
  },
  'a cancellation that is delivered twice and refused at length'(scheduling) {
    const details = [
      { parameter: 'event', message: 'Event is already canceled', code: 'already_canceled' },
    ]
    rig.fake.state.alreadyCancelled = refusal(400, 'Invalid Argument', 'No.', details)
    rig.fake.bookOnPage(slot.start, JANE)
    rig.twice()
    return cancelAndFind(scheduling)
  },
  'a cancellation of what someone else has cancelled'(scheduling) {
    rig.fake.cancelOnPage(rig.fake.bookOnPage(slot.start, JANE), 'Mine', 'host')
    return cancelAndFind(scheduling)
  },
  async reads(scheduling) {
    const id = bookingIdOf(rig.fake.bookOnPage(slot.start, JANE))
    events()[0]!.guests = ['kim@example.com']
    const truth = { bookingId: id, ...slot, state: 'confirmed' }
    const booking = await unlessProblem(scheduling.booking(id))
    if (booking) expect(booking).toMatchObject(truth)
    const wanted = {
      from: NOW,
      to: NOW + DAY,
      states: ['confirmed' as const],
      eventTypeIds: [eventTypeId()],
      limit: 20,
    }
    const page = await unlessProblem(scheduling.bookings(wanted, undefined))
    for (const listed of page && page !== 'unknown place' ? page.bookings : [])
      expect(listed).toMatchObject({ ...slot, state: 'confirmed' })
    const eventType = { name: 'consult', id: eventTypeId() }
    for (const { start, end } of (await unlessProblem(
      scheduling.slots(eventType, NOW, NOW + DAY),
    )) ?? [])
      expect(end - start).toBe(30 * MINUTE)
    await unlessProblem(scheduling.invitee(id))
  },
}

async function unlessProblem<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    expect(thrown.refusal).toMatchObject({
      effect: 'none',
      code: expect.stringMatching(/^provider_/) as string,
    })
    return undefined
  }
}

/** What the adapter reads of each route; of the rest it never learns. */
const READ: Partial<Record<CalendlyRoute, z.ZodType[]>> = {
  me: [answers.userSchema],
  eventType: [answers.eventTypeSchema],
  times: [answers.openTimesSchema],
  book: [answers.createdSchema, answers.errorSchema],
  events: [answers.eventsSchema],
  event: [answers.oneEventSchema],
  invitees: [answers.inviteesSchema],
  cancel: [answers.cancelledSchema, answers.errorSchema],
}
const isReadOf = (route: CalendlyRoute): ((path: string) => boolean) => {
  const known = (READ[route] ?? []).flatMap((schema) =>
    fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema),
  )
  const names = new Set(known.map(({ path }) => path))
  return (path) => names.has(path)
}

/** Every gap that changes something which is read of this answer. */
function gapsOf(route: CalendlyRoute, body: unknown): OmittedField[] {
  const whole = JSON.stringify(body)
  return pathsIn(body)
    .filter(isReadOf(route))
    .flatMap((path) => OMISSIONS.map((how) => ({ path, how })))
    .filter((field) => JSON.stringify(withOmitted(body, field)) !== whole)
}

/** The fields that were driven, by route. */
const driven = new Map<CalendlyRoute, Set<string>>()

function again(act: Scenario): Promise<void> {
  rig.fake.state.events = []
  return act(rig.adapter())
}

describe('whatever is null, missing or cut in an answer of Calendly, the connector claims nothing untrue', () => {
  test.each(Object.entries(SCENARIOS))('%s', async (name, scenario) => {
    const isTeam = name.endsWith('team')
    if (isTeam)
      Object.assign(rig.fake.eventType, { hosts: 2, pooling_type: 'round_robin', locations: null })
    await again(scenario)
    const table = [...rig.fake.answers].flatMap(([route, body]) =>
      gapsOf(route, body).map((field) => ({ route, field })),
    )
    expect(table.length).toBeGreaterThan(20)
    for (const { route, field } of table) {
      const { path, how } = field
      // Without a pooling type it is no team: that would be another case, not a gap.
      if (isTeam && how === 'null' && path.endsWith('pooling_type')) continue
      driven.set(route, (driven.get(route) ?? new Set()).add(path))
      rig.fake.distort(route, (body) => withOmitted(body, field))
      await again(scenario).catch((error: unknown) => {
        throw new Error(`${path} of ${route} is ${how}`, { cause: error })
      })
      rig.fake.distort(route)
    }
  })

  const folder = process.env['PROVIDER_CONTRACTS']
  it.skipIf(!folder)(
    'and every field was driven that the contract lets be null or missing, and that is read',
    () => {
      const contract = parse(readFileSync(join(folder ?? '', 'calendly.yaml'), 'utf8')) as Contract
      const resolve = (reference: string) =>
        reference.slice(2).split('/').reduce<unknown>(fieldOf, contract) as Schema
      const missed = (Object.keys(READ) as CalendlyRoute[]).flatMap((route) => {
        const [method = '', path = ''] = ROUTES[route].split(' ')
        const { responses } =
          contract.paths[path.replace(':uuid', '{uuid}')]![method.toLowerCase()]!
        return Object.values(responses)
          .map((one) => (one.$ref === undefined ? one : (resolve(one.$ref) as typeof one)))
          .flatMap(({ content }) => fieldsOf(content?.['application/json'].schema ?? {}, resolve))
          .filter(({ path: field, isLoose }) => isLoose && isReadOf(route)(field))
          .map(({ path: field }) => field)
          .filter((field) => !driven.get(route)?.has(field))
          .map((field) => `${route}: ${field}`)
      })
      expect([...new Set(missed)]).toEqual([])
    },
  )
})

interface Answer {
  $ref?: string
  content?: { 'application/json': { schema: Schema } }
}
interface Contract {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
}
const fieldOf = (place: unknown, key: string): unknown => (place as Record<string, unknown>)[key]
