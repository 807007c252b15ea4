import { DEPLOY_USAGE, deployOptions } from './deploy/arguments.ts'
import { deploy } from './deploy/run.ts'
import { promptsAt } from './prompts.ts'
import { runOn, terminalOn } from './terminal.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const terminal = terminalOn(process.stdout)

await runOn(terminal, async () => {
  const options = deployOptions(process.argv.slice(2))
  if (options.help) return terminal.line(DEPLOY_USAGE)
  const prompts = promptsAt(process.stdin, process.stdout)
  await deploy({ options, root: PROJECT_ROOT, environment: process.env, terminal, prompts })
})
