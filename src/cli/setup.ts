import { text } from 'node:stream/consumers'

import { LOOPBACK_HOSTS } from '../core/domain/origin.ts'
import { CliError } from './cli-error.ts'
import { promptsAt } from './prompts.ts'
import { SETUP_USAGE, secretLines, setupOptions, withSecrets } from './setup/arguments.ts'
import { setup } from './setup/run.ts'
import { runOn, terminalOn } from './terminal.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const terminal = terminalOn(process.stdout)

await runOn(terminal, async () => {
  const { help, secretsFromStdin, given } = setupOptions(process.argv.slice(2), process.env)
  if (help) return terminal.line(SETUP_USAGE)
  const secrets = secretsFromStdin ? secretLines(await text(process.stdin)) : {}
  const isScript = secretsFromStdin || process.argv.length > 2
  await setup({
    given: withSecrets(given, secrets),
    root: PROJECT_ROOT,
    terminal,
    prompts: isScript ? undefined : promptsAt(process.stdin, process.stdout),
    addresses: {
      scheduling: onThisMachine('SCHEDULING_PROVIDER_BASE_URL'),
      payments: onThisMachine('PAYMENT_PROVIDER_BASE_URL'),
    },
  })
})

/** Another address of a provider, for tests. Raises `CliError` unless it is on this machine. */
function onThisMachine(name: string): string | undefined {
  const given = process.env[name]
  if (!given) return undefined
  if (URL.canParse(given) && LOOPBACK_HOSTS.includes(new URL(given).hostname)) return given
  throw new CliError(`${name} names an address that is not on this machine.`, `Unset ${name}.`)
}
