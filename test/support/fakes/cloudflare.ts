import { randomUUID } from 'node:crypto'

import {
  BAD_TOKEN,
  BUCKET_THERE,
  NO_BUCKET,
  NO_R2,
  NO_SUBDOMAIN,
  NO_WORKER,
  SUBDOMAIN_FREE,
  SUBDOMAIN_TAKEN,
  TITLE_TAKEN,
  type UploadedBinding,
  type UploadMetadata,
  failed,
  formOf,
  ok,
} from './cloudflare-bodies.ts'
import {
  type FakeAnswer,
  type FakeHandler,
  type FakeHttp,
  type FakeRequest,
  type Fault,
  fakeHttp,
} from './http.ts'

/** A Worker as the account has it. `script` is what was uploaded last. */
export interface FakeWorker {
  script: string
  bindings: UploadedBinding[]
  migrationTag: string | undefined
  /** The classes that the migrations made. */
  classes: string[]
  onWorkersDev: boolean
  /** As they were deployed, the one that is deployed now last. */
  versions: { id: string; metadata: UploadMetadata; script: string; bindings: UploadedBinding[] }[]
  domains: string[]
}

/** What a test may change at any time. */
export interface FakeCloudflareState {
  token: string
  accounts: { id: string; name: string }[]
  /** The workers.dev name of the account; undefined: it has not chosen one. */
  subdomain: string | undefined
  /** Names that other accounts have. */
  takenSubdomains: string[]
  workers: Map<string, FakeWorker>
  namespaces: { id: string; title: string }[]
  /** Undefined until R2 is enabled in the dashboard; then the buckets, each with its rules. */
  buckets: Map<string, unknown> | undefined
  /** What is in all of the buckets together, by name. */
  objects: Map<string, Uint8Array>
  /** The hashes of the static assets that were uploaded. */
  assets: Set<string>
}

export interface FakeCloudflare extends Pick<FakeHttp, 'requests' | 'calm' | 'stop'> {
  /** What CLOUDFLARE_API_BASE_URL is set to. */
  url: string
  state: FakeCloudflareState
  /** A Worker of this name, or an error. */
  worker(name: string): FakeWorker
  fault(route: CloudflareRoute, fault: Fault, times?: number): void
}

const ACCOUNT = '/client/v4/accounts/:account'
const SCRIPT = `${ACCOUNT}/workers/scripts/:name`
const ROUTES = {
  user: 'GET /client/v4/user',
  memberships: 'GET /client/v4/memberships',
  accounts: 'GET /client/v4/accounts',
  subdomain: `GET ${ACCOUNT}/workers/subdomain`,
  takeSubdomain: `PUT ${ACCOUNT}/workers/subdomain`,
  isSubdomainFree: `GET ${ACCOUNT}/workers/subdomains/:subdomain`,
  service: `GET ${ACCOUNT}/workers/services/:name`,
  settings: `GET ${SCRIPT}/settings`,
  secrets: `GET ${SCRIPT}/secrets`,
  deleteSecret: `DELETE ${SCRIPT}/secrets/:secret`,
  assetSession: `POST ${SCRIPT}/assets-upload-session`,
  uploadAssets: `POST ${ACCOUNT}/workers/assets/upload`,
  upload: `PUT ${SCRIPT}`,
  uploadVersion: `POST ${SCRIPT}/versions`,
  version: `GET ${SCRIPT}/versions/:version`,
  deployments: `GET ${SCRIPT}/deployments`,
  deployVersion: `POST ${SCRIPT}/deployments`,
  scriptSettings: `PATCH ${SCRIPT}/script-settings`,
  workerSubdomain: `GET ${ACCOUNT}/workers/workers/:name`,
  isOnWorkersDev: `GET ${SCRIPT}/subdomain`,
  setWorkerSubdomain: `POST ${SCRIPT}/subdomain`,
  schedules: `PUT ${SCRIPT}/schedules`,
  domainsChangeset: `POST ${SCRIPT}/domains/changeset`,
  domains: `PUT ${SCRIPT}/domains/records`,
  namespaces: `GET ${ACCOUNT}/storage/kv/namespaces`,
  makeNamespace: `POST ${ACCOUNT}/storage/kv/namespaces`,
  makeBucket: `POST ${ACCOUNT}/r2/buckets`,
  bucket: `GET ${ACCOUNT}/r2/buckets/:bucket`,
  setLifecycle: `PUT ${ACCOUNT}/r2/buckets/:bucket/lifecycle`,
  listObjects: `GET ${ACCOUNT}/r2/buckets/:bucket/objects`,
  getObject: `GET ${ACCOUNT}/r2/buckets/:bucket/objects/:key`,
} as const
export type CloudflareRoute = keyof typeof ROUTES

