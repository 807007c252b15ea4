import * as z from 'zod'

import { DAY, SECOND } from '../../core/domain/time/duration.ts'
import { type Cloudflare, CloudflareRefusal } from './cloudflare.ts'

/** The Worker under a name, as it is deployed. */
export interface RemoteState {
  vars: Record<string, string>
  /** Their names; the values cannot be read. */
  secrets: string[]
  namespaces: Record<string, string>
  bucket: string | undefined
  /** Whether it has the Durable Object that only a connector has. */
  isConnector: boolean
}

const text = z.string().optional()
const settingsSchema = z.object({
  bindings: z.array(
    z.object({ name: z.string(), type: z.string(), text, namespace_id: text, bucket_name: text }),
  ),
})

/** The Worker under this name in the account, or undefined. */
export async function remoteState(
  cloudflare: Cloudflare,
  accountId: string,
  name: string,
): Promise<RemoteState | undefined> {
  try {
    const body = await cloudflare.get(`/accounts/${accountId}/workers/scripts/${name}/settings`)
    return stateIn(settingsSchema.parse(body).bindings)
  } catch (thrown) {
    if (thrown instanceof CloudflareRefusal && thrown.status === 404) return undefined
    throw thrown
  }
}

function stateIn(bindings: z.infer<typeof settingsSchema>['bindings']): RemoteState {
  const ofType = (type: string) => bindings.filter((one) => one.type === type)
  return {
    vars: Object.fromEntries(ofType('plain_text').map(({ name, text = '' }) => [name, text])),
    secrets: ofType('secret_text').map(({ name }) => name),
    namespaces: Object.fromEntries(
      ofType('kv_namespace').map(({ name, namespace_id = '' }) => [name, namespace_id]),
    ),
    bucket: ofType('r2_bucket').find(({ name }) => name === 'BACKUPS')?.bucket_name,
    isConnector: ofType('durable_object_namespace').some(({ name }) => name === 'CONFIRMATIONS'),
  }
}

const namespacesSchema = z.array(z.object({ id: z.string(), title: z.string() }))
const PAGE = 100

/** The KV namespaces of the account by title. */
export async function namespacesOf(
  cloudflare: Cloudflare,
  accountId: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const path = `/accounts/${accountId}/storage/kv/namespaces?per_page=${PAGE}&order=title&page=${page}`
    const listed = namespacesSchema.parse(await cloudflare.get(path))
    for (const { id, title } of listed) found.set(title, id)
    if (listed.length < PAGE) return found
  }
}

/** Creates a KV namespace and returns its id. */
export async function makeNamespace(
  cloudflare: Cloudflare,
  accountId: string,
  title: string,
): Promise<string> {
  const made = await cloudflare.post(`/accounts/${accountId}/storage/kv/namespaces`, { title })
  return z.object({ id: z.string() }).parse(made).id
}

/** Makes a bucket that drops each backup after 35 days, unless it is there. False where R2 is not enabled. */
export async function makeBucket(
  cloudflare: Cloudflare,
  accountId: string,
  name: string,
): Promise<boolean> {
  const buckets = `/accounts/${accountId}/r2/buckets`
  const after = (days: number) => ({ condition: { type: 'Age', maxAge: (days * DAY) / SECOND } })
  const transitions = {
    deleteObjectsTransition: after(35),
    abortMultipartUploadsTransition: after(1),
  }
  const rule = { id: 'nights', enabled: true, conditions: { prefix: '' }, ...transitions }
  // Cloudflare refuses a bucket that is there; without one it refuses the rule.
  await cloudflare.post(buckets, { name }).catch(() => {})
  const answer = cloudflare.put(`${buckets}/${name}/lifecycle`, { rules: [rule] })
  return (await answer.catch(() => 'refused')) !== 'refused'
}

/** Whether the Worker answers under its workers.dev address. */
export async function isOnWorkersDev(
  cloudflare: Cloudflare,
  accountId: string,
  name: string,
): Promise<boolean> {
  const body = await cloudflare.get(`/accounts/${accountId}/workers/scripts/${name}/subdomain`)
  return z.object({ enabled: z.boolean() }).parse(body).enabled
}
