/** The parts of wrangler.toml that are read or replaced; all others are passed on. */
export interface RawConfig {
  name?: string
  kv_namespaces?: { binding: string; id?: string }[]
  migrations?: { tag: string }[]
  vars?: Record<string, unknown>
  [other: string]: unknown
}

interface Deployed {
  name: string
  vars: Record<string, string>
  /** The id of each KV binding. */
  ids: Record<string, string>
  /** The owner's own domain, if the deployment has to attach it. */
  domain?: string | undefined
}

/**
 * wrangler.toml with what belongs to one account filled in, to be written beside it, where git does not look. Vars that were set
 * in the dashboard stay.
 */
export const deployConfig = (raw: RawConfig, { name, vars, ids, domain }: Deployed): object => ({
  ...raw,
  name,
  kv_namespaces: (raw.kv_namespaces ?? []).map((one) => ({ ...one, id: ids[one.binding] })),
  vars: { ...raw.vars, ...vars },
  keep_vars: true,
  ...(domain === undefined ? {} : { routes: [{ pattern: domain, custom_domain: true }] }),
})
