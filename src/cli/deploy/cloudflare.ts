import * as z from 'zod'

import { DAY, SECOND } from '../../core/domain/time/duration.ts'
import { jsonIn } from '../../core/json.ts'
import { CliError } from '../command.ts'
import { addressOnThisMachine, tokenIn } from '../settings-file.ts'
import { runWrangler, signInWithWrangler } from '../wrangler.ts'

const API = 'https://api.cloudflare.com/client/v4'
/**
 * A deploy and a restore both come here, and a deploy in place of a restore would make an empty
 * connector.
 */
const AGAIN = 'run the same command again: what was done stays done.'
const AUTHENTICATION_CODES = [1000, 1001, 6003, 9106, 9109, 10000, 10001]
const MAX_TRIES = 3
const MAX_WAIT_S = 20

const envelope = z.object({
  success: z.boolean(),
  result: z.unknown(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
})

/** Cloudflare refuses what was asked, which the caller may handle. */
export class CloudflareRefusal extends CliError {
  readonly codes: readonly number[]

  constructor(status: number, errors: { code: number; message: string }[]) {
    const said = errors.map(({ code, message }) => `${message} [${code}]`).join('; ')
    super(`Cloudflare refuses this: ${said || `status ${status}`}`, `Correct that, then ${AGAIN}`)
    this.codes = errors.map(({ code }) => code)
  }
}

/** How to reach the API. The kind of credential decides the advice when it is refused. */
type CloudflareConnection = { token: string; baseUrl: string; credential: 'api_token' | 'oauth' }

export type Cloudflare = ReturnType<typeof cloudflareApi>

/**
 * The Cloudflare API, or with `accountId` that of one account: a function of a request line, the schema
 * of what is answered, and the body. Raises `CloudflareRefusal` if the caller may handle the refusal,
 * else `CliError`.
 */
export function cloudflareApi(
  { token, baseUrl, credential }: CloudflareConnection,
  accountId?: string,
) {
  const root = accountId === undefined ? baseUrl : `${baseUrl}/accounts/${accountId}`
  return async <Result>(
    request: `${'GET' | 'POST' | 'PUT'} /${string}`,
    schema: z.ZodType<Result>,
    body?: object,
  ): Promise<Result> => {
    const [method = 'GET', path] = request.split(' ')
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(`${root}${path}`, {
        method,
        signal: AbortSignal.timeout(30 * SECOND),
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => undefined)
      const answer = envelope.safeParse(await response?.json().catch(() => undefined)).data
      const result = answer?.success === true ? schema.safeParse(answer.result) : undefined
      if (response?.ok && result?.success) return result.data
      const status = response?.status ?? 0
      // A change that may have happened is not sent twice; the next run reads the state first.
      const isPassing = status === 0 || status >= 500 || response?.ok === true
      const maySendAgain = status === 429 || (method === 'GET' && isPassing)
      if (maySendAgain && tries < MAX_TRIES) {
        await wait(response, tries)
        continue
      }
      const errors = answer?.success === false ? answer.errors : undefined
      throw errorOf(status, errors, credential)
    }
  }
}

/** `errors` are those that Cloudflare names; undefined where it did not answer as it does. */
function errorOf(
  status: number,
  errors: { code: number; message: string }[] | undefined,
  credential: CloudflareConnection['credential'],
): CliError {
  if (status === 0)
    return new CliError('Cloudflare could not be reached.', `Check the connection, then ${AGAIN}`)
  if (status === 429)
    return new CliError('Cloudflare asks to slow down.', `Wait five minutes, then ${AGAIN}`)
  if (status >= 500)
    return new CliError(
      `Cloudflare answers with an error (${status}).`,
      `Wait a little, then ${AGAIN}`,
    )
  if (!errors)
    return new CliError(
      `What answers in place of Cloudflare is not its API (${status}).`,
      `A proxy, or the sign-in page of a network, may be in between: check that, then ${AGAIN}`,
    )
  const isAuthentication = errors.some(({ code }) => AUTHENTICATION_CODES.includes(code))
  if (status !== 401 && status !== 403 && !(status === 400 && isAuthentication))
    return new CloudflareRefusal(status, errors)
  const login = 'Run npx wrangler login, then the same command again.'
  return credential === 'oauth'
    ? new CliError('Cloudflare does not accept the sign-in of wrangler.', login)
    : new CliError(
        'Cloudflare does not accept CLOUDFLARE_API_TOKEN, or the token may not do this.',
        'Make one from the template "Edit Cloudflare Workers" at ' +
          'https://dash.cloudflare.com/profile/api-tokens and run the same command again.',
      )
}

/** Cloudflare says so of a Worker, and of a workers.dev name. */
const NOT_THERE = [10007, 10090]

/** What is asked for; undefined where Cloudflare says that it is not there. */
export const ifThere = <Result>(asked: Promise<Result>): Promise<Result | undefined> =>
  asked.catch((thrown: unknown) => {
    const codes = thrown instanceof CloudflareRefusal ? thrown.codes : []
    if (!codes.some((code) => NOT_THERE.includes(code))) throw thrown
    return undefined
  })

async function wait(response: Response | undefined, tries: number) {
  const asked = Number(response?.headers.get('Retry-After') ?? Number.NaN)
  const seconds = Number.isFinite(asked) ? Math.min(asked, MAX_WAIT_S) : 0.5 * 2 ** tries
  await new Promise((resolve) => setTimeout(resolve, seconds * SECOND))
}

const tokenSchema = z.object({ token: z.string().min(1) })

/** This machine is not signed in to Cloudflare. */
export class NotSignedIn extends CliError {
  constructor() {
    super(
      'You are not signed in to Cloudflare.',
      'Run npx wrangler login (it opens the browser), or set CLOUDFLARE_API_TOKEN; ' +
        'then run the same command again.',
    )
  }
}

/** CLOUDFLARE_API_TOKEN, or the token of `wrangler login`, which starts given `say`. Raises `NotSignedIn`. */
export async function connectionFrom(
  environment: Record<string, string | undefined>,
  { root, say }: { root: string; say: ((line: string) => void) | undefined },
): Promise<CloudflareConnection> {
  const isCloudflare = environment['CLOUDFLARE_API_BASE_URL'] === API
  const inTests = isCloudflare ? '' : addressOnThisMachine(environment, 'CLOUDFLARE_API_BASE_URL')
  const baseUrl = inTests || API
  const token = tokenIn(environment, 'CLOUDFLARE_API_TOKEN')
  if (token) return { token, baseUrl, credential: 'api_token' }
  const known = await tokenOfWrangler(root)
  if (known) return { token: known, baseUrl, credential: 'oauth' }
  if (!say) throw new NotSignedIn()
  say(
    'You are not signed in to Cloudflare yet. Its page opens in the browser: sign in ' +
      'there, and allow wrangler.',
  )
  const signedIn = signInWithWrangler() ? await tokenOfWrangler(root) : undefined
  if (!signedIn) throw new NotSignedIn()
  return { token: signedIn, baseUrl, credential: 'oauth' }
}

async function tokenOfWrangler(root: string): Promise<string | undefined> {
  const { code, stdout } = await runWrangler(['auth', 'token', '--json'], { cwd: root })
  return code === 0 ? tokenSchema.safeParse(jsonIn(stdout)).data?.token : undefined
}

/** The Worker under a name, as it is deployed. */
export type RemoteState = ReturnType<typeof stateIn>

const optionalText = z.string().optional()
const settingsSchema = z.object({
  bindings: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      text: optionalText,
      namespace_id: optionalText,
      bucket_name: optionalText,
    }),
  ),
})

