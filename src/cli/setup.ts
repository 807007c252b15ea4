import { text } from 'node:stream/consumers'

import { runCommand, terminalOn } from './command.ts'
import { promptsAt } from './prompts.ts'
import { SETUP_USAGE, secretLines, setupOptions, withSecrets } from './setup/arguments.ts'
import { setup } from './setup/run.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const terminal = terminalOn(process.stdout)

await runCommand(
  SETUP_USAGE,
  async () => {
    const { secretsFromStdin, given } = setupOptions(process.argv.slice(2), process.env)
    if (secretsFromStdin && process.stdin.isTTY)
      terminal.line('Paste NAME=value lines here, then press Ctrl+D on a line of its own.')
    const secrets = secretsFromStdin ? secretLines(await text(process.stdin)) : {}
    const isScript = secretsFromStdin || process.argv.length > 2
    await setup({
      given: withSecrets(given, secrets),
      root: PROJECT_ROOT,
      terminal,
      prompts: isScript ? undefined : promptsAt(),
    })
  },
  terminal,
)
