import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import * as z from 'zod'

import { HOUR } from '../../core/domain/time/duration.ts'
import { newEnrolment } from '../admin-client.ts'
import { CliError, type Terminal, cliErrorOf } from '../command.ts'
import { type Cloudflare, makeNamespace } from '../deploy/cloudflare.ts'
import { localState, preparedDeployment } from '../deploy/plan.ts'
import { type DeployRun, type DeployTarget, deployTarget } from '../deploy/target.ts'
import { deployConfig, upload } from '../deploy/upload.ts'
import type { Prompts } from '../prompts.ts'
import { addressOnThisMachine } from '../settings-file.ts'
import { PROJECT_ROOT, runWrangler } from '../wrangler.ts'
import { type CheckedBackup, megabytes } from './file.ts'
import { AGAIN, fillConnector, newRestoreToken } from './fill.ts'
import { askWhoStays } from './who-may-act.ts'

/** More than 35 nights. */
const MOST = 1000
const SHOWN = 10
/** A name that the connector has given: it says when the file was made, so names sort by time. */
const NAME = /^consult-\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-z]{8}\.age$/

const listSchema = z.array(z.object({ key: z.string(), size: z.number() }))

/** The backups in a bucket, the newest first. Raises `CliError` where there is no such bucket. */
async function backupsIn(cloudflare: Cloudflare, bucket: string) {
  const list = `GET /r2/buckets/${bucket}/objects?prefix=consult-&per_page=${MOST}` as const
  const found = await cloudflare(list, listSchema).catch((thrown: unknown) => {
    throw new CliError(
      `No bucket ${bucket} could be read. ${cliErrorOf(thrown).message}`,
      'In the dashboard of Cloudflare, open R2, then your bucket: it lists the files. ' +
        'Download the newest, and name it here: npm run restore -- <file.age>',
    )
  })
  return found.filter(({ key }) => NAME.test(key)).toSorted((a, b) => (a.key < b.key ? 1 : -1))
}

/**
 * Lists what is in the owner's bucket, and gets its newest file into this folder; the path. Raises
 * `CliError`.
 */
export async function newestFromBucket(run: DeployRun): Promise<string> {
  const { terminal } = run
  const { named, given } = localState(run)
  const target = await deployTarget(run, named)
  const { BACKUP_BUCKET = `${target.name}-backups` } = given.target
  const all = await backupsIn(target.cloudflare, BACKUP_BUCKET)
  const [newest] = all
  if (!newest)
    throw new CliError(
      `There is no backup in the bucket ${BACKUP_BUCKET}.`,
      'Name a file that you have on this machine: npm run restore -- <file.age>',
    )
  terminal.line(`${all.length} backups in ${BACKUP_BUCKET}, the newest first:`)
  for (const { key, size } of all.slice(0, SHOWN)) terminal.line(`  ${key}  ${megabytes(size)}`)
  if (all.length > SHOWN) terminal.line(`  … and ${all.length - SHOWN} older ones`)
  const path = join(process.cwd(), newest.key)
  const get = ['r2', 'object', 'get', `${BACKUP_BUCKET}/${newest.key}`, '--file', path, '--remote']
  const { code } = await terminal.during('File', 'getting the newest', () =>
    runWrangler(get, { cwd: PROJECT_ROOT, env: { CLOUDFLARE_ACCOUNT_ID: target.account.id } }),
  )
  if (code !== 0)
    throw new CliError(
      `${newest.key} could not be downloaded.`,
      `Run this, and then name the file to npm run restore: npx wrangler ${get.join(' ')}`,
    )
  terminal.done('File', `${newest.key}. For an older one: npx wrangler r2 object get, and name it.`)
  return path
}

/** The secret that is there exactly while a restore has not ended. */
const UNTIL_RESTORED = 'RESTORE_SHA256'
/** The secret by which the owner's first API key is known. */
const FIRST_KEY = 'OWNER_KEY_SHA256'
/**
 * Makes a new Worker with the settings and secrets of a backup, fills it and lets it go on. Run
 * again it goes on where it broke off. Raises `CliError`, before anything is changed, where the
 * Worker is there already.
 */
