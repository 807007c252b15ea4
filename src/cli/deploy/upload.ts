import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { CliError } from '../command.ts'
import { runWrangler } from '../wrangler.ts'

/** These files are beside wrangler.toml, since its paths are relative. Git ignores both. */
const CONFIG = '.deploy.wrangler.json'
const SECRETS = '.deploy.secrets.json'

/** Whether a run did not finish: its configuration is left. */
export const isUnfinished = (root: string) => existsSync(join(root, CONFIG))

/** The secrets are uploaded with the code, so that the Worker never runs without them. */
type Upload = {
  root: string
  configuration: object
  secrets: Record<string, string>
  accountId: string
}

/** SIGHUP is a terminal that is closed. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const AT_THE_END = /^Current Version ID: \S/m
const AGAIN = 'Run npm run deploy again: it continues where this one ended.'

/**
 * Uploads with wrangler; the failure, if there is one. An interruption is a failure like any other, so
 * that its result can be checked.
 */
export async function upload({
  root,
  configuration,
  secrets,
  accountId,
}: Upload): Promise<CliError | undefined> {
  const config = join(root, CONFIG)
  const secretsFile = join(root, SECRETS)
  const withSecrets = Object.keys(secrets).length > 0
  // It is there only between its writing and the end of wrangler.
  const forgetSecrets = () => rmSync(secretsFile, { force: true })
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  // Where the terminal is closed, the next line that is printed ends the process.
  process.on('exit', forgetSecrets)
  try {
    const forOwnerOnly = { mode: 0o600 }
    writeFileSync(config, `${JSON.stringify(configuration, null, 2)}\n`, forOwnerOnly)
    if (withSecrets) writeFileSync(secretsFile, JSON.stringify(secrets), forOwnerOnly)
    const { code, output } = await runWrangler(
      ['deploy', '--config', config, ...(withSecrets ? ['--secrets-file', secretsFile] : [])],
      { cwd: root, env: { CLOUDFLARE_ACCOUNT_ID: accountId } },
    )
    // Wrangler exits with 0 when it is interrupted, too; only its last line proves success.
    if (isInterrupted) return new CliError('You cancelled it during the upload.', AGAIN)
    if (code !== 0 || !AT_THE_END.test(output)) return whyNot(output)
    // Nothing after a good upload may look like its failure, not even a file that is gone already.
    rmSync(config, { force: true })
    return undefined
  } finally {
    forgetSecrets()
    process.off('exit', forgetSecrets)
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

const REASONS: [RegExp, string, string][] = [
  [
    /fetch failed|ECONNRESET|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|other side closed|socket hang up/i,
    'The connection to Cloudflare was lost during the upload.',
    AGAIN,
  ],
  [
    /code: 10429|too many requests|rate.?limit/i,
    'Cloudflare asks to slow down.',
    'Wait five minutes, then run npm run deploy again: what was done stays done.',
  ],
  [
    /code: (10000|9109|9106)\b|Authentication error|Unable to authenticate/i,
    'Cloudflare does not allow this sign-in to upload a Worker.',
    'Make a token from the template "Edit Cloudflare Workers", or run npx wrangler login; ' +
      'then npm run deploy again.',
  ],
  [
    /Build failed|Could not resolve/i,
    'The Worker could not be bundled.',
    'Run npm ci, then npm run deploy again; if it stays, undo what was changed in src.',
  ],
]

/** The failure of wrangler in a sentence; an unknown one has wrangler's first error. */
export function whyNot(output: string): CliError {
  const error = /\[ERROR\]([^]*)/.exec(output)?.[1]?.trim() ?? ''
  const known = REASONS.find(([pattern]) => pattern.test(error))
  if (known) return new CliError(known[1], known[2])
  const said = error.split('\n')[0] || 'wrangler gave no reason.'
  return new CliError(
    `The upload failed: ${said}`,
    'Correct that, then run npm run deploy again: nothing is lost.',
  )
}

/** The parts of wrangler.toml that are read or replaced; the others stay. */
export interface RawConfig {
  name?: string
  kv_namespaces?: { binding: string; id?: string }[]
  vars?: Record<string, unknown>
  [other: string]: unknown
}

/** The values of one account: `ids` of the KV bindings, and the owner's `domain` if it has to be attached. */
interface Deployed {
  name: string
  vars: Record<string, string>
  ids: Record<string, string>
  domain?: string | undefined
  bucket?: string | undefined
}

/** wrangler.toml with the values of one account. Vars from the dashboard stay. */
export const deployConfig = (
  raw: RawConfig,
  { name, vars, ids, domain, bucket }: Deployed,
): object => ({
  ...raw,
  name,
  kv_namespaces: (raw.kv_namespaces ?? []).map((one) => ({ ...one, id: ids[one.binding] })),
  vars: { ...raw.vars, ...vars },
  keep_vars: true,
  ...(bucket === undefined ? {} : { r2_buckets: [{ binding: 'BACKUPS', bucket_name: bucket }] }),
  ...(domain === undefined ? {} : { routes: [{ pattern: domain, custom_domain: true }] }),
})
