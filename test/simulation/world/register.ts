import { clientKey, clientOfKey, intakePrefix } from '../../../src/domain/client.ts'
import { type DurableObject, durableObject, type Surroundings } from './durable-object.ts'

interface Entry {
  seq: number
  kind: string
  mode: string
  /** Null once it was erased. */
  value: string | null
  ties: readonly string[]
}

export interface RegisterState {
  entries: ReadonlyMap<string, Entry>
  /** Which flows keep something about which client. */
  holders: ReadonlyMap<string, ReadonlySet<string>>
}

type Shown = { seq: number; key: string; value: string }
type Counted = { entries: Shown[]; count: number }

/** The methods of durable-objects/register.ts, over maps in place of SQL. */
export interface RegisterMethods {
  note(clientId: string, flow?: string): boolean
  put(key: string, mode: string, value: string, ties: string[], like: string, flow?: string): boolean
  get(key: string): string | undefined
  known(keys: string[]): string[]
  newest(kind: string, mode: string, before: number, most: number): Shown[]
  tiedTo(key: string, kind: string, mode: string, most: number): Counted
  tied(tie: string, kind: string, most: number): Counted
  keysLike(kind: string, mode: string, prefix: string, most: number): string[]
  holdings(clientId: string): { deleted: boolean; keys: string[] }
  eraseClient(clientId: string): { keys: string[]; flows: string[] }
  release(clientId: string): void
}

const kindOf = (key: string): string =>
  key.endsWith(':end') ? 'booking_end' : key.slice(0, key.indexOf(':'))

export function registerObject(
  world: Surroundings,
  threw: (error: unknown) => void,
): DurableObject<RegisterState, RegisterMethods> {
  return durableObject<RegisterState, RegisterMethods>(world, {
    name: 'register',
    empty: { entries: new Map(), holders: new Map() },
    threw,
    construct(life) {
      const entries = () => life.value.entries
      const isErased = (key: string) => entries().get(key)?.value === null
      const intakesOf = (clientId: string) =>
        [...entries().keys()].filter((key) => key.startsWith(intakePrefix(clientId)))
      /** Those that are not erased, the newest first. */
      const shown = (wanted: (entry: Entry, key: string) => boolean): Shown[] =>
        [...entries()]
          .flatMap(([key, entry]) =>
            entry.value !== null && wanted(entry, key) ? [{ seq: entry.seq, key, value: entry.value }] : [],
          )
          .sort((one, other) => other.seq - one.seq)
      const counted = (found: Shown[], most: number): Counted => ({
        entries: found.slice(0, most),
        count: found.length,
      })

      const methods: RegisterMethods = {
        note(clientId, flow) {
          if (isErased(clientKey(clientId))) return true
          const known = life.value.holders.get(clientId)
          if (flow === undefined || known?.has(flow)) return false
          const holders = new Map(life.value.holders).set(clientId, new Set([...(known ?? []), flow]))
          life.write({ ...life.value, holders })
          return false
        },
        put(key, mode, value, ties, like, flow) {
          const clientId = clientOfKey(key)
          if (clientId !== undefined && methods.note(clientId, flow)) return false
          if (isErased(key)) return false
          const before = entries().get(key)
          const owned = clientId === undefined || clientKey(clientId) === key ? [] : [clientKey(clientId)]
          const all = [...(before?.ties ?? []), ...(entries().get(like)?.ties ?? []), ...ties, ...owned]
          const seq = before?.seq ?? entries().size + 1
          const entry = { seq, kind: kindOf(key), mode: before?.mode ?? mode, value, ties: [...new Set(all)] }
          life.write({ ...life.value, entries: new Map(entries()).set(key, entry) })
          return true
        },
        get: (key) => entries().get(key)?.value ?? undefined,
        known: (keys) => keys.filter((key) => methods.get(key) !== undefined),
        newest: (kind, mode, before, most) =>
          shown((one) => one.kind === kind && one.mode === mode && one.seq < before).slice(0, most),
        tiedTo(key, kind, mode, most) {
          const ours = entries().get(key)?.ties ?? []
          const isTied = ({ ties }: Entry) => ties.some((tie) => ours.includes(tie))
          return counted(
            shown((one) => one.kind === kind && one.mode === mode && isTied(one)),
            most,
          )
        },
        tied: (tie, kind, most) =>
          counted(
            shown((one) => one.kind === kind && one.ties.includes(tie)),
            most,
          ),
        keysLike: (kind, mode, prefix, most) =>
          shown((one, key) => one.kind === kind && one.mode === mode && key.startsWith(prefix))
            .slice(0, most)
            .map(({ key }) => key),
        holdings: (clientId) => ({
          deleted: isErased(clientKey(clientId)),
          keys: methods.known([clientKey(clientId), ...intakesOf(clientId)]),
        }),
        eraseClient(clientId) {
          const key = clientKey(clientId)
          const clients = [...entries()].filter(([other, { kind }]) => kind === 'client' && other !== key)
          const gone = (entries().get(key)?.ties ?? []).filter(
            (tie) => !clients.some(([, { ties }]) => ties.includes(tie)),
          )
          const nobody: Entry = {
            seq: entries().size + 1,
            kind: 'client',
            mode: 'none',
            value: null,
            ties: [],
          }
          const after = new Map(entries())
          if (!after.has(key)) after.set(key, nobody)
          for (const [name, entry] of after) {
            const isTheirs = name === key || entry.ties.includes(key)
            const ties = name === key ? [] : entry.ties.filter((tie) => tie !== key && !gone.includes(tie))
            after.set(name, { ...entry, ties, value: isTheirs ? null : entry.value })
          }
          life.write({ ...life.value, entries: after })
          const flows = [...(life.value.holders.get(clientId) ?? [])]
          return { keys: intakesOf(clientId), flows }
        },
        release(clientId) {
          const holders = new Map(life.value.holders)
          if (holders.delete(clientId)) life.write({ ...life.value, holders })
        },
      }
      return methods
    },
  })
}