export async function restoreToCloudflare(checked: CheckedBackup, run: DeployRun): Promise<void> {
  const { terminal, prompts } = run
  const local = localState(run)
  const settings = { ...checked.settings, ...local.given.vars }
  // Tokens of providers are in no backup: they come from .deploy.env, or later with npm run setup.
  local.address ??= settings['PUBLIC_URL']
  const prepared = await preparedDeployment(run, local)
  const { target, found, address } = prepared

  const isEnded = found !== undefined && !found.secrets.includes(UNTIL_RESTORED)
  if (isEnded) {
    const restoredAt = found.vars['RESTORED_AT']
    if (restoredAt === undefined) throw isThereAlready(target.name)
    const outcome = `${target.name} was restored at ${restoredAt}; here is what comes next`
    terminal.done('Restore', outcome)
    local.file.write({ WORKER_NAME: target.name, PUBLIC_URL: address.url })
    return terminal.line(nextSteps(address.url, checked, undefined))
  }

  const { stays, firstKeyStays } = await askToRestore(checked, target.name, prompts)
  const { [FIRST_KEY]: firstKey, ...signing } = checked.secrets
  const { token, hash } = newRestoreToken(checked)
  const enrolment = await newEnrolment(address.url, ENROL_WITHIN)
  const configuration = await restoredConfig(prepared, settings)
  // A run that was cut off may have let the first key in.
  if (!firstKeyStays && found?.secrets.includes(FIRST_KEY)) await removeSecret(target, FIRST_KEY)
  await uploadWorker(terminal, target, configuration, {
    ...local.given.secrets,
    // Those that sign have to stay as they are in a Worker that has begun.
    ...(found === undefined && signing),
    ...(firstKeyStays && firstKey && { [FIRST_KEY]: firstKey }),
    OWNER_ENROLMENT_SHA256: enrolment.hash,
    [UNTIL_RESTORED]: hash,
  })
  const base = addressOnThisMachine(process.env, 'DEPLOY_CHECK_URL') ?? address.url
  await terminal.during('Restore', 'filling it', () => fillConnector(base, token, checked, stays))
  await removeSecret(target, UNTIL_RESTORED)
  terminal.done('Restore', 'everything in the backup is back')
  terminal.line(nextSteps(address.url, checked, enrolment.link))
  terminal.qr(enrolment.link)
  local.file.write({ WORKER_NAME: target.name, ...settings, PUBLIC_URL: address.url })
}

const isThereAlready = (name: string) =>
  new CliError(
    `There is a Worker called ${name} already; nothing was changed.`,
    'Choose another name with --name, or delete that Worker first if you need nothing in it.',
  )

/** Asks who may act again, and for the name of the Worker. Raises `CliError` without a person. */
async function askToRestore(checked: CheckedBackup, name: string, prompts: Prompts | undefined) {
  const stay = prompts && (await askWhoStays(checked, prompts))
  const typed = await prompts?.text(`Restore into ${name}? Type its name:`, (answer) =>
    answer === name ? undefined : 'That is not its name.',
  )
  if (!stay || typed === undefined)
    throw new CliError('Type the name of the Worker at a terminal: run this command there.')
  return stay
}

type Prepared = Awaited<ReturnType<typeof preparedDeployment>>

/** The configuration of the new Worker, with namespaces that are its own: they are made here. */
async function restoredConfig(
  { target, found, address, bucket }: Prepared,
  settings: Record<string, string>,
): Promise<object> {
  const { cloudflare, raw, name } = target
  const ids: Record<string, string> = {}
  for (const { binding } of raw.kv_namespaces ?? []) {
    // Never the one of before: grants that have ended since would be good again.
    const suffix = randomBytes(3).toString('hex')
    const title = `${name}-${binding.toLowerCase().replaceAll('_', '-')}-${suffix}`
    const known = found?.namespaces[binding]
    ids[binding] = known ?? (await makeNamespace(cloudflare, title))
  }
  const RESTORED_AT = found?.vars['RESTORED_AT'] ?? new Date().toISOString()
  const vars = { ...settings, PUBLIC_URL: address.url, RESTORED_AT }
  return deployConfig(raw, { name, ids, vars, domain: address.domain, bucket })
}

async function uploadWorker(
  terminal: Terminal,
  { name, account }: DeployTarget,
  configuration: object,
  secrets: Record<string, string>,
) {
  const whole = { root: PROJECT_ROOT, configuration, secrets, accountId: account.id }
  const failure = await terminal.during('Worker', 'uploading', () => upload(whole))
  if (failure) throw new CliError(failure.message, AGAIN)
  const outcome = `${name} exists, and answers no calls until the backup is restored into it`
  terminal.done('Worker', outcome)
}

async function removeSecret({ name, account }: DeployTarget, secret: string) {
  const remove = ['secret', 'delete', secret, '--name', name]
  const env = { CLOUDFLARE_ACCOUNT_ID: account.id }
  const { code } = await runWrangler(remove, { cwd: PROJECT_ROOT, env })
  if (code !== 0) throw new CliError(`The secret ${secret} could not be removed.`, AGAIN)
}

/** How long the link works by which the owner confirms. */
const ENROL_WITHIN = 2 * HOUR

/** What only the owner can do; docs/operate/lost-everything.md says more about each. */
function nextSteps(url: string, { end }: CheckedBackup, enrolmentLink: string | undefined) {
  const link =
    enrolmentLink === undefined
      ? 'Make a link: npm run deploy -- --new-link. Then open it, and make a new passkey.'
      : `Open this within two hours, on your phone or computer, and make a new passkey. It works once:

     ${enrolmentLink}
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
