import { adminArguments, runCommand } from './admin-client.ts'
import { CliError } from './cli-error.ts'

const USAGE = `Usage: acts on the mock as a person does on the provider’s page. The mock then sends a webhook that names what changed.
  npm run rehearse -- book <start_time>             books a consult at a free time from GET /v1/availability
  npm run rehearse -- move <booking_id> <start_time>
  npm run rehearse -- cancel <booking_id>
  npm run rehearse -- no-show <booking_id> [--undo]
  npm run rehearse -- pay [<invoice_id>] [--fail | --void]
Options: --url https://… (default http://127.0.0.1:8787); CONNECTOR_API_KEY holds a key with the scope admin.
GET /v1/events shows the event that follows. This works only with the mock of npm start.`

const FLAGS = {
  undo: { type: 'boolean' },
  fail: { type: 'boolean' },
  void: { type: 'boolean' },
} as const

await runCommand(USAGE, async () => {
  const { api, positionals, has } = adminArguments({}, FLAGS)
  const [act, first, second, ...more] = positionals
  const outcome = (): string => {
    if (has('fail')) return 'failed'
    return has('void') ? 'void' : 'paid'
  }
  const acts = {
    book: () => ({ act: 'book', start_time: first }),
    move: () => ({ act: 'move', booking_id: first, start_time: second }),
    cancel: () => ({ act: 'cancel', booking_id: first }),
    'no-show': () => ({ act: 'no_show', booking_id: first, no_show: !has('undo') }),
    pay: () => ({
      act: 'pay',
      ...(first !== undefined && { invoice_id: first }),
      how: outcome(),
    }),
  }
  const wanted = new Map<string, () => object>(Object.entries(acts)).get(act ?? '')
  if (!wanted || more.length > 0) throw new CliError(USAGE)
  type Done = { bookings: string[]; invoices: string[] }
  const { bookings, invoices } = (await api.post('/v1/admin/mock-acts', wanted())) as Done
  console.log(`Done, as if on the provider’s page: ${[...bookings, ...invoices].join(', ')}.`)
  console.log('Its webhook was sent; GET /v1/events shows the event in a moment.')
})
