import { Problem } from '../../../src/domain/problem.ts'
import { recordId } from '../../../src/domain/records.ts'
import { SCOPES, type Scope } from '../../../src/domain/scopes.ts'
import { VIEWS } from '../../../src/operations/index.ts'
import { listAvailability } from '../../../src/operations/list-availability.ts'
import { look, type View } from '../../../src/operations/view.ts'
import { parseInput } from '../../../src/operations/validation.ts'
import { clientsMade, type Read, type Said } from '../auditor/reads.ts'
import type { Kept } from '../auditor/records.ts'
import { type Life, Reset } from '../world/durable-object.ts'
import { portsOf } from '../world/ports.ts'
import type { World } from '../world/world.ts'

const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

const viewNamed = (name: string): View => VIEWS.find((view) => view.name === name)!

/** A Worker keeps nothing, so nothing can be lost of it. */
const worker: Life<Kept> = {
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

/** Somebody looks at something that was made, or that there is. */
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
  const begun = auditor.readBegins(asked)
  timeline.note(`somebody asks ${asked.name} ${asked.id ?? ''}`)
  let said: Said
  try {
    said = { is: 'shown', body: await answer(world, asked) }
  } catch (thrown) {
    if (thrown instanceof Reset) return
    if (!(thrown instanceof Problem)) return auditor.report('I19', `${asked.name} threw ${String(thrown)}`)
    said = { is: 'refused', code: thrown.refusal.code }
  }
  tally.count(`read ${asked.name}`)
  begun(said)
}

async function answer(world: World, { name, id }: Read): Promise<Record<string, unknown>> {
  const ports = portsOf(world, worker)
  const context = { scopes: SCOPE_NAMES, ports }
  switch (name) {
    case 'list_availability':
      return listAvailability.output.parse(
        await listAvailability.run(parseInput(listAvailability.input, {}), ports),
      )
    case 'list_clients':
      return look(viewNamed(name), { fields: {} }, context)
    case 'get_booking':
      return look(viewNamed(name), { fields: {}, path: { booking_id: id } }, context)
    case 'get_client':
      return look(viewNamed(name), { fields: {}, path: { client_id: id } }, context)
    case 'get_payment_link':
      return look(viewNamed(name), { fields: {}, path: { payment_link_id: id } }, context)
  }
}
