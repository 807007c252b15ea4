import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { CliError, isOfFiles } from '../command.ts'
import { NotSignedIn } from './cloudflare.ts'
import { printSettings, printStorage } from './output.ts'
import { type LocalState, firstDeployment, preparedDeployment } from './plan.ts'
import type { DeployRun } from './target.ts'
import { whyNot } from './upload.ts'

const KIB = 1024
/** Cloudflare's limit on every plan, before compression. */
const MAX_BUNDLE = 64 * KIB * KIB

/** Checks what can be checked without a change, and prints what a deployment would do. Raises `CliError`. */
export async function dryRun(run: DeployRun, local: LocalState) {
  const { terminal, root } = run
  terminal.done('Settings', 'valid')
  const bundle = await terminal.during('Worker', 'bundling', () => bundled(root))
  terminal.done('Worker', `it bundles: ${bundle}`)
  const prepared = await preparedDeployment(run, local).catch((thrown: unknown) => {
    if (thrown instanceof NotSignedIn) return thrown
    throw thrown
  })
  if (prepared instanceof NotSignedIn) return withoutSignIn(run, local, prepared)
  printStorage(terminal, prepared.plan, true)
  printSettings(terminal, prepared.plan, true)
  if (prepared.mustUpload) terminal.would('Worker', 'would be uploaded')
  else terminal.same('Worker', 'as it was')
  terminal.line('\nNothing was done. npm run deploy does it.')
}

/** The size of the bundle in words. Raises `CliError` if it does not bundle or is too large. */
async function bundled(root: string) {
  const { buildWorker } = await import('../local.ts')
  const outdir = join(root, '.wrangler', 'dry-run')
  try {
    const built = await buildWorker({ root, outdir }).catch((thrown: unknown) => {
      throw isOfFiles(thrown) ? thrown : whyNot(String(thrown))
    })
    const script = readFileSync(built.script)
    if (script.length > MAX_BUNDLE)
      throw new CliError(
        `The Worker has ${kib(script.length)}; Cloudflare takes at most ${kib(MAX_BUNDLE)}.`,
        'Undo what made it this large in src or in the dependencies.',
      )
    return (
      `${kib(script.length)}, ${kib(gzipSync(script).length)} compressed; ` +
      `Cloudflare takes up to ${kib(MAX_BUNDLE)}`
    )
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
}

const kib = (bytes: number) => `${Math.ceil(bytes / KIB).toLocaleString('en-US')} KiB`

/** Prints a first deployment from what this machine knows, and what could not be checked. */
export function withoutSignIn(
  run: DeployRun,
  local: LocalState,
  { message }: Pick<NotSignedIn, 'message'>,
) {
  const { terminal } = run
  const { name } = local.named
  const { url, plan } = firstDeployment(run, local)
  terminal.heading(`If nothing is deployed as ${name} yet`)
  terminal.would('Address', url ?? `would be https://${name}.<your workers.dev name>.workers.dev`)
  printStorage(terminal, plan, true)
  printSettings(terminal, plan, true)
  terminal.would('Worker', 'would be uploaded')
  terminal.heading(`Not checked: ${message}`)
  terminal.warn('Account', 'which one it is, and whether you may upload a Worker to it')
  terminal.warn(
    'Address',
    url === undefined || url.endsWith('.workers.dev')
      ? 'whether the account has a workers.dev name, and which'
      : 'whether Cloudflare serves this domain for the account',
  )
  terminal.warn('Storage', 'whether some of it is there already; it would be used as it is')
  terminal.warn('Secrets', 'whether the Worker has them already; they would be kept')
  terminal.warn(
    'Worker',
    `whether something is deployed as ${name}, and whether it is a consult connector`,
  )
  terminal.line(
    '\nNothing was done. For the rest, run npx wrangler login or set CLOUDFLARE_API_TOKEN, ' +
      'then npm run deploy -- --dry-run again.',
  )
}
