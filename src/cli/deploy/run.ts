import { randomBytes } from 'node:crypto'
import type { settingsFileIn } from '../settings-file.ts'
import { CliError } from '../cli-error.ts'
import type { Terminal } from '../terminal.ts'
import type { Account } from './account.ts'
import { askedAt, checkLive } from './check.ts'
import { type RawConfig, deployConfig, upload, uploadFiles } from './upload.ts'
import { dryRun } from './dry-run.ts'
import { remoteState, makeNamespace } from './remote-state.ts'
import type { DeployRun, DeployTarget } from './target.ts'
import { SOURCE_VAR } from '../../settings.ts'
import { type DeployPlan, type NewSecrets, newSecrets } from './plan.ts'
import { localState, preparedDeployment } from './prepare.ts'
import { proposeRules, registerHooks, reviewAccess } from './owner-calls.ts'
import {
  printCheck,
  printHooks,
  printHosts,
  printMock,
  printRules,
  printSecrets,
  printSettings,
  printStorage,
} from './output.ts'
import { MINUTE } from '../../domain/time/duration.ts'

const FIRST_PATIENCE_MS = 3 * MINUTE
const PATIENCE_MS = MINUTE

/** From a clone to a live address, or from a deployed connector to an up-to-date one. Raises `CliError`. */
export async function deploy(run: DeployRun): Promise<void> {
  const { options, root, environment, terminal } = run
  const local = localState(run)
  if (options.dryRun) return dryRun(run, local)
  const { file, given, source } = local
  const { target, found, address, vars, plan, mustUpload } = await preparedDeployment(run, local)
  const { account, name, raw } = target
  const files = uploadFiles(root)

  let made: NewSecrets = { stored: {} }
  if (mustUpload) {
    remember(run, file, account, name)
    const ids = await makeMissing(run, target, plan)
    printStorage(terminal, plan, false)
    made = newSecrets(plan.make, Date.now())
    const mark = `${source}.${randomBytes(4).toString('hex')}`
    const failure = await terminal.during('Worker', 'uploading', () =>
      upload({
        root,
        configuration: deployConfig(raw, {
          name,
          ids,
          vars: { ...vars, [SOURCE_VAR]: mark },
          domain: address.domain,
        }),
        secrets: { ...given.secrets, ...made.stored },
        accountId: account.id,
      }),
    )
    if (failure) throw await afterFailure(run, target, failure, mark, made, address.url)
    files.finish()
    file.write(Object.fromEntries(plan.give.map((secret) => [secret, undefined])))
    printSettings(terminal, plan, false)
    terminal.done('Worker', `uploaded, with the Durable Objects of ${lastMigration(raw)}`)
    printSecrets(terminal, made, address.url)
    terminal.line()
  } else {
    printStorage(terminal, plan, false)
    printSettings(terminal, plan, false)
    terminal.same('Worker', 'as it was: nothing has changed since the last upload')
  }
  const base = askedAt(address.url, environment['DEPLOY_CHECK_URL'])
  const health = await terminal.during('Check', `asking ${address.url}`, () =>
    checkLive({
      url: address.url,
      base,
      key: made.key,
      patienceMs: plan.isFirst ? FIRST_PATIENCE_MS : PATIENCE_MS,
    }),
  )
  printCheck(terminal, health, address.url)
  if (plan.isFirst && made.key !== undefined)
    printRules(terminal, await proposeRules({ base, key: made.key }))
  const key = made.key ?? environment['CONNECTOR_API_KEY']
  const isLive = Object.values(health.adapters).includes('live')
  // Best effort: the connector also does it by itself.
  if (key && isLive) printHooks(terminal, await registerHooks({ base, key }))
  printMock(terminal, health)
  if (plan.isFirst || options.connect) printHosts(terminal, address.url)
  terminal.heading(`It is live: ${address.url}`)
  terminal.line(`  MCP  ${address.url}/mcp`)
  if (!plan.isFirst) printMore(terminal)
  if (!isLive) return
  if (key) await reviewAccess({ base, key, terminal, prompts: run.prompts })
  else if (!found?.secrets.some(isProviderSecret) && plan.give.some(isProviderSecret))
    terminal.warn(
      'Access',
      'who was let in before is not reviewed without your key: CONNECTOR_API_KEY=… npm run deploy, or the console',
    )
}

const isProviderSecret = (name: string): boolean =>
  name === 'SCHEDULING_PROVIDER_TOKEN' || name === 'PAYMENT_PROVIDER_SECRET_KEY'

function printMore(terminal: Terminal): void {
  terminal.line('  npm run deploy -- --connect    what to paste into Claude, ChatGPT, Cursor and VS Code')
  terminal.line('  npm run deploy -- --new-key    a new API key for you, if yours is lost')
  terminal.line('  npm run deploy -- --new-link   a new link to make a passkey')
}

/** What the next run has to know without asking again. */
function remember(
  { options }: DeployRun,
  file: ReturnType<typeof settingsFileIn>,
  account: Account,
  name: string,
) {
  file.write({
    ...(options.name !== undefined && { WORKER_NAME: name }),
    ...((options.account !== undefined || account.isChosen) && { CLOUDFLARE_ACCOUNT_ID: account.id }),
    ...(options.domain !== undefined && { PUBLIC_URL: `https://${options.domain}` }),
  })
}

async function makeMissing({ terminal }: DeployRun, { cloudflare, account }: DeployTarget, plan: DeployPlan) {
  const ids: Record<string, string> = {}
  for (const { binding, title, id } of plan.namespaces)
    ids[binding] =
      id ??
      (await terminal.during('Storage', `making ${title}`, () =>
        makeNamespace(cloudflare, account.id, title),
      ))
  return ids
}

/**
 * A failed upload may have been accepted all the same. The mark of this run, uploaded with the secrets, shows it; if it
 * cannot be read, the owner gets the key with a warning.
 */
async function afterFailure(
  { terminal }: DeployRun,
  { cloudflare, account, name }: DeployTarget,
  failure: CliError,
  mark: string,
  made: NewSecrets,
  url: string,
): Promise<CliError> {
  const found = await remoteState(cloudflare, account.id, name).catch(() => 'unknown' as const)
  const isUploaded = found === 'unknown' ? undefined : found?.vars[SOURCE_VAR] === mark
  if (isUploaded === false || made.key === undefined) return failure
  printSecrets(terminal, { stored: {}, key: made.key }, url)
  return isUploaded
    ? new CliError(
        `${failure.message} The Worker was uploaded, and the key above is valid for it.`,
        failure.nextStep,
      )
    : new CliError(
        `${failure.message} It is not known whether the Worker was uploaded. If it was, the key above is valid for it.`,
        `${failure.nextStep} If that makes another key, discard this one.`,
      )
}

const lastMigration = ({ migrations }: RawConfig): string => migrations?.at(-1)?.tag ?? ''
