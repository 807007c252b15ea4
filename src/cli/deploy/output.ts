import type { Terminal } from '../command.ts'
import {
  type DeployedHealth,
  PROPOSED_CHANGES_A_DAY,
  type RegisteredWebhooks,
  type proposeRules,
} from './deployed.ts'
import type { DeployPlan, NewSecrets } from './plan.ts'

const list = (names: readonly string[]): string => names.join(', ')

export function printStorage(terminal: Terminal, plan: DeployPlan, dryRun: boolean): void {
  const print = dryRun ? terminal.would : terminal.done
  const make = dryRun ? 'would make' : 'made'
  const made = plan.namespaces.filter(({ id }) => id === undefined).map(({ title }) => title)
  const reused = plan.namespaces.filter((one) => one.reused).map(({ title }) => title)
  if (made.length > 0) print('Storage', `${make} ${list(made)}`)
  if (reused.length > 0) print('Storage', `already there, contents kept: ${list(reused)}`)
  if (made.length + reused.length === 0) terminal.same('Storage', 'as it was')
}

export function printSettings(terminal: Terminal, plan: DeployPlan, dryRun: boolean): void {
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
export function printSecrets(terminal: Terminal, { key, enrolmentLink }: NewSecrets): void {
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

export function printHosts(terminal: Terminal, url: string): void {
  terminal.heading('Connect an agent')
  for (const { name, where, paste } of hostLines(url)) {
    terminal.line(`  ${name}: ${where}`)
    terminal.copy(paste.replaceAll(/^/gm, '  '))
  }
}

export function printCheck(terminal: Terminal, { status }: DeployedHealth, url: string): void {
  terminal.done(
    'Check',
    'the connector answers at this address and refuses calls without a credential',
  )
  if (status !== 'ok') terminal.warn('Health', `${status}: npm run doctor -- --url ${url} says why`)
}

/** Prints the house rules that a first deployment sets. */
export function printRules(
  terminal: Terminal,
  outcome: Awaited<ReturnType<typeof proposeRules>>,
): void {
  const most = `at most ${PROPOSED_CHANGES_A_DAY} changes a day in total; you can change this`
  if (outcome === 'set') terminal.done('Rules', most)
  if (outcome === 'failed')
    terminal.warn(
      'Rules',
      'the daily limit could not be set: docs/operate/house-rules.md says how to set it',
    )
}

export function printWebhooks(terminal: Terminal, outcome: RegisteredWebhooks | 'failed'): void {
  if (outcome === 'failed')
    return terminal.warn(
      'Webhooks',
      'not registered at the providers: the connector tries again by itself',
    )
  for (const { provider, state, detail } of outcome) {
    if (state === 'active') terminal.done('Webhooks', `${provider} reports changes at once`)
    else terminal.warn('Webhooks', `${provider}: ${detail ?? state}`)
  }
}

export function printMock(terminal: Terminal, { adapters }: DeployedHealth): void {
  const names = ['scheduling', 'payments'] as const
  const mock = names.filter((name) => adapters[name] === 'mock')
  if (mock.length === 0) return
  terminal.heading(`Still a mock: ${mock.join(' and ')}`)
  terminal.line(
    '  No real bookings or payments there. To connect a provider, run npm run setup, then npm run deploy.',
  )
}

/** An agent host, what to paste and where, and its page in docs/connect. */
type HostLines = { name: string; where: string; paste: string; page: string }

const mcpOf = (url: string): string => `${url}/mcp`

/** What to paste into each agent host; docs/connect shows the same lines with `<PUBLIC_URL>`. */
export const hostLines = (url: string): HostLines[] => [
  {
    name: 'Claude',
    page: 'claude.md',
    where: 'Settings > Connectors > Add custom connector',
    paste: mcpOf(url),
  },
  {
    name: 'ChatGPT',
    page: 'chatgpt.md',
    where: 'developer mode, new app or connector, OAuth',
    paste: mcpOf(url),
  },
  {
    name: 'Claude Code',
    page: 'claude-code.md',
    where: 'in a terminal',
    paste: `claude mcp add --transport http consult ${mcpOf(url)}`,
  },
  {
    name: 'Cursor',
    page: 'cursor.md',
    where: '.cursor/mcp.json',
    paste: `{
  "mcpServers": {
    "consult": { "url": "${mcpOf(url)}" }
  }
}`,
  },
  {
    name: 'VS Code',
    page: 'vs-code.md',
    where: '.vscode/mcp.json',
    paste: `{
  "servers": {
    "consult": { "type": "http", "url": "${mcpOf(url)}" }
  }
}`,
  },
]
