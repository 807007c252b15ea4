import { randomBytes } from 'node:crypto'

import { MINUTE } from '../../core/domain/time/duration.ts'
import { SOURCE_VAR } from '../../core/settings.ts'
import { adminClient } from '../admin-client.ts'
import { CliError, type Terminal } from '../command.ts'
import { NO_BUCKET, addressOnThisMachine } from '../settings-file.ts'
import { makeBucket, makeNamespace, remoteState } from './cloudflare.ts'
import { checkLive, proposeRules, registerWebhooks, reviewAccess } from './deployed.ts'
import { dryRun } from './dry-run.ts'
import {
  printCheck,
  printHosts,
  printMock,
  printSecrets,
  printSettings,
  printStorage,
} from './output.ts'
import {
  type DeployPlan,
  type LocalState,
  type NewSecrets,
  localState,
  newSecrets,
  preparedDeployment,
} from './plan.ts'
import type { Account, DeployRun, DeployTarget } from './target.ts'
import { deployConfig, upload } from './upload.ts'

const FIRST_PATIENCE_MS = 3 * MINUTE
const PATIENCE_MS = MINUTE

/** Deploys the connector, or brings a deployed one up to date. Raises `CliError`. */
export async function deploy(run: DeployRun) {
  const { options, root, environment, terminal } = run
  const local = localState(run)
  if (options['dry-run']) return dryRun(run, local)
  const { file, given, source } = local
  const prepared = await preparedDeployment(run, local)
  const { target, found, address, vars, plan } = prepared
  const { account, name, raw } = target
  const bucket = prepared.bucket ?? (await askedBucket(run, local, prepared))
  const mustUpload = prepared.mustUpload || bucket !== prepared.bucket

  let made: NewSecrets = { stored: {} }
  if (mustUpload) {
    remember(run, file, account, name)
    const ids = await makeMissing(run, target, plan)
    printStorage(terminal, plan, false)
    made = await newSecrets(plan.make, address.url)
    const mark = `${source}.${randomBytes(4).toString('hex')}`
    const marked = { ...vars, [SOURCE_VAR]: mark }
    const configuration = deployConfig(raw, {
      name,
      ids,
      vars: marked,
      domain: address.domain,
      bucket,
    })
    const secrets = { ...given.secrets, ...made.stored }
    const failure = await terminal.during('Worker', 'uploading', () =>
      upload({ root, configuration, secrets, accountId: account.id }),
    )
    if (failure) throw await afterFailure(run, target, { failure, mark, key: made.key })
    printSettings(terminal, plan, false)
    terminal.done('Worker', 'uploaded')
    // Before the disk can refuse anything: they are shown only once.
    printSecrets(terminal, made)
    terminal.line()
    file.write(Object.fromEntries(plan.give.map((secret) => [secret, undefined])))
  } else {
    printStorage(terminal, plan, false)
    printSettings(terminal, plan, false)
    terminal.same('Worker', 'unchanged since the last upload')
  }
  const { url } = address
  const base = addressOnThisMachine(environment, 'DEPLOY_CHECK_URL') ?? url
  const patienceMs = plan.isFirst ? FIRST_PATIENCE_MS : PATIENCE_MS
  const health = await terminal.during('Check', `asking ${url}`, () =>
    checkLive({ url, base, key: made.key, patienceMs }),
  )
  printCheck(terminal, health, address.url)
  const key = made.key ?? environment['CONNECTOR_API_KEY']
  const api = key ? adminClient(base, key) : undefined
  if (api) await proposeRules(api, terminal)
  const isLive = Object.values(health.adapters).includes('live')
  if (api && isLive) await registerWebhooks(api, terminal)
  printMock(terminal, health)
  if (plan.isFirst || options.connect) printHosts(terminal, address.url)
  terminal.heading(`It is live: ${address.url}`)
  terminal.line(`  MCP  ${address.url}/mcp`)
  if (!plan.isFirst) printMore(terminal)
  if (!isLive) return
  if (api) await reviewAccess(api, terminal, run.prompts)
  else if (!found?.secrets.some(isProviderSecret) && plan.give.some(isProviderSecret))
    terminal.warn(
      'Access',
      'earlier keys and apps cannot be reviewed without your key: CONNECTOR_API_KEY=… npm ' +
        'run deploy, or the console',
    )
}

