import { runCommand, terminalOn } from './command.ts'
import { deploy } from './deploy/run.ts'
import { DEPLOY_USAGE, deployOptions } from './deploy/target.ts'
import { promptsAt } from './prompts.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const terminal = terminalOn(process.stdout)

await runCommand(
  DEPLOY_USAGE,
  async () => {
    const options = deployOptions(process.argv.slice(2))
    const prompts = promptsAt()
    await deploy({ options, root: PROJECT_ROOT, environment: process.env, terminal, prompts })
  },
  terminal,
)
