import { createHash, randomBytes } from 'node:crypto'

import { HOUR } from '../../core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../owner/access/passkey-enrolment.ts'
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
import { askWhoStays } from './who-may-act.ts'

/** The secret that is there exactly while a restore has not ended. */
const UNTIL_RESTORED = 'RESTORE_SHA256'
const AGAIN = 'Run the same command again: it goes on where it broke off.'

/**
 * Makes a new Worker with the settings and secrets of a backup, fills it and lets it go on. Run
 * again it goes on where it broke off. Raises `CliError`, before anything is changed, where the
 * Worker is there already.
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
  const isEnded = found !== undefined && !found.secrets.includes(UNTIL_RESTORED)
  const restoredAt = found?.vars['RESTORED_AT']
  if (isEnded && restoredAt !== undefined) {
    terminal.done(
      'Restore',
      `${target.name} was restored at ${restoredAt}; here is what comes next`,
    )
    local.file.write({ WORKER_NAME: target.name, PUBLIC_URL: address.url })
    return terminal.line(nextSteps(address.url, checked, undefined))
  }
  if (isEnded)
    throw new CliError(
      `There is a Worker called ${target.name} already; nothing was changed.`,
      'Choose another name with --name, or delete that Worker first if you need nothing in it.',
    )
  const asked = prompts && (await askWhoStays(checked, prompts))
  const typed = await prompts?.text(`Restore into ${target.name}? Type its name:`, (answer) =>
    answer === target.name ? undefined : 'That is not its name.',
  )
  if (!asked || typed === undefined)
    throw new CliError('Type the name of the Worker at a terminal: run this command there.')

  const ids: Record<string, string> = {}
  for (const { binding } of raw.kv_namespaces ?? []) {
    // Never the one of before: grants that have ended since would be good again.
    const title = `${target.name}-${binding.toLowerCase().replaceAll('_', '-')}-${randomBytes(3).toString('hex')}`
    ids[binding] =
      found?.namespaces[binding] ?? (await makeNamespace(cloudflare, account.id, title))
  }
  const env = { CLOUDFLARE_ACCOUNT_ID: account.id }
  const removeSecret = async (secret: string): Promise<void> => {
    const remove = ['secret', 'delete', secret, '--name', target.name]
    const { code } = await runWrangler(remove, { cwd: PROJECT_ROOT, env })
    if (code !== 0) throw new CliError(`The secret ${secret} could not be removed.`, AGAIN)
  }
  const { token, hash } = newRestoreToken(checked)
  const RESTORED_AT = restoredAt ?? new Date().toISOString()
  const enrolment = newEnrolmentToken(Date.now() + ENROL_WITHIN, randomBytes(32))
  const { OWNER_KEY_SHA256, ...signing } = checked.secrets
  const firstKey = asked.firstKeyStays && OWNER_KEY_SHA256 ? { OWNER_KEY_SHA256 } : {}
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
    ...(found ? {} : signing),
    ...firstKey,
    OWNER_ENROLMENT_SHA256: createHash('sha256').update(enrolment).digest('hex'),
    [UNTIL_RESTORED]: hash,
  }
  // A run that was cut off may have let it in.
  if (!asked.firstKeyStays && found?.secrets.includes('OWNER_KEY_SHA256'))
    await removeSecret('OWNER_KEY_SHA256')
  const whole = { root: PROJECT_ROOT, configuration, secrets, accountId: account.id }
  const failure = await terminal.during('Worker', 'uploading', () => upload(whole))
  if (failure) throw new CliError(failure.message, AGAIN)
  uploadFiles(PROJECT_ROOT).finish()
  terminal.done(
    'Worker',
    `${target.name} exists, and answers no calls until the backup is restored into it`,
  )
  const base = askedAt(address.url, process.env['DEPLOY_CHECK_URL'])
  await terminal.during('Restore', 'filling it', () =>
    fillConnector(base, token, checked, asked.stays),
  )
  await removeSecret(UNTIL_RESTORED)
  terminal.done('Restore', 'everything in the backup is back')
  local.file.write({ WORKER_NAME: target.name, ...checked.settings, PUBLIC_URL: address.url })
  terminal.line(nextSteps(address.url, checked, enrolment))
  terminal.qr(enrolmentLink(address.url, enrolment))
}

/** How long the link works by which the owner confirms. */
const ENROL_WITHIN = 2 * HOUR

const enrolmentLink = (url: string, token: string): string =>
  `${new URL('/owner/enrol', url).href}#${token}`

/** What only the owner can do; docs/operate/lost-everything.md says more about each. */
function nextSteps(url: string, { end }: CheckedBackup, enrolment: string | undefined): string {
  const link =
    enrolment === undefined
      ? 'Make a link: npm run deploy -- --new-link. Then open it, and make a new passkey.'
      : `Open this within two hours, on your phone or computer, and make a new passkey. It works once:

     ${enrolmentLink(url, enrolment)}
`
  return `
All callers are paused, and no approver from the backup can decide anything, until you have done the first step.

  1. ${link}
  2. Look at ${url}/owner: it lists the next steps, and ticks off each that is done.
  3. Give it the tokens of your providers: npm run setup, then npm run deploy. Connect your apps again.
  4. Delete again the clients that you deleted after ${end.made_at}, and tighten again the rules that you tightened after it.
  5. Resume all callers there.
`
}
