import { EVERYBODY, NO_RULES } from '../core/domain/rules/house-rules.ts'
import { adminArguments, runCommand } from './admin-client.ts'
import { CliError } from './cli-error.ts'
import { type RulesShown, rulesIn } from './rules-shown.ts'

const USAGE = `Usage:
  npm run pause                    pauses all apps and keys, at once
  npm run pause -- <caller>        pauses one caller, as GET /v1/me names it
  npm run pause -- [<caller>] --resume
Options: --url https://… (default http://127.0.0.1:8787); CONNECTOR_API_KEY holds a key with the scope admin.
Once the owner has a passkey, resuming is done at /owner.`

await runCommand(USAGE, async () => {
  const { api, positionals, has } = adminArguments({}, { resume: { type: 'boolean' } })
  const [caller = EVERYBODY] = positionals
  if (positionals.length > 1) throw new CliError(USAGE)
  const paused = !has('resume')
  const { rules } = (await api.get('/v1/rules?limit=100')) as { rules: RulesShown[] }
  const before = rules.find((set) => set.caller === caller)
  const known = before ? rulesIn(before) : NO_RULES
  await api.put(`/v1/rules/${encodeURIComponent(caller)}`, { ...known, paused })
  const those = caller === EVERYBODY ? 'All apps and keys are' : `${caller} is`
  console.log(
    paused
      ? `${those} paused: no new change begins, and reads and previews stop within ten ` +
          'seconds. Changes already under way are finished.'
      : `${those} no longer paused.`,
  )
})