/** The Worker under this name, or undefined. */
export async function remoteState(
  cloudflare: Cloudflare,
  name: string,
): Promise<RemoteState | undefined> {
  const found = await ifThere(cloudflare(`GET /workers/scripts/${name}/settings`, settingsSchema))
  return found && stateIn(found.bindings)
}

function stateIn(bindings: z.infer<typeof settingsSchema>['bindings']) {
  const ofType = (type: string) => bindings.filter((one) => one.type === type)
  return {
    vars: Object.fromEntries(ofType('plain_text').map(({ name, text = '' }) => [name, text])),
    // Their names; the values cannot be read.
    secrets: ofType('secret_text').map(({ name }) => name),
    namespaces: Object.fromEntries(
      ofType('kv_namespace').map(({ name, namespace_id = '' }) => [name, namespace_id]),
    ),
    bucket: ofType('r2_bucket').find(({ name }) => name === 'BACKUPS')?.bucket_name,
    // Only a connector has this Durable Object.
    isConnector: ofType('durable_object_namespace').some(({ name }) => name === 'CONFIRMATIONS'),
  }
}

const namespacesSchema = z.array(z.object({ id: z.string(), title: z.string() }))
const PAGE = 100

/** The KV namespaces by title. */
export async function namespacesOf(cloudflare: Cloudflare): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const query = `per_page=${PAGE}&order=title&page=${page}`
    const listed = await cloudflare(`GET /storage/kv/namespaces?${query}`, namespacesSchema)
    for (const { id, title } of listed) found.set(title, id)
    if (listed.length < PAGE) return found
  }
}

/** Creates a KV namespace and returns its id. */
export async function makeNamespace(cloudflare: Cloudflare, title: string): Promise<string> {
  const made = z.object({ id: z.string() })
  return (await cloudflare('POST /storage/kv/namespaces', made, { title })).id
}

/** Makes a bucket that drops each backup after 35 days, unless it is there. False where R2 is not enabled. */
export async function makeBucket(cloudflare: Cloudflare, name: string): Promise<boolean> {
  const after = (days: number) => ({ condition: { type: 'Age', maxAge: (days * DAY) / SECOND } })
  const transitions = {
    deleteObjectsTransition: after(35),
    abortMultipartUploadsTransition: after(1),
  }
  const rule = { id: 'nights', enabled: true, conditions: { prefix: '' }, ...transitions }
  // Cloudflare refuses a bucket that is there; without one it refuses the rule.
  await cloudflare('POST /r2/buckets', z.unknown(), { name }).catch(() => {})
  const answer = cloudflare(`PUT /r2/buckets/${name}/lifecycle`, z.unknown(), { rules: [rule] })
  return (await answer.catch(() => 'refused')) !== 'refused'
}

/** Whether the Worker answers under its workers.dev address. */
export async function isOnWorkersDev(cloudflare: Cloudflare, name: string): Promise<boolean> {
  const found = z.object({ enabled: z.boolean() })
  return (await cloudflare(`GET /workers/scripts/${name}/subdomain`, found)).enabled
}
