import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import { recordId } from '../../../../src/core/domain/records.ts'
import { SCOPES, type Scope } from '../../../../src/core/domain/scopes.ts'
import type { Context, Request } from '../../../../src/practice/operations/context.ts'
import { READS } from '../../../../src/practice/operations/index.ts'
import { listAvailability } from '../../../../src/practice/operations/list-availability.ts'
import type { Read as ReadOperation } from '../../../../src/practice/operations/operation.ts'
import { perform } from '../../../../src/practice/operations/perform.ts'
import { noQuota } from '../../../support/fakes/provider-quota.ts'
import { clientsMade, type Read, type Said } from '../auditor/reads.ts'
import type { Kept } from '../auditor/records.ts'
import { type Instance, Reset } from '../world/durable-object.ts'
import { portsOf } from '../world/ports.ts'
import type { World } from '../world/world.ts'
import { PEOPLE } from './payloads.ts'

const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

const readNamed = (name: string): ReadOperation =>
  [listAvailability, ...READS].find((read) => read.name === name)!

/** A Worker keeps nothing, so nothing can be lost of it. */
const worker: Instance<Kept> = {
  name: 'a worker',
  alive: true,
  outdated: false,
  tasks: 0,
  skew: 0,
  value: { record: undefined, alarm: undefined },
  touch: () => {},
  write: () => {},
  release: (effect) => effect(),
  own: (promise) => promise,
}

/** Someone looks at something that was made, or that there is. */
export function somebodyReads(world: World): void {
  const { random, scheduling, auditor } = world
  const clients = clientsMade(auditor.ledger)
  const links = world.records
    .query("SELECT key FROM records WHERE kind = 'payment_link' ORDER BY seq")
    .map(({ key }) => recordId(String(key)))
  const reads: Read[] = [
    { name: 'list_availability' },
    { name: 'list_clients' },
    { name: 'get_booking', id: random.pick([...scheduling.bookings.keys(), 'bk_p0']) },
    { name: 'find_bookings', id: random.pick(PEOPLE).email.toUpperCase() },
    ...(clients.length > 0 ? [{ name: 'get_client', id: random.pick(clients) } as const] : []),
    ...(links.length > 0 ? [{ name: 'get_payment_link', id: random.pick(links) } as const] : []),
  ]
  void read(world, random.pick(reads))
}

/** Every client that was ever made is read, and their list. */
export function readClients(world: World): void {
  for (const id of clientsMade(world.auditor.ledger)) void read(world, { name: 'get_client', id })
  void read(world, { name: 'list_clients' })
}

async function read(world: World, asked: Read): Promise<void> {
  const { auditor, tally, timeline } = world
  const begun = auditor.readBegins(asked, timeline.now)
  timeline.note(`someone asks ${asked.name} ${asked.id ?? ''}`)
  let said: Said
  try {
    said = { is: 'shown', body: await answer(world, asked) }
  } catch (thrown) {
    if (thrown instanceof Reset) return
    if (!(thrown instanceof Problem))
      return auditor.report('I19', `${asked.name} threw ${String(thrown)}`)
    said = { is: 'refused', code: thrown.refusal.code }
  }
  tally.count(`read ${asked.name}`)
  begun(said)
}

async function answer(world: World, { name, id }: Read): Promise<Record<string, unknown>> {
  const houseRules = {
    // The platform's clock, by which a copy ages, is not that of a simulation.
    lastCopyOf: () => [],
    copyOf: (caller: string) =>
      world.coordinator.call('rules?', (rows) => rows.appliedTo(caller, '')),
  }
  const services = { ...portsOf(world, worker), houseRules, providerQuota: noQuota }
  const context = { caller: 'ada', scopes: SCOPE_NAMES, services } as unknown as Context
  const path = PATH_OF[name]
  const fields = name === 'find_bookings' ? { invitee_email: id } : {}
  const request = { fields, ...(path && { path: { [path]: id } }) }
  return (await perform(readNamed(name), request as Request, context)).body
}

/** The field of the path that names what is read. */
const PATH_OF: Partial<Record<Read['name'], string>> = {
  get_booking: 'booking_id',
  get_client: 'client_id',
  get_payment_link: 'payment_link_id',
}
