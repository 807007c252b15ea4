import { linkOfMarker } from '../../../src/core/domain/client-link.ts'
import { recordKey } from '../../../src/core/domain/records.ts'
import { NO_RULES } from '../../../src/core/domain/rules/house-rules.ts'
import { HOUR, MINUTE } from '../../../src/core/domain/time/duration.ts'
import { type FakeBackup, type World, practice } from '../../support/fake-host.ts'
import { randomFrom } from '../../support/random.ts'
import { type Caller, type Reply, callerOf, resultOf } from '../../unit/core/confirm/caller.ts'
import { linkIn } from '../../unit/core/confirm/client-link.ts'

/** What must hold of a restore, whenever it comes. */
export const PROMISES = {
  R1: 'one key has one effect, before the restore, after it and across it',
  R2: 'an answer that the backup has is given again byte for byte',
  R3: 'a change that was answered as done is never answered as not done',
  R4: 'no flow of the backup and no old token sends anything',
  R5: 'while all are paused nothing begins',
  R6: 'no client link of the backup is open',
  R7: 'what was lost, and is not at the provider, can be done again',
} as const

export interface RestoreOutcome {
  violation: { promise: keyof typeof PROMISES; what: string } | undefined
  counts: Readonly<Record<string, number>>
  trace: readonly string[]
}

class Broken extends Error {
  readonly promise: keyof typeof PROMISES
  constructor(promise: keyof typeof PROMISES, what: string) {
    super(what)
    this.promise = promise
  }
}

/** A caller with one key, and how often the change was made at the provider or in the records. */
interface Party {
  operation: string
  caller: Caller
  name: string
  effects(): number
  /** The last answer that said that it is done. */
  told?: Record<string, unknown>
  /** A commit was sent. */
  isSent?: true
}

/** How many keys a run has; the last one is a client link. */
export const PARTIES = 4

/** What a party may do next, or what may happen to it, each with its weight. */
const ACTS = [
  [5, 'preview'],
  [6, 'commit'],
  [3, 'commit cut'],
  [2, 'decide'],
  [1, 'crash'],
  [2, 'alarm'],
  [1, 'webhook'],
  [1, 'status'],
  [3, 'fault'],
  [1, 'time'],
  [1, 'secret'],
] as const
type Act = (typeof ACTS)[number][1]

/** What can go wrong at a provider, and how. */
const ACTIONS = ['book', 'cancel', 'end_link', 'respond'] as const
const FAULTS = ['timeout_before', 'timeout_after', 'lost', 'late', 'busy', 'refused'] as const

const DAY_OF = { old: '2026-11-24', new: '2026-11-25' }
/** A free time of the mock calendar for each of several parties. */
const timeOf = (nth: number, day: keyof typeof DAY_OF): string =>
  `${DAY_OF[day]}T${12 + nth}:00:00-05:00`
const INVOICES = ['in_mock_open', 'in_mock_jpy', 'in_mock_partly_paid']

/** What the parties of a run ask for. */
export const OPERATIONS = [
  'book_consult',
  'reschedule_booking',
  'cancel_booking',
  'create_payment_link',
  'end_payment_link',
  'create_client_profile',
  'submit_intake_answers',
  'respond_to_booking',
] as const

