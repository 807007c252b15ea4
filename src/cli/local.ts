import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { PROJECT_ROOT, runWrangler } from './wrangler.ts'

interface BuildOptions {
  /** The folder of wrangler.toml; this repository unless a test brings its own. */
  root?: string
  /** Where the bundle goes; parallel builds need a folder each. */
  outdir?: string
  quiet?: boolean
}

interface LocalOptions {
  /** 0, the default, takes any free port. */
  port?: number
  /** The folder that keeps KV and Durable Objects across restarts; none keeps them for this run only. */
  storage?: string
  /** Vars and secrets, on top of `[vars]` in wrangler.toml. `.dev.vars` and `.env` are never read. */
  vars?: Record<string, string>
  /** Receives each line the Worker logs; stdout by default. */
  onLog?: (line: string) => void
  /** A bundle of `buildWorker`; built now if missing. */
  script?: string
  root?: string
}

/** The declarations of wrangler.toml, beside the bundle: whoever serves it again need not load wrangler. */
const DECLARATIONS = 'worker-options.json'

/**
 * Bundles the Worker with wrangler itself, so that the local Worker is the deployed one. `inputs` is esbuild's metafile, with
 * the size of each module.
 */
export async function buildWorker(options: BuildOptions = {}): Promise<{ script: string; inputs: string }> {
  const root = options.root ?? PROJECT_ROOT
  const outdir = options.outdir ?? join(root, '.wrangler', 'local')
  await mkdir(outdir, { recursive: true })
  const inputs = join(outdir, 'bundle-meta.json')
  const deploy = ['deploy', '--dry-run', '--outdir', outdir, '--metafile', inputs]
  const [{ code, output: text }, worker] = await Promise.all([
    runWrangler(deploy, { cwd: root }),
    workerOptions(root),
  ])
  if (code !== 0) throw new Error(`The Worker could not be bundled.\n${text}`)
  if (options.quiet === false) console.log(text)
  await writeFile(join(outdir, DECLARATIONS), JSON.stringify(worker))
  return { script: join(outdir, 'worker.js'), inputs }
}

/** Serves the Worker on a loopback port under real workerd, with the bindings that wrangler.toml declares. */
export async function startLocal(options: LocalOptions = {}) {
  const root = options.root ?? PROJECT_ROOT
  const onLog = options.onLog ?? console.log
  const writeLines = (text: string) => {
    for (const line of stripVTControlCharacters(text).split('\n')) onLog(line)
  }
  const scriptPath = options.script ?? (await buildWorker({ root })).script
  const worker = await declarationsOf(scriptPath, root)
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...worker,
      bindings: { ...worker.bindings, ...options.vars },
      modules: true,
      modulesRoot: dirname(scriptPath),
      scriptPath,
      host: '127.0.0.1',
      port: options.port ?? 0,
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
  try {
    const url = (await miniflare.ready).origin
    return {
      url,
      miniflare,
      kv: (binding: string) => miniflare.getKVNamespace(binding),
      durableObjects: (binding: string) => miniflare.getDurableObjectNamespace(binding),
      stop: () => miniflare.dispose(),
    }
  } catch (error) {
    await miniflare.dispose().catch(() => {})
    throw error
  }
}

/** What was declared when this script was bundled; for a script that came another way, what is declared now. */
async function declarationsOf(script: string, root: string): ReturnType<typeof workerOptions> {
  const text = await readFile(join(dirname(script), DECLARATIONS), 'utf8').catch(() => undefined)
  return text === undefined ? workerOptions(root) : JSON.parse(text)
}

/** The declarations of wrangler.toml, for Miniflare: without `.dev.vars`, whose live keys no test may use. */
export async function workerOptions(root: string = PROJECT_ROOT) {
  const wrangler = await import('wrangler')
  const config = wrangler.unstable_readConfig({ config: join(root, 'wrangler.toml') })
  // An env file that is named, even if it does not exist, replaces .dev.vars and .env.
  const noSecrets = { overrides: {}, envFiles: [join(root, '.wrangler', 'no-secrets')] }
  const parsed = wrangler.unstable_getMiniflareWorkerOptions(config, undefined, noSecrets)
  // What says that the Worker is deployed stays out: this is a trial on one machine.
  const { modulesRules: _bundled, versionMetadata: _deployed, ...worker } = parsed.workerOptions
  return {
    ...worker,
    name: config.name ?? 'worker',
    bindings: { RATE_LIMITS: 'off', ...(worker.bindings as object | undefined) },
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

/** The C++ stack traces that come with verbose logging; the JavaScript error has a line of its own. */
const STACK_OF_WORKERD = /\nstack: \S*workerd/

/**
 * workerd writes this line for every connection that ends early or cannot be opened, also when the code that made the
 * request catches the error. It has no stack frames; the line of an error thrown by our code has.
 */
const LOST_CONNECTION =
  /^uncaught exception; source = Uncaught \(in promise\); stack = Error: (?:Network connection lost\.|internal error; reference = \w+)\s*$/

/** An alarm that began to ring while its object set a later one: the later one rings, so nothing is lost. */
const MOVED_ALARM = /^NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm\./

/** Whether a message of workerd is about its own work: the request that met it has its own line, with its own code. */
export const isRuntimeNoise = (message: string): boolean =>
  [STACK_OF_WORKERD, LOST_CONNECTION, MOVED_ALARM].some((known) => known.test(message))