const isProviderSecret = (name: string) =>
  name === 'SCHEDULING_PROVIDER_TOKEN' || name === 'PAYMENT_PROVIDER_SECRET_KEY'

function printMore(terminal: Terminal) {
  terminal.line(
    '  npm run deploy -- --connect    how Claude, ChatGPT, Cursor, VS Code and others are connected',
  )
  terminal.line('  npm run deploy -- --new-key    a new API key for you, if yours is lost')
  terminal.line('  npm run deploy -- --new-link   a new link to make a passkey')
}

/** Stores the choices of this run, so that the next run does not ask again. */
function remember(
  { options }: DeployRun,
  file: LocalState['file'],
  account: Account,
  name: string,
) {
  file.write({
    ...(options.name !== undefined && { WORKER_NAME: name }),
    ...((options.account !== undefined || account.isChosen) && {
      CLOUDFLARE_ACCOUNT_ID: account.id,
    }),
    ...(options.domain !== undefined && { PUBLIC_URL: `https://${options.domain}` }),
  })
}

/**
 * Asks an owner with a key for backups, once, whether one is made each night, and makes the bucket
 * for it.
 */
async function askedBucket(
  { terminal, prompts }: DeployRun,
  { file, given }: LocalState,
  { target: { cloudflare, name }, found }: Awaited<ReturnType<typeof preparedDeployment>>,
): Promise<string | undefined> {
  const recipient = given.vars['BACKUP_RECIPIENT'] ?? found?.vars['BACKUP_RECIPIENT']
  if (!prompts || !recipient || given.target.BACKUP_BUCKET === NO_BUCKET) return undefined
  const bucket = await prompts.choose(KEEP_NIGHTS, [
    { value: `${name}-backups`, label: 'Yes. R2 is enabled in the dashboard.' },
    { value: NO_BUCKET, label: 'No. I run npm run backup every week.' },
  ])
  const isMade = bucket !== NO_BUCKET && (await makeBucket(cloudflare, bucket))
  if (isMade || bucket === NO_BUCKET) file.write({ BACKUP_BUCKET: bucket })
  else terminal.warn('Backup', 'no bucket. Enable R2 in the dashboard; npm run deploy asks again')
  return isMade ? bucket : undefined
}

const KEEP_NIGHTS =
  'Keep a backup in this account each night, for 35 days? ' +
  'Enable R2 once in the dashboard. 35 nights of 3 MB are 0.1 GB; ' +
  '10 GB a month are free, then $0.015 each.'

async function makeMissing(
  { terminal }: DeployRun,
  { cloudflare }: DeployTarget,
  plan: DeployPlan,
) {
  const ids: Record<string, string> = {}
  for (const { binding, title, id } of plan.namespaces)
    ids[binding] =
      id ??
      (await terminal.during('Storage', `making ${title}`, () => makeNamespace(cloudflare, title)))
  return ids
}

/** The error after a failed upload. The mark of this run shows whether Cloudflare accepted it anyway. */
async function afterFailure(
  { terminal }: DeployRun,
  { cloudflare, name }: DeployTarget,
  { failure, mark, key }: { failure: CliError; mark: string; key: string | undefined },
): Promise<CliError> {
  const found = await remoteState(cloudflare, name).catch(() => 'unknown' as const)
  const isUploaded = found === 'unknown' ? undefined : found?.vars[SOURCE_VAR] === mark
  if (isUploaded === false || key === undefined) return failure
  printSecrets(terminal, { stored: {}, key })
  const { message, nextStep } = failure
  return isUploaded
    ? new CliError(
        `${message} The Worker was uploaded, and the key above is valid for it.`,
        nextStep,
      )
    : new CliError(
        `${message} It is not known whether the Worker was uploaded. ` +
          'If it was, the key above is valid for it.',
        `${nextStep} If that makes another key, discard this one.`,
      )
}
