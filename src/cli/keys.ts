import { counted } from '../core/domain/plural.ts'
import { ADMIN_OPTIONS, adminArguments, printMore } from './admin-client.ts'
import { UsageError, runCommand } from './command.ts'

/** For how many hours the old key stays valid, unless something else is said. */
const OVERLAP = '24'

const USAGE = `Usage:
  npm run keys -- list
  npm run keys -- create --name "Front desk" --scopes "availability:read bookings:write" [--expires-in-days 365]
  npm run keys -- rotate <key id> [--overlap-hours ${OVERLAP}]
  npm run keys -- revoke <key id>
Options for all: ${ADMIN_OPTIONS}`

interface Key {
  id: string
  name: string
  scopes: string[]
  created_by: string
  expires_at: string | null
  last_used_on: string | null
  revoked_at: string | null
  key?: string
}

await runCommand(USAGE, async () => {
  const { api, positionals, values } = adminArguments({
    name: { type: 'string' },
    scopes: { type: 'string' },
    'expires-in-days': { type: 'string' },
    'overlap-hours': { type: 'string', default: OVERLAP },
  })
  const [action = '', id, ...more] = positionals
  const actions = new Map(Object.entries({ list, create, rotate, revoke }))
  const act = actions.get(action)
  if (!act) throw new UsageError(`Say what to do: ${[...actions.keys()].join(', ')}.`)
  if (more.length > 0) throw new UsageError(`${action} takes fewer arguments; nothing was done.`)
  return act()

  async function list() {
    const { rows, more } = await api.list<Key>('/v1/keys', 'keys')
    print(rows)
    printMore(more, api.url)
  }

  async function create() {
    const { name, scopes: listed } = values
    if (id !== undefined) throw new UsageError('Give the name of a new key with --name.')
    if (!name || !listed) throw new UsageError('A new key needs --name and --scopes.')
    const scopes = listed.split(/[\s,]+/).filter(Boolean)
    const days = values['expires-in-days']
    const expires_in_days = days === undefined ? days : numberIn('--expires-in-days', days)
    show((await api.post('/v1/keys', { name, scopes, expires_in_days })) as Key)
  }

  async function rotate() {
    const overlap_hours = numberIn('--overlap-hours', values['overlap-hours'])
    show((await api.post(`${pathOfKey()}/rotate`, { overlap_hours })) as Key)
    console.log(
      overlap_hours === 0
        ? 'The old key ends within 60 seconds.'
        : `The old key stays valid for ${counted(overlap_hours, 'hour')}. ` +
            'If others may have it, rotate again with --overlap-hours 0.',
    )
  }

  async function revoke() {
    await api.delete(pathOfKey())
    console.log('Revoked. It stops working within 60 seconds everywhere.')
  }

  function pathOfKey() {
    if (!id) throw new UsageError(`Which key? Put its id after ${action}; list shows the ids.`)
    return `/v1/keys/${encodeURIComponent(id)}`
  }
})

/**
 * Raises `UsageError` for what is no whole number: the connector would take it as left out, and a
 * key would never end.
 */
function numberIn(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`${option} takes a whole number; nothing was done.`)
}

function show({ id, name, scopes, key }: Key) {
  console.log(
    `${name} (${id}) may: ${scopes.join(', ')}\n\n  ${key}\n\n` +
      'This is the only time the key is shown. Keep it like a password.',
  )
}

function print(keys: Key[]) {
  if (keys.length === 0) console.log('There are no API keys yet.')
  const names = new Map(keys.map(({ id, name }) => [`key:${id}`, name]))
  for (const { id, name, scopes, created_by, expires_at, last_used_on, revoked_at } of keys) {
    const until = expires_at ? `until ${expires_at}` : 'does not expire'
    const state = revoked_at ? `revoked ${revoked_at}` : until
    console.log(
      `${id}  ${name}\n  ${scopes.join(', ')}\n  ${state}; ` +
        `last used ${last_used_on ?? 'never'}; made by ${names.get(created_by) ?? created_by}`,
    )
  }
}
