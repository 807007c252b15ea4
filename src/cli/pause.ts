import { EVERYBODY } from '../core/domain/rules/house-rules.ts'
import { ADMIN_OPTIONS, adminArguments, rulesOf } from './admin-client.ts'
import { UsageError, runCommand } from './command.ts'

const USAGE = `Usage:
  npm run pause                    pauses all apps and keys, at once
  npm run pause -- <caller>        pauses one caller: key: and the id of a key, or as the log names it
  npm run pause -- [<caller>] --resume
Options: ${ADMIN_OPTIONS}
Once the owner has a passkey, resuming is done at /owner.`

await runCommand(USAGE, async () => {
  const { api, positionals, values } = adminArguments({ resume: { type: 'boolean' } })
  const [caller = EVERYBODY] = positionals
  if (positionals.length > 1)
    throw new UsageError('Name one caller, or none for all apps and keys; nothing was done.')
  const paused = values.resume !== true
  const { rules } = await rulesOf(api, caller)
  await api.put(`/v1/rules/${encodeURIComponent(caller)}`, { ...rules, paused })
  const isEverybody = caller === EVERYBODY
  const those = isEverybody ? 'All apps and keys are' : `${caller} is`
  // Each of the two pauses stops a caller, and only one of them has ended.
  const other = isEverybody ? 'one that was paused by itself' : 'while all are paused it'
  console.log(
    paused
      ? `${those} paused: no new change begins, and reads and previews stop within ten ` +
          'seconds. Changes already under way are finished.'
      : `${those} no longer paused; ${other} stays paused.`,
  )
})
