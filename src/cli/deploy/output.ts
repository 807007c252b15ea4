import { HOSTS } from '../../core/domain/hosts.ts'
import type { Health } from '../admin-client.ts'
import type { Terminal } from '../command.ts'
import type { DeployPlan, NewSecrets } from './plan.ts'

const list = (names: readonly string[]) => names.join(', ')

export function printStorage(terminal: Terminal, plan: DeployPlan, dryRun: boolean) {
  const print = dryRun ? terminal.would : terminal.done
  const make = dryRun ? 'would make' : 'made'
  const made = plan.namespaces.filter(({ id }) => id === undefined).map(({ title }) => title)
  const reused = plan.namespaces.filter((one) => one.reused).map(({ title }) => title)
  if (made.length > 0) print('Storage', `${make} ${list(made)}`)
  if (reused.length > 0) print('Storage', `already there, contents kept: ${list(reused)}`)
  if (made.length + reused.length === 0) terminal.same('Storage', 'as it was')
}

export function printSettings(terminal: Terminal, plan: DeployPlan, dryRun: boolean) {
  const { make, give, vars } = plan
  const print = dryRun ? terminal.would : terminal.done
  const words = dryRun
    ? { make: 'would make', give: 'would move', set: 'would set ' }
    : { make: 'new', give: 'moved', set: '' }
  if (make.length > 0) print('Secrets', `${words.make}: ${list(make)}`)
  if (give.length > 0) print('Secrets', `${words.give} to Cloudflare: ${list(give)}`)
  if (make.length + give.length === 0) terminal.same('Secrets', 'as they were')
  if (vars.length > 0) print('Settings', `${words.set}${list(vars)}`)
  else terminal.same('Settings', 'as they were')
}

/** Prints the key and the link, which the owner sees once. */
export function printSecrets(terminal: Terminal, { key, enrolmentLink }: NewSecrets) {
  if (key !== undefined) {
    terminal.heading('Your API key. It is shown only once; keep it like a password.')
    terminal.copy(key)
  }
  if (enrolmentLink !== undefined) {
    terminal.heading(
      'Make your passkey: open this within an hour, on your phone or computer. It works once.',
    )
    terminal.copy(enrolmentLink)
    terminal.qr(enrolmentLink)
  }
}

/** How each program is connected, as the console says it, too. */
export function printHosts(terminal: Terminal, url: string) {
  terminal.heading('Connect an agent')
  for (const [name, ...steps] of Object.values(HOSTS)) {
    terminal.line(`  ${name}`)
    for (const step of steps) terminal.line(`    ${step.replace('<PUBLIC_URL>', url)}`)
  }
}

export function printCheck(terminal: Terminal, { status }: Health, url: string) {
  terminal.done(
    'Check',
    'the connector answers at this address and refuses calls without a credential',
  )
  if (status !== 'ok') terminal.warn('Health', `${status}: npm run doctor -- --url ${url} says why`)
}

export function printMock(terminal: Terminal, { adapters }: Health) {
  const names = ['scheduling', 'payments'] as const
  const mock = names.filter((name) => adapters[name] === 'mock')
  if (mock.length === 0) return
  terminal.heading(`Still a mock: ${mock.join(' and ')}`)
  terminal.line(
    '  No real bookings or payments there. To connect a provider, run npm run setup, then npm run deploy.',
  )
}
