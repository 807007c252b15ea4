import { join } from 'node:path'

import * as z from 'zod'

import { CliError } from '../cli-error.ts'
import type { DeployOptions } from '../deploy/arguments.ts'
import type { Cloudflare } from '../deploy/cloudflare.ts'
import { localState } from '../deploy/prepare.ts'
import { type DeployTarget, type Prompts, deployTarget } from '../deploy/target.ts'
import type { Terminal } from '../terminal.ts'
import { PROJECT_ROOT, runWrangler } from '../wrangler.ts'

/** More than 35 nights. */
const MOST = 1000
const SHOWN = 10
/** A name that the connector has given: it says when the file was made, so names sort by time. */
const NAME = /^consult-\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-z]{8}\.age$/

const listSchema = z.array(z.object({ key: z.string(), size: z.number() }))

/** The backups in a bucket, the newest first. Raises `CliError` where there is no such bucket. */
async function backupsIn(cloudflare: Cloudflare, accountId: string, bucket: string) {
  const path = `/accounts/${accountId}/r2/buckets/${bucket}/objects?prefix=consult-&per_page=${MOST}`
  const listed = await cloudflare.get(path).catch(() => undefined)
  const found = listSchema.safeParse(listed)
  if (!found.success)
    throw new CliError(
      `The bucket ${bucket} could not be read.`,
      'In the dashboard of Cloudflare, open R2, then your bucket: it lists the files. ' +
        'Download the newest, and name it here: npm run restore -- <file.age>',
    )
  return found.data.filter(({ key }) => NAME.test(key)).toSorted((a, b) => (a.key < b.key ? 1 : -1))
}

/**
 * Lists what is in the owner's bucket, and gets its newest file into this folder; the path. Raises
 * `CliError`.
 */
export async function newestFromBucket(
  options: DeployOptions,
  terminal: Terminal,
  prompts: Prompts | undefined,
): Promise<string> {
  const run = { options, root: PROJECT_ROOT, environment: process.env, terminal, prompts }
  const { named, given } = localState(run)
  const target: DeployTarget = await deployTarget(run, named)
  const { BACKUP_BUCKET = `${target.name}-backups` } = given.target
  const all = await backupsIn(target.cloudflare, target.account.id, BACKUP_BUCKET)
  const [newest] = all
  if (!newest)
    throw new CliError(
      `There is no backup in the bucket ${BACKUP_BUCKET}.`,
      'Name a file that you have on this machine: npm run restore -- <file.age>',
    )
  terminal.line(`${all.length} backups in ${BACKUP_BUCKET}, the newest first:`)
  for (const { key, size } of all.slice(0, SHOWN))
    terminal.line(`  ${key}  ${(size / 1_000_000).toFixed(1)} MB`)
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
