import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { namesOf } from '../core/domain/providers.ts'
import { apiKeyFor, connectorAddress, DEFAULT_URL, healthOf } from './admin-client.ts'
import { CliError, UsageError, runCommand } from './command.ts'
import { overMcp, overRest } from './demo/callers.ts'
import { journey } from './demo/journey.ts'
import { LIVE_OPTIONS, liveCommand } from './demo/live/run.ts'
import { onProviderPage } from './demo/provider-page.ts'
import { heading, line, printRows } from './demo/transcript.ts'

const USAGE = `npm run demo -- [--target mocks | own | live]
  mocks  is the default: starts a connector with mock providers for this run, and calls all that it can do, over
         REST and over MCP. It then acts on the mock as a person does on the provider’s page.
  own    does so with your own connector, if its providers are mocks: [--url http://127.0.0.1:8787].
         CONNECTOR_API_KEY holds a key with the scopes of the seven operations. The provider’s page is there under
         npm start only, for the scope admin.
  live   tries your real accounts with the settings in .deploy.env, without a connector:
         [--address <your own address>] [--event-type <short name>] [--invoice <id or number>] [--yes]
         It books, moves and cancels one consult far ahead, reads an invoice, and under a test key of Stripe makes a
         payment link and ends it. It asks before each step, and undoes what it made where a step fails. The tokens
         come from SCHEDULING_PROVIDER_TOKEN and PAYMENT_PROVIDER_SECRET_KEY in the environment or in .deploy.env;
         otherwise it asks for them.`

/** The options of each target, besides `--target`. */
const OPTIONS = { mocks: {}, own: { url: { type: 'string' } }, live: LIVE_OPTIONS } as const

/** A separate folder leaves the bundle of a running `npm start` as it is. */
const OUTDIR = fileURLToPath(new URL('../../.wrangler/demo', import.meta.url))

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: { target: { type: 'string' }, ...OPTIONS.own, ...OPTIONS.live },
  })
  const targets = namesOf(OPTIONS)
  const target = targets.find((name) => name === (values.target ?? 'mocks'))
  if (target === undefined) throw new UsageError(`--target takes one of: ${targets.join(', ')}.`)
  const strange = Object.keys(values).find(
    (name) => name !== 'target' && !Object.hasOwn(OPTIONS[target], name),
  )
  if (strange !== undefined)
    throw new UsageError(`--${strange} does not go with --target ${target}.`)
  if (target === 'live') return liveCommand(values)
  const own = connectorAddress(values.url ?? DEFAULT_URL)
  if (target === 'mocks') return demoOfMocks()
  await demo(own.origin, apiKeyFor(own))
  line('The records of this run stay in that connector. Its consults are cancelled.')
})
process.exit()

async function demoOfMocks() {
  line('Starting a connector for this run; it keeps no data …')
  const { buildWorker, startLocal } = await import('./local.ts')
  const { script } = await buildWorker({ outdir: OUTDIR })
  const vars = { ALLOW_ANONYMOUS: 'true', SIGNING_SECRET: randomBytes(32).toString('base64url') }
  const connector = await startLocal({ script, vars, onLog: () => {} })
  try {
    await demo(connector.url)
  } finally {
    await connector.stop()
  }
}

async function demo(origin: string, apiKey?: string) {
  await greet(origin)
  heading('Over REST')
  const rest = await journey(overRest(origin, apiKey))
  heading('Over MCP')
  const mcp = await overMcp(origin, apiKey)
  printRows(mcp.introduction)
  const tools = await journey(mcp)
  await mcp.close()
  if (rest.join('\n') !== tools.join('\n'))
    throw new CliError('REST and MCP gave answers with different fields.')
  heading('On the page of the provider')
  await onProviderPage(origin, apiKey)
  line(
    `\nDone: ${rest.length} calls over REST and the same ${tools.length} over MCP, each ` +
      'answered as expected, with the same fields.',
  )
}

/** Prints which connector this is. Raises `CliError` for live providers, where the demo would act. */
async function greet(origin: string) {
  const { scheduling, payments } = (await healthOf(origin)).adapters
  if (scheduling !== 'mock' || payments !== 'mock') {
    throw new CliError(
      `This connector is live (scheduling: ${scheduling}, payments: ${payments}), so the demo would ` +
        'make real changes without asking. --target live tries your accounts, and asks before each step.',
    )
  }
  line(`The consult connector on ${origin}, with mock providers: no real bookings or payments.`)
}
