import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { DAY, MINUTE } from '../core/domain/time/duration.ts'
import { utcDay } from '../core/domain/time/time.ts'
import { signingSecretNumber } from '../core/settings.ts'
import { connectorAddress } from './admin-client.ts'
import { hostIn } from './backup/file.ts'
import { type Comparison, KEY_FILE, compareWith, readBackupKey } from './backup/key.ts'
import { CliError, UsageError, runCommand } from './command.ts'
import { NotSignedIn } from './deploy/cloudflare.ts'
import { settingsFileIn } from './settings-file.ts'
import { PROJECT_ROOT, runWrangler } from './wrangler.ts'

/** A secret stays in use while a record under it is kept: the lifetime of a preview, and 30 days. */
const OVERLAP = 32 * DAY

const USAGE = `Usage:
  npm run rotate-secret                   adds a signing secret; what the earlier ones signed stays valid
  npm run rotate-secret -- --finish --yes removes the earlier ones, when the overlap is over
Options: --name <Worker>, --url <its address>, --key <file of the key of your backups>; --anyway finishes though that key
could not open the next backups. For the deployed Worker; wrangler has to be logged in.`

/** What is to be done about the key of the backups after the earlier secrets are gone. */
const NEXT: Record<Comparison['is'] | 'unknown', string> = {
  reaches: 'The key of your backups opens the next ones, too.',
  broken: 'Now make a new key for your backups: npm run backup -- --new-key, then npm run deploy.',
  another: 'Not compared with the key of your backups, which is for another connector.',
  none: 'The key of your backups names no log, so a restore asks you to compare.',
  unknown:
    'Not compared with the key of your backups: npm run doctor -- --url https://… does ' +
    'that where the key is.',
}

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      finish: { type: 'boolean' },
      yes: { type: 'boolean' },
      anyway: { type: 'boolean' },
      name: { type: 'string' },
      url: { type: 'string' },
      key: { type: 'string', default: KEY_FILE },
    },
  })
  const { vars, target } = settingsFileIn(PROJECT_ROOT).read()
  const { WORKER_NAME, CLOUDFLARE_ACCOUNT_ID } = target
  const url = values.url === undefined ? vars['PUBLIC_URL'] : connectorAddress(values.url).href
  const name = values.name ?? WORKER_NAME
  const wrangler = wranglerFor(process.env['CLOUDFLARE_ACCOUNT_ID'] || CLOUDFLARE_ACCOUNT_ID)
  const worker = name === undefined ? [] : ['--name', name]
  const listed = JSON.parse(await wrangler(['secret', 'list', '--format', 'json', ...worker]))
  const names = (listed as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => signingSecretNumber(name) !== undefined)
    .toSorted((a, b) => signingSecretNumber(b)! - signingSecretNumber(a)!)
  const [signing, ...earlier] = names
  if (signing === undefined)
    throw new CliError('This Worker has no SIGNING_SECRET yet: run npm run deploy first.')
  if (!values.finish) {
    const next = `SIGNING_SECRET_${signingSecretNumber(signing)! + 1}`
    await wrangler(['secret', 'put', next, ...worker], randomBytes(32).toString('base64url'))
    const end = utcDay(Date.now() + OVERLAP)
    console.log(`${next} signs from now on; what ${names.toReversed().join(', ')} signed stays valid.
When the overlap is over, on ${end} or later: npm run rotate-secret -- --finish
If the earlier secret has leaked, finish at once; docs/operate/upgrades-and-backup.md says what that breaks.
The key of your backups stays as it is.`)
    return
  }
  if (earlier.length === 0) return console.log(`Nothing to remove: ${signing} is the only one.`)
  if (!values.yes)
    throw new UsageError(
      `This removes ${earlier.join(', ')}. What they signed becomes invalid, so wait for ` +
        '32 days after the rotation, and add --yes then. Nothing was removed.',
    )
  const compared = await comparedKey(values.key, url)
  if (compared?.is === 'broken' && !values.anyway)
    throw new CliError(
      `The log of ${hostIn(compared.log)} has not vouched for its new key yet, so after ` +
        `this no new backup could be restored with ${values.key}. ` +
        'It does so within a day of the rotation, or with the next backup: wait for that. ' +
        'If the earlier secret has leaked and you cannot wait, add --anyway, and then make a ' +
        'new key: npm run backup -- --new-key',
    )
  for (const name of earlier) await wrangler(['secret', 'delete', name, ...worker])
  console.log(`Removed ${earlier.join(', ')}. ${signing} is the only signing secret now.
${NEXT[compared?.is ?? 'unknown']}`)
})

/** How the key of the backups stands to the connector; undefined where one of the two is not at hand. */
async function comparedKey(path: string, url: string | undefined): Promise<Comparison | undefined> {
  if (url === undefined || !existsSync(path)) return undefined
  const key = await readBackupKey(path)
  const signal = AbortSignal.timeout(MINUTE)
  const get = async (route: string) => (await fetch(new URL(route, url), { signal })).text()
  return compareWith(key, get).catch(() => undefined)
}

/** Runs wrangler and returns its standard output. A secret goes in as input, never as an argument. */
function wranglerFor(accountId: string | undefined) {
  const env: Record<string, string> = accountId ? { CLOUDFLARE_ACCOUNT_ID: accountId } : {}
  return async (args: string[], input = '') => {
    const { code, output, stdout } = await runWrangler(args, { cwd: PROJECT_ROOT, env, input })
    if (code === 0) return stdout
    if (/CLOUDFLARE_API_TOKEN environment variable|not logged in/i.test(output))
      throw new NotSignedIn()
    throw new CliError(`Wrangler refused, nothing more was done.\n${output}`)
  }
}
