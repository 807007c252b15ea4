import { AUDIT_EVENTS, type AuditEvent } from '../../../core/domain/audit/entry.ts'
import { dayAround, startOfDay } from '../../../core/domain/time/time.ts'
import type { AuditMark, AuditQuery } from '../../../core/ports/audit.ts'

const FIELDS = ['event', 'caller', 'operation', 'code', 'id', 'from', 'to'] as const

/**
 * The filters of the audit log as the address has them; an empty one filters nothing. Days are
 * those of the practice.
 */
export type AuditFilters = Record<(typeof FIELDS)[number], string>
/** Where filters are wrong, in a sentence that repeats nothing. */
type FilterErrors = Partial<Record<keyof AuditFilters, string>>

/** What an id looks like; nothing in the log has an @, and no email address may be part of an address. */
export const ID_PATTERN = '[^\\s@]{1,600}'
export const CODE_PATTERN = '[a-z_]{1,60}'
const ID = new RegExp(`^${ID_PATTERN}$`)
const CODE = new RegExp(`^${CODE_PATTERN}$`)
const CALLER =
  /^(?:owner|anonymous|trial|none|(?:key|approver):[\w-]{1,100}|oauth:[\w-]{1,50}:[^\s@]{1,500})$/
/** What leads to a change, and what becomes of it. */
const OF_CHANGES: readonly AuditEvent[] = [
  'preview',
  'commit',
  'approval',
  'replay',
  'refusal',
  'unresolved',
  'resolution',
]
/** Kinds that stand together, by their name in the address. */
export const EVENT_GROUPS: Readonly<Record<string, readonly AuditEvent[]>> = {
  changes: OF_CHANGES,
  system: (Object.keys(AUDIT_EVENTS) as AuditEvent[]).filter(
    (event) => event !== 'rules' && !OF_CHANGES.includes(event),
  ),
}

const OPERATION_ID = /^[0-9a-f]{64}$/
const MARK = /^(\d{1,15})\.([\w:.-]{1,200})$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An address without a filter has the changes; one with an empty filter has everything. */
export function filtersIn(given: URLSearchParams): AuditFilters {
  if (!FIELDS.some((name) => given.has(name))) return { ...NO_FILTERS, event: CHANGES }
  return Object.fromEntries(
    FIELDS.map((name) => [name, (given.get(name) ?? '').trim()]),
  ) as AuditFilters
}

/** What the log opens on. */
export const CHANGES = 'changes'

const NO_FILTERS = Object.fromEntries(FIELDS.map((name) => [name, ''])) as AuditFilters

const FROM_LIST = 'Choose from the list.'

/** The question that filters ask, or where they are wrong. */
export function questionOf(
  { event, caller, operation, code, id, from, to }: AuditFilters,
  zone: string,
): { question: Omit<AuditQuery, 'limit'> } | { errors: FilterErrors } {
  const [first, last] = [startOfDay(from, zone), startOfDay(to, zone)]
  const isKind = Object.hasOwn(AUDIT_EVENTS, event) || Object.hasOwn(EVENT_GROUPS, event)
  const rules: [name: keyof AuditFilters, isRight: boolean, wanted: string][] = [
    ['event', event === '' || isKind, FROM_LIST],
    ['caller', caller === '' || CALLER.test(caller), FROM_LIST],
    ['operation', operation === '' || CODE.test(operation), FROM_LIST],
    ['code', code === '' || CODE.test(code), 'A code has small letters and underscores only.'],
    ['id', id === '' || ID.test(id), 'Enter the id of a booking, client, payment link or change.'],
    ['from', from === '' || first !== undefined, 'Enter the first day as a date.'],
    [
      'to',
      (to === '' || last !== undefined) && (first ?? 0) <= (last ?? Infinity),
      'Enter the last day as a date that is not before the first.',
    ],
  ]
  const errors: FilterErrors = Object.fromEntries(
    rules.flatMap(([name, isRight, wanted]) => (isRight ? [] : [[name, wanted]])),
  )
  if (Object.keys(errors).length > 0) return { errors }
  return {
    question: {
      ...(Object.hasOwn(EVENT_GROUPS, event) && { events: EVENT_GROUPS[event] }),
      ...(Object.hasOwn(AUDIT_EVENTS, event) && { event: event as AuditEvent }),
      ...(caller !== '' && { caller }),
      ...(operation !== '' && { operation }),
      ...(code !== '' && { code }),
      ...(id !== '' && { [fieldOfId(id)]: id }),
      ...(first !== undefined && { from: first }),
      ...(last !== undefined && { to: dayAround(last, zone).to }),
    },
  }
}

/** What an id is of: by its form a change or a request, and else a record. */
function fieldOfId(id: string): 'operation_id' | 'request_id' | 'record_id' {
  if (OPERATION_ID.test(id)) return 'operation_id'
  return UUID.test(id) ? 'request_id' : 'record_id'
}

/** Where a page of the log begins: after an entry, or before one. */
export type Place = { after: AuditMark } | { before: AuditMark } | undefined

/** The address of the audit log with these filters, from a place on if one is given. */
export function auditAddress(filters: Partial<AuditFilters>, place?: Place): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const query = new URLSearchParams(given.length === 0 ? { event: '' } : given)
  if (given.length === 1 && query.get('event') === CHANGES) query.delete('event')
  for (const [name, { at, id }] of Object.entries(place ?? {})) query.set(name, `${at}.${id}`)
  return query.size === 0 ? '/owner/audit' : `/owner/audit?${query.toString()}`
}

/** The place at which a page begins, as an address names it: `before=1767225600000.7f3a`. */
export function placeIn(given: URLSearchParams): Place {
  const isBack = given.has('before')
  const [, at, id] = MARK.exec(given.get(isBack ? 'before' : 'after') ?? '') ?? []
  if (at === undefined || id === undefined) return undefined
  const mark = { at: Number(at), id }
  return isBack ? { before: mark } : { after: mark }
}
