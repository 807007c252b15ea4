import { counted } from '../core/domain/plural.ts'
import { ADMIN_OPTIONS, adminArguments } from './admin-client.ts'
import { CliError, UsageError, runCommand } from './command.ts'
import { promptsAt } from './prompts.ts'

const USAGE = `Usage:
  npm run forget -- <client id>          shows what would be erased, and asks
  npm run forget -- <client id> --yes    does not ask, for scripts
Options: ${ADMIN_OPTIONS}`

interface Holdings {
  deleted: boolean
  display_name: string | null
  contact_email: string | null
  intake_submissions: number
}

await runCommand(USAGE, async () => {
  const { api, positionals, values } = adminArguments({ yes: { type: 'boolean' } })
  const [clientId] = positionals
  if (clientId === undefined || positionals.length > 1)
    throw new UsageError('Name one client, by its id; nothing was done.')
  // What else a person types here is a name or an address, which belongs in no path.
  if (!clientId.startsWith('cl_'))
    throw new CliError(
      'That is no id of a client; nothing was sent.',
      'An id begins with cl_. In the console, Clients finds it by the email address.',
    )
  const path = `/v1/clients/${encodeURIComponent(clientId)}`
  const held = (await api.get(`${path}/deletion`)) as Holdings
  if (held.deleted) return console.log('This client is already deleted.')
  console.log(`${clientId}
  name      ${held.display_name ?? '(not recorded yet)'}
  mail      ${held.contact_email ?? '(not recorded yet)'}
  intake    ${counted(held.intake_submissions, 'submission')}
Bookings, invoices and links at the providers stay as they are.`)
  if (!values.yes) await agree(clientId)
  await api.delete(path)
  console.log('Deleted. Caches may show the client for about another minute.')
})

/** Asks for the last six characters of the id, so that you do not delete by accident. */
async function agree(clientId: string) {
  const word = clientId.slice(-6)
  const typed = await promptsAt()?.text(
    `This cannot be undone. To delete, type the last six characters of the id (${word}):`,
    (answer) => (answer === word ? undefined : 'Those are not its last six characters.'),
  )
  if (typed === undefined)
    throw new CliError(
      'This cannot be undone. Run it at a terminal, which asks first, or add --yes in a script.',
    )
}
