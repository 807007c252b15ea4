import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { newApiKey } from '../../src/core/crypto/api-key.ts'
import { type Served, type Server, serve } from './workerd.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))

interface Config {
  compatibility_date: string
  compatibility_flags: string[]
  kv_namespaces: { binding: string }[]
  durable_objects: { bindings: { name: string; class_name: string }[] }
  ratelimits?: { name: string }[]
}

/** What wrangler.toml declares. */
async function declared(): Promise<Omit<Served, 'script' | 'vars'>> {
  const wrangler = await import('wrangler')
  const config = wrangler.unstable_readConfig({
    config: join(ROOT, 'wrangler.toml'),
  }) as unknown as Config
  return {
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    kv: config.kv_namespaces.map(({ binding }) => binding),
    objects: Object.fromEntries(
      config.durable_objects.bindings.map(({ name, class_name }) => [name, class_name]),
    ),
    rateLimits: (config.ratelimits ?? []).map(({ name }) => name),
  }
}

/** Bundles a Worker of the bench the way wrangler does: one minified ES module. */
async function bundle(entry: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [join(HERE, entry)],
    outfile,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['cloudflare:*', 'node:*'],
    // One Zod for all, the project's own: the schemas of the tools are made with it.
    alias: { zod: join(ROOT, 'node_modules/zod') },
    logLevel: 'silent',
  })
  return outfile
}

export interface Ours extends Server {
  ownerKey: string
}

/** Serves the connector with mock providers and a key of the owner. */
export async function serveOurs(
  script: string,
  folder: string,
  { vars = {}, keepObjects = true }: { vars?: Record<string, string>; keepObjects?: boolean } = {},
): Promise<Ours> {
  const ownerKey = newApiKey(randomBytes(32))
  const server = await serve(
    {
      ...(await declared()),
      script,
      keepObjects,
      vars: {
        SIGNING_SECRET: randomBytes(32).toString('base64url'),
        OWNER_KEY_SHA256: createHash('sha256').update(ownerKey).digest('hex'),
        ...vars,
      },
    },
    folder,
  )
  return { ...server, ownerKey }
}

/** Serves a floor or a peer. */
export async function serveOther(
  entry: string,
  folder: string,
  given: Pick<Served, 'objects' | 'vars' | 'kv'> = {},
): Promise<Server> {
  const { compatibilityDate, compatibilityFlags = [] } = await declared()
  const script = await bundle(entry, join(folder, 'bundle.js'))
  return serve(
    { script, compatibilityDate, compatibilityFlags, keepObjects: true, ...given },
    folder,
  )
}

export const PEERS_INSTALLED = existsSync(join(HERE, 'peers/node_modules'))
