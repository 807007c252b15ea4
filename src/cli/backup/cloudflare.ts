import { randomBytes } from 'node:crypto'

import { CliError } from '../cli-error.ts'
import { deployOptions } from '../deploy/arguments.ts'
import { askedAt } from '../deploy/check.ts'
import { localState, preparedDeployment } from '../deploy/prepare.ts'
import { makeNamespace } from '../deploy/remote-state.ts'
import type { Prompts } from '../deploy/target.ts'
import { deployConfig, upload, uploadFiles } from '../deploy/upload.ts'
import type { Terminal } from '../terminal.ts'
import { PROJECT_ROOT, runWrangler } from '../wrangler.ts'
import type { CheckedBackup } from './file.ts'
import { fillConnector, newRestoreToken } from './fill.ts'

/** The secret that is there exactly while a restore has not ended. */
const UNTIL_RESTORED = 'RESTORE_SHA256'
const AGAIN = 'Run the same command again: it goes on where it broke off.'

/**
 * Makes a new Worker with the settings and secrets of a backup, fills it and lets it go on. Run again it goes on where it
 * broke off. Raises `CliError`, before anything is changed, where the Worker is there already.
 */
export async function restoreToCloudflare(
  checked: CheckedBackup,
  name: string | undefined,
  terminal: Terminal,
  prompts: Prompts | undefined,
): Promise<void> {
  const options = deployOptions(name === undefined ? [] : ['--name', name])
  const run = { options, root: PROJECT_ROOT, environment: process.env, terminal, prompts }
  const local = localState(run)
  const given = { ...checked.settings, ...local.given.vars }
  // Tokens of providers are in no backup: they come from .deploy.env, or later with npm run setup.
  local.address ??= given['PUBLIC_URL']
  const { target, found, address, bucket } = await preparedDeployment(run, local)
  const { cloudflare, account, raw } = target
  if (found && !found.secrets.includes(UNTIL_RESTORED))
    throw new CliError(
      `There is a Worker called ${target.name} already; nothing was changed.`,
      'Name another with --name, or delete that one first if you have lost nothing with it.',
    )
  const typed = await prompts?.text(`Restore into ${target.name}? Type its name:`, (answer) =>
    answer === target.name ? undefined : 'That is not its name.',
  )
  if (typed === undefined)
    throw new CliError('Type the name of the Worker at a terminal: run this command there.')

  const ids: Record<string, string> = {}
  for (const { binding } of raw.kv_namespaces ?? []) {
    // Never the one of before: grants that have ended since would be good again.
    const title = `${target.name}-${binding.toLowerCase().replaceAll('_', '-')}-${randomBytes(3).toString('hex')}`
    ids[binding] =
      found?.namespaces[binding] ?? (await makeNamespace(cloudflare, account.id, title))
  }
  const { token, hash } = newRestoreToken(checked)
  const RESTORED_AT = found?.vars['RESTORED_AT'] ?? new Date().toISOString()
  const vars = { ...given, PUBLIC_URL: address.url, RESTORED_AT }
  const configuration = deployConfig(raw, {
    name: target.name,
    ids,
    vars,
    domain: address.domain,
    bucket,
  })
  const secrets = {
    ...local.given.secrets,
    ...(found ? {} : checked.secrets),
    [UNTIL_RESTORED]: hash,
  }
  const whole = { root: PROJECT_ROOT, configuration, secrets, accountId: account.id }
  const failure = await terminal.during('Worker', 'uploading', () => upload(whole))
  if (failure) throw new CliError(failure.message, AGAIN)
  uploadFiles(PROJECT_ROOT).finish()
  terminal.done('Worker', `${target.name} is there, and answers nothing until it is filled`)
  const base = askedAt(address.url, process.env['DEPLOY_CHECK_URL'])
  await terminal.during('Restore', 'filling it', () => fillConnector(base, token, checked))
  const remove = ['secret', 'delete', UNTIL_RESTORED, '--name', target.name]
  const env = { CLOUDFLARE_ACCOUNT_ID: account.id }
  const { code } = await runWrangler(remove, { cwd: PROJECT_ROOT, env })
  if (code !== 0) throw new CliError('The secret RESTORE_SHA256 could not be removed.', AGAIN)
  terminal.done('Restore', 'everything in the backup is back')
  local.file.write({ WORKER_NAME: target.name, ...checked.settings, PUBLIC_URL: address.url })
  terminal.line(nextSteps(address.url, checked))
}

/** What only the owner can do; docs/operate/upgrades-and-backup.md says more about each. */
const nextSteps = (url: string, { end, settings }: CheckedBackup): string => `
All callers are paused. Look at ${url}/owner, and resume them there, once this is done:
  - Deploy the tokens of your providers: npm run setup, then npm run deploy. Connect your apps again.
  - Keys, passkeys, apps and clients that you removed after ${end.made_at}: remove them again. So with rules.
  - ${settings['PUBLIC_URL'] === url ? 'Your passkeys work as before.' : 'Passkeys belong to an address, and this one is new: npm run deploy -- --new-link'}`
