import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { API_REFERENCE } from '../api/discovery/api-reference.ts'
import { safeHeaders } from '../api/http/answers.ts'
import { sha256 } from '../core/crypto/encoding.ts'
import { PROJECT_ROOT } from './wrangler.ts'

/** The styles, scripts and icons of our pages, and the list of their addresses, which the pages read. */
const SOURCES = join(PROJECT_ROOT, 'src/api/pages/static')
const ADDRESSES = join(PROJECT_ROOT, 'src/api/pages/static-files.json')
/** What wrangler.toml serves without starting the Worker. Git keeps only the files that are not made here. */
const ASSETS = join(PROJECT_ROOT, 'src/assets')

const KEPT_A_YEAR = 'public, max-age=31536000, immutable'

interface StaticFile {
  /** It has a hash of the content, so that other content has another address. */
  address: string
  body: Uint8Array
}

/** Every static file of our pages as it is served, by its name in `src/api/pages/static`. */
export async function staticFiles(): Promise<Record<string, StaticFile>> {
  const names = (await readdir(SOURCES)).toSorted()
  const files = names.map(async (name) => {
    const body = await minified(staticSource(name))
    const hash = (await sha256(body)).slice(0, 10)
    return [name, { address: `/static/${name.replace('.', `-${hash}.`)}`, body }] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

/** The path of the source of a static file. */
export const staticSource = (name: string) => join(SOURCES, name)

/** A style or a script as it is sent, with what it imports; any other file as it is. */
export async function minified(path: string): Promise<Uint8Array> {
  const extension = extname(path)
  if (extension !== '.css' && extension !== '.js') return readFile(path)
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    charset: 'utf8',
    write: false,
  })
  return outputFiles[0]!.contents
}

/** What git keeps of them: the address of each, by its name. */
export const addressList = (files: Record<string, StaticFile>) =>
  json(Object.fromEntries(Object.entries(files).map(([name, { address }]) => [name, address])))

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/**
 * The headers of the static assets
 * (https://developers.cloudflare.com/workers/static-assets/headers/). What is kept for a year is
 * named one by one: a rule for all of `/static` would also keep the answer that there is no such
 * file.
 */
function headersFile(kept: string[]) {
  const safe = safeHeaders({})
  safe.delete('Cache-Control')
  const rules: [path: string, lines: string[]][] = [
    ['/*', [...safe].map(([name, value]) => `${name}: ${value}`)],
    // The page of the API reference is sandboxed, so it has no origin, and its files are readable
    // from anywhere.
    [
      '/docs/*',
      [
        'Access-Control-Allow-Origin: *',
        '! Cross-Origin-Resource-Policy',
        'Cross-Origin-Resource-Policy: cross-origin',
      ],
    ],
    ...kept.map((address): (typeof rules)[number] => [address, [`Cache-Control: ${KEPT_A_YEAR}`]]),
  ]
  return rules.map(([path, lines]) => [path, ...lines].join('\n  ')).join('\n') + '\n'
}

/**
 * Makes what is served without starting the Worker: the static files of our pages, the guides of
 * `docs`, the page for what is not there, and the headers of them all. `[build]` in wrangler.toml
 * runs it before each bundle.
 */
export async function writeStaticFiles() {
  const files = await staticFiles()
  await writeIfOther(ADDRESSES, addressList(files))
  const made: Record<string, Uint8Array | string> = {}
  for (const { address, body } of Object.values(files)) made[address] = body
  made['/_headers'] = headersFile([API_REFERENCE.file, ...Object.keys(made)])
  // Pages read the list of addresses, so they are loaded after it is written.
  const { guideFiles } = await import('./guides.ts')
  Object.assign(made, await guideFiles())
  for (const [address, body] of Object.entries(made))
    await writeIfOther(join(ASSETS, address), body)
  await removeOthers(files)
}

/** Removes the files of sources that have changed: they would be uploaded too. */
async function removeOthers(files: Record<string, StaticFile>) {
  const served = new Set(Object.values(files).map(({ address }) => address))
  for (const name of await readdir(join(ASSETS, 'static')))
    if (!served.has(`/static/${name}`)) await rm(join(ASSETS, 'static', name), { force: true })
}

/** Another process may read the same file at this moment, so one that is right is left as it is. */
async function writeIfOther(path: string, body: Uint8Array | string) {
  const found = await readFile(path).catch(() => undefined)
  if (found?.equals(Buffer.from(body))) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, body)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeStaticFiles()