/** What a party asks for, and where its effect is seen. */
async function partyOf(world: World, operation: (typeof OPERATIONS)[number], nth: number) {
  const { calendar, ledger } = world
  const start = Date.parse(timeOf(nth, 'old'))
  const moved = Date.parse(timeOf(nth, 'new'))
  const existing = async (request: 'open' | null = null): Promise<string> => {
    const made = await calendar.book({
      event_type_id: 'mock_consult',
      start,
      end: start + 30 * MINUTE,
      timezone: 'America/New_York',
      masked_email: 'j***@***.com',
      initials: 'J. D.',
      marker: 'another client',
      request,
    })
    if (made === 'taken') throw new Error('two parties have one time')
    return made.id
  }
  const email = `jordan.${nth}@example.com`
  const profile = { entity_type: 'individual', display_name: 'Jordan Doe', contact_email: email }
  const bookedAt = (at: number) =>
    calendar.rows.filter((row) => row.start === at && row.marker !== 'another client').length
  const keptUnder =
    (prefix: string, like = '') =>
    () =>
      [...world.stored].filter(
        ([key, value]) => key.startsWith(prefix) && JSON.stringify(value).includes(like),
      ).length
  switch (operation) {
    case 'book_consult': {
      const fields = {
        start_time: timeOf(nth, 'old'),
        timezone: 'America/New_York',
        invitee_email: email,
      }
      return { fields, effects: () => bookedAt(start) }
    }
    case 'reschedule_booking': {
      const fields = {
        booking_id: `bk_${await existing()}`,
        start_time: timeOf(nth, 'new'),
      }
      return { fields, effects: () => bookedAt(moved) }
    }
    case 'cancel_booking': {
      const id = await existing()
      const isOver = () => calendar.rows.find((row) => row.id === id)?.cancelled_by !== null
      return { fields: { booking_id: `bk_${id}` }, effects: () => Number(isOver()) }
    }
    case 'respond_to_booking': {
      const id = await existing('open')
      const isAnswered = () => calendar.rows.find((row) => row.id === id)?.request !== 'open'
      const fields = { booking_id: `bk_${id}`, decision: 'accept' }
      return { fields, effects: () => Number(isAnswered()) }
    }
    case 'create_payment_link': {
      const invoice_id = INVOICES[nth]!
      // The page of the invoice is the link, so nothing is made at the provider.
      return { fields: { invoice_id }, effects: keptUnder(`payment_link:pl_${invoice_id}`) }
    }
    case 'end_payment_link': {
      const wanted = { invoice_id: 'in_mock_open', amount: 100 + nth, currency: 'usd' }
      const { id } = await ledger.makeLink({ ...wanted, marker: `before ${nth}` })
      const isOver = () => ledger.links.find((link) => link.id === id)?.active === 0
      return { fields: { payment_link_id: id }, effects: () => Number(isOver()) }
    }
    case 'create_client_profile':
      return {
        fields: { ...profile, display_name: 'Quinn Doe' },
        effects: keptUnder('client:', 'Q. D.'),
      }
    case 'submit_intake_answers': {
      const made = await resultOf(callerOf(world, 'create_client_profile', profile))
      const fields = {
        client_id: String(made['client_id']),
        answers: { primary_goal: 'retirement' },
      }
      return { fields, effects: keptUnder(`intake:${fields.client_id}`) }
    }
  }
}

/** What has its effect in the records, which go back with a restore, and not at a provider. */
const OF_RECORDS = new Set([
  'create_client_profile',
  'create_payment_link',
  'submit_intake_answers',
])

const bodyOf = (reply: Reply): Record<string, unknown> | undefined =>
  reply.is === 'answer' && reply.status === 'committed' ? reply.body : undefined
const spoken = (reply: Reply): string =>
  reply.is === 'answer' ? reply.status : `${reply.code}, effect ${reply.refusal.effect}`

/**
 * One run over the flows, the records and the log, with the providers outside: a backup is copied part by part while things
 * happen, a tail comes after it, all is lost, and the backup comes back. The same seed is the same run.
 */
