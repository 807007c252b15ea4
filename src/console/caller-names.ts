import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { APPROVER } from '../access/passkey.ts'
import { EVERYBODY } from '../domain/house-rules.ts'
import type { CallerItems } from './items.ts'

/** What callers are called, by the names that the audit log has for them. */
export type CallerNames = ReadonlyMap<string, string>

/** The page of a caller. */
export const callerPath = (caller: string): string => `/owner/callers/${encodeURIComponent(caller)}`

/** Who is in the audit log without being an app or a key that is listed. */
const OTHERS = new Map([
  [EVERYBODY, 'All callers'],
  ['owner', 'You, or your first key'],
  ['anonymous', 'Anybody on this machine'],
  ['none', 'The connector itself, or nobody who is known'],
])

/** The names of the callers that could be read. */
export const callerNamesOf = ({ apps, keys, approvers }: CallerItems): CallerNames =>
  new Map([
    ...[apps, keys, approvers].flatMap((items) =>
      items === 'unread'
        ? []
        : items.flatMap(({ caller, name }): [string, string][] =>
            caller === undefined ? [] : [[caller, name]],
          ),
    ),
    ...OTHERS,
  ])

/** A caller by its name. */
export const nameOf = (names: CallerNames, caller: string): string =>
  names.get(caller) ??
  (caller.startsWith(APPROVER)
    ? 'Somebody who approved, and is gone'
    : caller.startsWith('key:')
      ? 'A key that is gone'
      : 'An app that is gone')

/** A caller by its name, with the way to its page. */
export const callerLink = (names: CallerNames, caller: string): Html =>
  caller === 'none' || caller === EVERYBODY || caller.startsWith(APPROVER)
    ? html`${nameOf(names, caller)}`
    : html`<a href="${callerPath(caller)}"><bdi>${nameOf(names, caller)}</bdi></a>`
