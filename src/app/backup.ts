import { jsonAnswer } from '../api/http/answers.ts'
import type { App } from '../api/http/app-env.ts'
import { parseJson, readBody } from '../api/http/body.ts'
import { addEndpoints, httpEndpoint } from '../api/openapi/endpoint.ts'
import { sha256 } from '../core/crypto/encoding.ts'
import { problem } from '../core/domain/problem/problem.ts'
import { SECOND } from '../core/domain/time/duration.ts'
import type { RestoreLine } from '../core/ports/backup.ts'
import { settingsFrom } from '../core/settings.ts'
import { theOne } from '../practice/wiring/objects.ts'

const getBackup = httpEndpoint({
  route: 'GET /v1/backup',
  operationId: 'get_backup',
  summary: 'Get a backup of everything, encrypted to the owner',
  description:
    'Returns one file in the age format, encrypted to the public key in the setting ' +
    'BACKUP_RECIPIENT. Only its secret key can open the file. At most four backups a day.',
  scopes: ['admin'],
  answer: { description: 'The file.', media: ['application/octet-stream'] },
  async run(_fields, _owner, c) {
    const { BACKUP_RECIPIENT } = settingsFrom(c.env)
    if (BACKUP_RECIPIENT === undefined)
      throw problem('not_configured', {
        detail: 'BACKUP_RECIPIENT is not set, so no key could open a backup.',
        next_step: 'The owner runs npm run backup -- --new-key once, and then what it prints.',
      })
    // A HEAD asks for no bytes: it makes no backup, and counts as none.
    const made =
      c.req.method === 'HEAD' ? '' : await theOne(c.env, 'BACKUP')().make(c.var.site().origin)
    if (made === 'running')
      throw problem('rate_limited', {
        detail: 'Another backup is being made; nothing was done.',
        retry_after_seconds: 60,
      })
    if (typeof made === 'number')
      throw problem('rate_limited', {
        detail: 'Four backups were made in the last 24 hours; nothing was done.',
        retry_after_seconds: made,
      })
    if (made !== '') c.var.note({ event: 'backup', code: 'ok' })
    const headers = { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' }
    return new Response(made, { headers: { ...headers, 'Backup-Recipient': BACKUP_RECIPIENT } })
  },
})

const MOST_BYTES = 4_000_000

/**
 * Adds `/v1/backup`; and `/v1/restore`, which is there only while RESTORE_SHA256 names the token of
 * a restore.
 */
export function addBackupRoutes(app: App) {
  addEndpoints(app, [getBackup])
  app.post('/v1/restore', async (c) => {
    c.get('log').operation = 'restore'
    const token = c.req.header('Authorization')?.slice('Bearer '.length) ?? ''
    const [, ends, digest] = /^rst_(\d{10})_[\w-]{43}\.([0-9a-f]{64})$/.exec(token) ?? []
    const isGood =
      digest !== undefined && (await sha256(token)) === settingsFrom(c.env).RESTORE_SHA256
    if (!isGood || Number(ends) * SECOND < Date.now()) throw problem('not_found')
    const line = parseJson(await readBody(c.req.raw, MOST_BYTES)) as RestoreLine
    return jsonAnswer(await theOne(c.env, 'BACKUP')().restore(digest, line))
  })
}