export async function simulateRestore(
  seed: number,
  { forgets = false }: { forgets?: boolean } = {},
): Promise<RestoreOutcome> {
  const random = randomFrom(seed)
  const world = practice()
  const trace: string[] = []
  const counts: Record<string, number> = {}
  const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1)
  const parties: Party[] = []
  let isTail = false
  const happened = (what: string): void => count(`${isTail ? 'lost' : 'before'}: ${what}`)
  const operations = [...OPERATIONS]
  for (let nth = 0; nth < PARTIES - 1; nth++) {
    const [operation] = operations.splice(random.int(0, operations.length - 1), 1)
    const { fields, effects } = await partyOf(world, operation!, nth)
    const caller = callerOf(world, operation!, fields, { key: `key ${nth} of seed ${seed}` })
    parties.push({ operation: operation!, caller, name: await caller.name, effects })
  }
  const link = await linkIn(world, random.pick([['time'], ['details', 'time'], ['details']]))
  const tab = link.tab()
  const bookedUnderLink = () =>
    world.calendar.rows.filter(({ marker }) => linkOfMarker(marker) === link.link_id).length
  parties.push({
    operation: 'complete_client_link',
    caller: tab,
    name: await tab.name,
    effects: bookedUnderLink,
  })
  if (random.chance(0.4)) {
    const approval = [{ operation: parties[0]!.operation, level: 'person' as const }]
    const rules = { ...NO_RULES, approval }
    world.rules = [{ caller: 'tester', rules, pausedSince: null, changesToday: 0 }]
  }
  await world.idle()

  const says = (party: Party, reply: Reply): Reply => {
    trace.push(`${party.operation}: ${spoken(reply)}`)
    const body = bodyOf(reply)
    if (body) party.told = body
    return reply
  }
  const once = (party: Party): void => {
    const effects = party.effects()
    if (effects > 1) throw new Broken('R1', `${party.operation} has ${effects} effects`)
  }

  async function act(party: Party, named?: Act): Promise<void> {
    const { caller, name } = party
    const what = named ?? random.weighted(ACTS)
    trace.push(`${party.operation}: ${what}`)
    switch (what) {
      case 'preview':
        return void says(party, await caller.preview())
      case 'commit':
        if (caller.token() !== undefined) party.isSent = true
        return void says(party, await caller.commit())
      case 'commit cut': {
        if (caller.token() !== undefined) party.isSent = true
        let left = random.int(0, 10)
        world.interleave = async () => void (left-- === 0 && world.crash(name))
        const reply = await caller.commit().finally(() => (world.interleave = async () => {}))
        return void says(party, reply)
      }
      case 'decide':
        if (!world.waiting.has(name)) return
        happened('an approval')
        return void (await world.decide(name, random.pick(['approve', 'decline'])))
      case 'crash':
        return world.crash(name)
      case 'alarm':
        return world.near(name) ? world.ring(name) : undefined
      case 'webhook':
        happened('a webhook')
        return world.look(name, `bk_${world.calendar.rows.at(-1)?.id ?? 'none'}`)
      case 'status':
        return void (await world.status(name))
      case 'fault':
        return world.fail(random.pick(ACTIONS), random.pick(FAULTS))
      case 'time':
        return world.pass(random.pick([MINUTE, 16 * MINUTE, 20 * HOUR]))
      case 'secret':
        happened('a rotation')
        world.secrets = [`secret ${world.now()} of a rotation, long`, ...world.secrets]
    }
  }
  async function acts(party: Party, named?: Act): Promise<void> {
    // An instance that is gone answers nothing.
    await act(party, named).catch((thrown: unknown) => {
      if (!/was reset/.test(String(thrown))) throw thrown
    })
    once(party)
  }
  async function several(most: number): Promise<void> {
    for (let left = random.int(0, most); left > 0; left--) {
      await acts(random.pick(parties))
    }
  }

  try {
    await several(12)
    // Else few backups have a change at work, and few of those end in the tail.
    const doubtful = random.pick(parties)
    const fault = random.pick(FAULTS)
    await acts(doubtful, 'preview')
    for (const action of ACTIONS) world.fail(action, fault)
    await acts(doubtful, 'commit')
    world.allIsWell()
    const flows = world.backup.flows()
    await several(2)
    const records = world.backup.records()
    await several(2)
    const backup: FakeBackup = { ...flows, records, log: world.backup.log() }
    isTail = true
    await acts(doubtful, random.pick(['alarm', 'commit', 'commit']))
    // Else few runs have a change that is asked for and done in the tail.
    const fresh = parties.filter(({ caller }) => caller.token() === undefined)
    if (fresh.length > 0) {
      const party = random.pick(fresh)
      for (const named of ['preview', 'commit'] as const) await acts(party, named)
    }
    await several(10)
    await afterRestore(backup)
  } catch (thrown) {
    if (!(thrown instanceof Broken)) throw thrown
    const { promise, message: what } = thrown
    return { violation: { promise, what: `seed ${seed}: ${what}` }, counts, trace }
  }
  return { violation: undefined, counts, trace }

  async function afterRestore(backup: FakeBackup): Promise<void> {
    world.restore(backup)
    if (forgets) world.isRestoredLately = false
    trace.push('RESTORED')
    const known = new Set([...backup.flows, ...backup.records.answers].map(([name]) => name))
    for (const { name, operation, told } of parties)
      if (told && !known.has(name)) happened(operation)
    const answers = new Set(backup.records.answers.map(([name]) => name))
    const sent = world.mutations().length
    // What was made in the records goes back with them.
    const before = new Map(parties.map((party) => [party, party.effects()]))
    const sentNothing = (promise: 'R4' | 'R5'): void => {
      for (const [party, effects] of before) {
        once(party)
        if (!known.has(party.name) && party.effects() !== effects)
          throw new Broken(
            promise,
            `${party.operation} was sent, and the backup knows nothing of it`,
          )
      }
    }
    const judged = (party: Party, reply: Reply): void => {
      const { operation, told, name } = party
      trace.push(`${operation}, again: ${spoken(reply)}`)
      if (reply.is === 'problem' && reply.code === 'paused') return
      const body = bodyOf(reply)
      count(
        `${told ? 'told' : 'not told'}, ${answers.has(name) ? 'kept' : known.has(name) ? 'at work' : 'lost'}: ${spoken(reply)}`,
      )
      if (told && answers.has(name) && JSON.stringify(body) !== JSON.stringify(told))
        throw new Broken('R2', `${operation} was answered otherwise: ${spoken(reply)}`)
      const isDone = told !== undefined || (!OF_RECORDS.has(operation) && party.effects() > 0)
      if (!isDone || body || !party.isSent) return
      if (reply.is !== 'problem' || reply.refusal.effect === 'none')
        throw new Broken('R3', `${operation} is done, and answered as ${spoken(reply)}`)
    }
    const again = async (party: Party): Promise<void> => {
      if (party.caller.token() !== undefined) judged(party, await party.caller.commit())
    }

    for (let left = random.int(0, 4); left > 0; left--) await again(random.pick(parties))
    // A caller who previews during a pause is refused, and keeps the earlier token.
    for (const party of parties)
      if (random.chance(0.3)) {
        const reply = await party.caller.preview()
        if (reply.is === 'answer' && reply.status === 'preview')
          throw new Broken('R5', `${party.operation} was previewed`)
      }
    sentNothing('R5')
    world.rules = backup.rules
    world.allIsWell()
    // Another process of the same caller may preview again first.
    const others = parties.map(({ operation, caller, name }) => ({ operation, caller, name }))
    for (const other of others)
      if (random.chance(0.2)) {
        const call = await other.caller.asked(false)
        await world.perform(other.name, call).catch(() => undefined)
        trace.push(`${other.operation}: another process previews`)
      }
    for (const party of parties) await again(party)
    sentNothing('R4')
    const { state } = (await link.read())!
    count(`link: ${state}`)
    if (state === 'open') throw new Broken('R6', 'the link is open')
    for (const { name } of parties) await world.ringAll(name)
    await world.idle()
    for (const party of parties) await again(party)
    sentNothing('R4')
    const sentSince = world.mutations().slice(sent)
    if (sentSince.length > 0) throw new Broken('R4', `sent: ${sentSince.join(', ')}`)
    await doneAgain(known)
    if (world.broken.length > 0) throw new Broken('R1', `broke loose: ${String(world.broken[0])}`)
  }

  /** A caller whose outcome is unknown looks at the provider, and makes the change again if it is not there. */
  async function doneAgain(known: ReadonlySet<string>): Promise<void> {
    world.rules = []
    for (const party of parties) {
      const { operation, caller, name } = party
      if (known.has(name) || operation === 'complete_client_link' || party.effects() > 0) continue
      const shown = await caller.preview()
      // What it is about may have gone meanwhile.
      if (shown.is === 'problem') {
        count(`again: ${spoken(shown)}`)
        continue
      }
      const reply = await caller.commit()
      await world.idle()
      count(`again: ${spoken(reply)}`)
      if (bodyOf(reply) && party.effects() !== 1)
        throw new Broken(
          'R7',
          `${operation} was answered as done, and has ${party.effects()} effects`,
        )
      once(party)
    }
    const end = world.stored.get(recordKey('client_link_end', link.link_id))
    if (bookedUnderLink() > 1) throw new Broken('R1', 'the link has two consults')
    if (end) count('link: its end is kept')
  }
}
