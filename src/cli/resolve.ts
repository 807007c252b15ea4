import type { Unresolved } from '../core/ports/unresolved.ts'
import { ADMIN_OPTIONS, adminArguments, printMore } from './admin-client.ts'
import { UsageError, runCommand } from './command.ts'

const USAGE = `Usage:
  npm run resolve                                            lists the unresolved operations
  npm run resolve -- <operation id> happened --booking-id bk_…
  npm run resolve -- <operation id> happened --payment-link-id pl_… --link-url https://…
  npm run resolve -- <operation id> happened                 (a cancellation)
  npm run resolve -- <operation id> did-not-happen
Options: --part '…?' if the list names a part; ${ADMIN_OPTIONS}`

type UnresolvedShown = Omit<Unresolved, 'flow' | 'since'> & { unresolved_at: string }

await runCommand(USAGE, async () => {
  const { api, positionals, values } = adminArguments({
    part: { type: 'string' },
    'booking-id': { type: 'string' },
    'payment-link-id': { type: 'string' },
    'link-url': { type: 'string' },
  })
  const [operationId, outcome, ...others] = positionals
  if (operationId === undefined) {
    const { rows, more } = await api.list<UnresolvedShown>('/v1/unresolved', 'unresolved')
    if (rows.length === 0) return console.log('There are no unresolved operations.')
    for (const one of rows)
      console.log(
        [one.operation_id, one.operation, `since ${one.unresolved_at}`, one.part].join('  ').trim(),
      )
    printMore(more, api.url)
    return console.log(
      `\nLook at the provider to see what happened, then resolve each operation.\n${USAGE}`,
    )
  }
  if (others.length > 0 || (outcome !== 'happened' && outcome !== 'did-not-happen'))
    throw new UsageError('After the id of the operation say happened or did-not-happen.')
  await api.post(`/v1/unresolved/${encodeURIComponent(operationId)}`, {
    outcome: outcome.replaceAll('-', '_'),
    part: values.part,
    booking_id: values['booking-id'],
    payment_link_id: values['payment-link-id'],
    url: values['link-url'],
  })
  console.log('Resolved. A repeat of the call now returns the outcome.')
})