/** The part of the Cloudflare API that a deployment uses, as wrangler 4 uses it; one account by default. */
export async function fakeCloudflare(): Promise<FakeCloudflare> {
  const state: FakeCloudflareState = {
    token: `fake-${randomUUID()}`,
    accounts: [{ id: '0123456789abcdef0123456789abcdef', name: 'The practice' }],
    subdomain: 'the-practice',
    takenSubdomains: [],
    workers: new Map(),
    namespaces: [],
    buckets: undefined,
    objects: new Map(),
    assets: new Set(),
  }
  /** The hashes that each session of an upload asked for, by its token. */
  const assetSessions = new Map<string, string[]>()
  const assetToken = (): string =>
    ['{}', '{}', randomUUID()].map((part) => Buffer.from(part).toString('base64url')).join('.')

  /** A route that wants the token, and an account of the token where it names one. */
  const guarded =
    (handler: FakeHandler): FakeHandler =>
    (request) => {
      if (request.headers.authorization !== `Bearer ${state.token}`) return BAD_TOKEN
      const { account } = request.params
      if (account !== undefined && !state.accounts.some(({ id }) => id === account))
        return BAD_TOKEN
      return handler(request)
    }
  const ofWorker = (
    handler: (worker: FakeWorker, request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  ) =>
    guarded((request) => {
      const worker = state.workers.get(request.params['name'] ?? '')
      return worker ? handler(worker, request) : NO_WORKER
    })

  /** Keeps what was uploaded: a secret that is not in it stays, and so do vars when the upload says so. */
  async function take(request: FakeRequest, versionOnly: boolean): Promise<FakeAnswer> {
    const name = request.params['name'] ?? ''
    const known = state.workers.get(name)
    if (versionOnly && !known) return NO_WORKER
    const { metadata, script } = await formOf(request)
    const kept = (metadata.keep_bindings ?? []).filter((type) => type !== 'inherit')
    const given = metadata.bindings.filter(({ type }) => type !== 'inherit')
    const inherited = metadata.bindings
      .filter(({ type }) => type === 'inherit')
      .map((one) => one.name)
    const staying = (known?.bindings ?? []).filter(
      ({ name: binding, type }) =>
        !given.some((one) => one.name === binding) &&
        (kept.includes(type) || inherited.includes(binding)),
    )
    const unknown = given.find(
      ({ namespace_id: id, type }) =>
        type === 'kv_namespace' && !state.namespaces.some((namespace) => namespace.id === id),
    )
    if (unknown) return failed(400, 10041, 'KV namespace not found')
    if (
      given.some(
        ({ type, bucket_name }) => type === 'r2_bucket' && !state.buckets?.has(bucket_name ?? ''),
      )
    )
      return failed(400, 10085, 'R2 bucket not found')
    const { migrations } = metadata
    if (migrations && migrations.old_tag !== known?.migrationTag)
      return failed(412, 10079, 'migration tag precondition failed')
    const classes = [
      ...(known?.classes ?? []),
      ...(migrations?.steps ?? []).flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes),
    ]
    const stray = given.find(
      ({ type, class_name }) =>
        type === 'durable_object_namespace' && !classes.includes(class_name ?? ''),
    )
    if (stray)
      return failed(400, 10061, 'Cannot create binding for class that is not exported or migrated')
    const id = randomUUID()
    const bindings = [...staying, ...given]
    state.workers.set(name, {
      script,
      bindings,
      migrationTag: migrations?.new_tag ?? known?.migrationTag,
      classes,
      onWorkersDev: known?.onWorkersDev ?? false,
      versions: [...(known?.versions ?? []), { id, metadata, script, bindings }],
      domains: known?.domains ?? [],
    })
    return ok({
      id: versionOnly ? id : name,
      etag: 'etag',
      deployment_id: id.replaceAll('-', ''),
      startup_time_ms: 40,
      resources: { script: { etag: 'etag' } },
    })
  }

  const handlers: Record<CloudflareRoute, FakeHandler> = {
    user: guarded(() => ok({ id: 'user', email: 'owner@example.com' })),
    memberships: guarded(() => ok(state.accounts.map((account) => ({ id: account.id, account })))),
    accounts: guarded(() => ok(state.accounts)),
    subdomain: guarded(() =>
      state.subdomain === undefined ? NO_SUBDOMAIN : ok({ subdomain: state.subdomain }),
    ),
    isSubdomainFree: guarded(({ params }) =>
      state.takenSubdomains.includes(params['subdomain'] ?? '') ? SUBDOMAIN_TAKEN : SUBDOMAIN_FREE,
    ),
    takeSubdomain: guarded(({ body }) => {
      const { subdomain } = body as { subdomain: string }
      if (state.takenSubdomains.includes(subdomain)) return SUBDOMAIN_TAKEN
      state.subdomain = subdomain
      return ok({ subdomain })
    }),
    service: ofWorker((worker) =>
      ok({
        default_environment: {
          environment: 'production',
          script: {
            tag: 'tag',
            tags: [],
            last_deployed_from: 'wrangler',
            ...(worker.migrationTag === undefined ? {} : { migration_tag: worker.migrationTag }),
          },
        },
      }),
    ),
    settings: ofWorker(({ bindings }) =>
      ok({
        bindings: bindings.map((one) =>
          one.type === 'secret_text' ? { ...one, text: undefined } : one,
        ),
      }),
    ),
    secrets: ofWorker(({ bindings }) =>
      ok(
        bindings
          .filter(({ type }) => type === 'secret_text')
          .map(({ name, type }) => ({ name, type })),
      ),
    ),
    deleteSecret: ofWorker((worker, { params }) => {
      worker.bindings = worker.bindings.filter(({ name }) => name !== params['secret'])
      const { bindings } = worker
      worker.versions.push({ ...worker.versions.at(-1)!, id: randomUUID(), bindings })
      return ok(null)
    }),
    assetSession: guarded(({ body }) => {
      const { manifest } = body as { manifest: Record<string, { hash: string }> }
      const missing = Object.values(manifest)
        .map(({ hash }) => hash)
        .filter((hash) => !state.assets.has(hash))
      const jwt = assetToken()
      assetSessions.set(jwt, missing)
      return ok({ jwt, buckets: missing.length === 0 ? [] : [missing] })
    }),
    // It takes the token of a session in place of that of the account.
    uploadAssets: ({ headers }) => {
      const asked = assetSessions.get(headers.authorization?.slice('Bearer '.length) ?? '')
      if (!asked) return BAD_TOKEN
      for (const hash of asked) state.assets.add(hash)
      return ok({ jwt: assetToken() })
    },
    upload: guarded((request) => take(request, false)),
    uploadVersion: guarded((request) => take(request, true)),
    deployments: ofWorker(({ versions }) =>
      ok({
        deployments: versions
          .map(({ id }, at) => ({
            id,
            created_on: new Date(at).toISOString(),
            versions: [{ version_id: id, percentage: 100 }],
          }))
          .toReversed(),
      }),
    ),
    version: ofWorker(({ versions }, { params }) => {
      const found = versions.find(({ id }) => id === params['version'])
      if (!found) return NO_WORKER
      return ok({ id: found.id, metadata: { created_on: new Date(0).toISOString() } })
    }),
    // With its vars and secrets: they are a part of a version.
    deployVersion: ofWorker((worker, { body }) => {
      const [named] = (body as { versions: { version_id: string }[] }).versions
      const found = worker.versions.find(({ id }) => id === named?.version_id)
      if (!found) return NO_WORKER
      const { script, bindings } = found
      if (worker.versions.at(-1) !== found)
        Object.assign(worker, { script, bindings, versions: [...worker.versions, found] })
      return ok({ id: randomUUID() })
    }),
    scriptSettings: ofWorker(() => ok({})),
    workerSubdomain: ofWorker((worker) =>
      ok({ subdomain: { enabled: worker.onWorkersDev, previews_enabled: false } }),
    ),
    isOnWorkersDev: ofWorker(({ onWorkersDev }) =>
      ok({ enabled: onWorkersDev, previews_enabled: false }),
    ),
    setWorkerSubdomain: ofWorker((worker, { body }) => {
      const { enabled } = body as { enabled: boolean }
      worker.onWorkersDev = enabled
      return ok({ enabled, previews_enabled: false })
    }),
    schedules: ofWorker(() => ok({})),
    domainsChangeset: ofWorker(() => ok({ added: [], removed: [], updated: [], conflicting: [] })),
    domains: ofWorker((worker, { body }) => {
      const { origins } = body as { origins: { hostname: string }[] }
      worker.domains = origins.map(({ hostname }) => hostname)
      return ok(origins)
    }),
    namespaces: guarded(() => ok(state.namespaces)),
    makeNamespace: guarded(({ body }) => {
      const { title } = body as { title: string }
      if (state.namespaces.some((one) => one.title === title)) return TITLE_TAKEN
      const namespace = { id: randomUUID().replaceAll('-', ''), title }
      state.namespaces.push(namespace)
      return ok(namespace)
    }),
    makeBucket: guarded(({ body }) => {
      const { name } = body as { name: string }
      if (!state.buckets) return NO_R2
      if (state.buckets.has(name)) return BUCKET_THERE
      state.buckets.set(name, [])
      return ok({ name })
    }),
    bucket: guarded(({ params }) =>
      state.buckets?.has(params['bucket'] ?? '') ? ok({ name: params['bucket'] }) : NO_BUCKET,
    ),
    listObjects: guarded(({ params }) =>
      state.buckets?.has(params['bucket'] ?? '')
        ? ok([...state.objects].map(([key, { length: size }]) => ({ key, size })))
        : failed(404, 10006, 'The specified bucket does not exist.'),
    ),
    getObject: guarded(({ params }) => {
      const body = state.objects.get(params['key'] ?? '')
      return body ? { status: 200, body } : failed(404, 10007, 'The specified key does not exist.')
    }),
    setLifecycle: guarded(({ params, body }) => {
      if (!state.buckets?.has(params['bucket'] ?? '')) return NO_BUCKET
      state.buckets.set(params['bucket'] ?? '', (body as { rules: unknown }).rules)
      return ok({})
    }),
  }

  const http = await fakeHttp(
    Object.fromEntries(
      (Object.keys(ROUTES) as CloudflareRoute[]).map((route) => [ROUTES[route], handlers[route]]),
    ),
  )
  return {
    url: `${http.url}/client/v4`,
    requests: http.requests,
    calm: http.calm,
    stop: http.stop,
    state,
    worker(name) {
      const worker = state.workers.get(name)
      if (!worker) throw new Error(`no Worker ${name}`)
      return worker
    },
    fault: (route, fault, times) => http.fault(ROUTES[route], fault, times),
  }
}
