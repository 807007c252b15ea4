import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import {
  Log,
  LogLevel,
  Miniflare,
  type Request,
  type Response,
  convertV4MiniflareOptions,
} from 'miniflare'

import { PROJECT_ROOT, runWrangler } from './wrangler.ts'

interface BuildOptions {
  /** The folder of wrangler.toml; this repository by default. */
  root?: string
  /** The folder for the bundle; parallel builds need one each. */
  outdir?: string
}

interface LocalOptions {
  /**
   * The name of the Worker, on which the ids of its objects depend; that of wrangler.toml unless
   * another is given.
   */
  name?: string
  /** 0, the default, takes any free port. */
  port?: number
  /** The folder that keeps KV and Durable Objects across restarts; without it they last for this run. */
  storage?: string
  /** Vars and secrets, on top of `[vars]` in wrangler.toml; `.dev.vars` and `.env` are never read. */
  vars?: Record<string, string>
  /** Receives each line that the Worker logs; stdout by default. */
  onLog?: (line: string) => void
  /** Answers each request that the Worker sends, in place of the internet. */
  outbound?: (request: Request) => Promise<Response>
  /** A bundle of `buildWorker`, which is built now if it is missing. */
  script?: string
  root?: string
}

/** Holds the declarations of wrangler.toml beside the bundle, so that serving it does not load wrangler. */
const DECLARATIONS = 'worker-options.json'

/** Bundles the Worker with wrangler, as a deployment does. `inputs` is the path of esbuild's metafile. */
export async function buildWorker(
  options: BuildOptions = {},
): Promise<{ script: string; inputs: string }> {
  const root = options.root ?? PROJECT_ROOT
  const outdir = options.outdir ?? join(root, '.wrangler', 'local')
  await mkdir(outdir, { recursive: true })
  const inputs = join(outdir, 'bundle-meta.json')
  const deploy = ['deploy', '--dry-run', '--outdir', outdir, '--metafile', inputs]
  const { code, output: text } = await runWrangler(deploy, { cwd: root })
  if (code !== 0) throw new Error(`The Worker could not be bundled.\n${text}`)
  // The headers of the static assets are among the declarations, and made by that run.
  await writeFile(join(outdir, DECLARATIONS), JSON.stringify(await workerOptions(root)))
  return { script: join(outdir, 'worker.js'), inputs }
}

/** Serves the Worker on a loopback port with workerd and the bindings of wrangler.toml. */
export async function startLocal(options: LocalOptions = {}) {
  const root = options.root ?? PROJECT_ROOT
  const onLog = options.onLog ?? console.log
  const writeLines = (text: string) => {
    for (const line of stripVTControlCharacters(text).split('\n')) onLog(line)
  }
  const scriptPath = options.script ?? (await buildWorker({ root })).script
  const worker = await declarationsOf(scriptPath, root)
  const optionsOf = (scriptPath: string, port: number) => ({
    ...convertV4MiniflareOptions({
      ...worker,
      ...(options.outbound !== undefined && { outboundService: options.outbound }),
      name: options.name ?? worker.name,
      bindings: { ...worker.bindings, ...options.vars },
      modules: true,
      modulesRoot: dirname(scriptPath),
      scriptPath,
      host: '127.0.0.1',
      port,
      cf: false,
      logRequests: false,
      verbose: true, // without it workerd swallows what a handler, an object or an alarm throws
      log: new LineLog(writeLines),
      handleStructuredLogs: ({ message }) => {
        if (!isRuntimeNoise(message)) writeLines(message)
      },
    }),
    ...(options.storage !== undefined && { resourcePersistencePath: options.storage }),
  })
  const miniflare = new Miniflare(optionsOf(scriptPath, options.port ?? 0))
  try {
    const { origin: url, port } = await miniflare.ready
    return {
      url,
      miniflare,
      kv: (binding: string) => miniflare.getKVNamespace(binding),
      durableObjects: (binding: string) => miniflare.getDurableObjectNamespace(binding),
      /** Serves this bundle from now on, at the same address and on the same storage. */
      reload: (script: string) => miniflare.setOptions(optionsOf(script, Number(port))),
      stop: () => miniflare.dispose(),
    }
  } catch (error) {
    await miniflare.dispose().catch(() => {})
    throw error
  }
}

/** The declarations from when this script was bundled; if they are missing, those of now. */
async function declarationsOf(script: string, root: string): ReturnType<typeof workerOptions> {
  const text = await readFile(join(dirname(script), DECLARATIONS), 'utf8').catch(() => undefined)
  return text === undefined ? workerOptions(root) : JSON.parse(text)
}

/** The declarations of wrangler.toml for Miniflare, without `.dev.vars`, whose live keys no test may use. */
export async function workerOptions(root: string = PROJECT_ROOT) {
  const wrangler = await import('wrangler')
  const config = wrangler.unstable_readConfig({ config: join(root, 'wrangler.toml') })
  // A named env file replaces .dev.vars and .env, even if it does not exist.
  const noSecrets = { overrides: {}, envFiles: [join(root, '.wrangler', 'no-secrets')] }
  const parsed = wrangler.unstable_getMiniflareWorkerOptions(config, undefined, noSecrets)
  // Without the version metadata, the Worker knows that this is a trial on one machine.
  const { modulesRules: _bundled, versionMetadata: _deployed, ...worker } = parsed.workerOptions
  return {
    ...worker,
    name: config.name ?? 'worker',
    bindings: { RATE_LIMITS: 'off', ...(worker.bindings as object | undefined) },
    // Where Cloudflare has one only if the owner said so.
    r2Buckets: ['BACKUPS'],
  }
}

class LineLog extends Log {
  readonly #write: (text: string) => void

  constructor(write: (text: string) => void) {
    super(LogLevel.WARN)
    this.#write = write
  }

  protected override log(message: string) {
    this.#write(message)
  }
}

const NOISE = [
  // C++ stack traces of verbose logging; the JavaScript error has a line of its own.
  /\nstack: \S*workerd/,
  // Connections that end early or cannot be opened, even if our code catches the error. Errors of our code
  // have stack frames.
  /^uncaught exception; source = Uncaught \(in promise\); stack = Error: (?:Network connection lost\.|internal error; reference = \w+)\s*$/,
  // An alarm began to ring while its object set a later one, which rings in its place.
  /^NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm\./,
]

/** Whether a message of workerd is about its own work; the request behind it has a log line of its own. */
export const isRuntimeNoise = (message: string) => NOISE.some((known) => known.test(message))
