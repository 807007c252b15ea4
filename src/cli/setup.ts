import { text } from 'node:stream/consumers'

import { promptsAt } from './prompts.ts'
import { SETUP_USAGE, secretLines, setupOptions, withSecrets } from './setup/arguments.ts'
import { addressesOnThisMachine } from './setup/providers.ts'
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
    addresses: addressesOnThisMachine(process.env),
  })
})
