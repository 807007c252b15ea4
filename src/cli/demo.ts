import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { apiKeyFor, runCommand } from './admin-client.ts'
import { CliError } from './cli-error.ts'
import { overMcp, overRest } from './demo/callers.ts'
import { journey } from './demo/journey.ts'
import { onProviderPage } from './demo/provider-page.ts'
import { transcript } from './demo/transcript.ts'

const USAGE =
  'npm run demo starts a connector of its own; npm run demo -- http://127.0.0.1:8787 uses a running one.'
/** A separate folder leaves the bundle of a running `npm start` as it is. */
const OUTDIR = fileURLToPath(new URL('../../.wrangler/demo', import.meta.url))

await runCommand(USAGE, () => demo(parseArgs({ allowPositionals: true }).positionals[0]))
process.exit()

type Health = { adapters?: { scheduling: string; payments: string }; detail?: string }

async function demo(given: string | undefined): Promise<void> {
  const running = given === undefined ? undefined : originOf(given)
  const apiKey = running === undefined ? undefined : apiKeyFor(new URL(running))
  const connector = running === undefined ? await ownConnector() : { url: running, stop: undefined }
  try {
    await greet(connector.url, given !== undefined)
    transcript.heading('Over REST')
    const rest = await journey(overRest(connector.url, apiKey))
    transcript.heading('Over MCP')
    const mcp = await overMcp(connector.url, apiKey)
    transcript.rows(mcp.introduction)
    const tools = await journey(mcp)
    await mcp.close()
    if (rest.join('\n') !== tools.join('\n'))
      throw new CliError('REST and MCP gave answers with different fields.')
    transcript.heading('On the page of the provider')
    await onProviderPage(connector.url, apiKey)
    transcript.line(
      `\nDone: ${rest.length} calls over REST and the same ${tools.length} over MCP, each ` +
        'answered as expected, with the same fields.',
    )
  } finally {
    await connector.stop?.()
  }
}

async function ownConnector(): Promise<{ url: string; stop: () => Promise<void> }> {
  transcript.line('Starting a connector for this run …')
  const { buildWorker, startLocal } = await import('./local.ts')
  const { script } = await buildWorker({ outdir: OUTDIR })
  const vars = { ALLOW_ANONYMOUS: 'true', SIGNING_SECRET: randomBytes(32).toString('base64url') }
  return startLocal({ script, vars, onLog: () => {} })
}

/** Prints which connector this is. Raises `CliError` for live providers, where the demo would act. */
async function greet(origin: string, isRunning: boolean): Promise<void> {
  const response = await fetch(new URL('/health', origin)).catch(() => undefined)
  if (!response) throw new CliError(`Nothing answers on ${origin}. ${USAGE}`)
  const { adapters, detail } = (await response.json().catch(() => ({}))) as Health
  if (!adapters)
    throw new CliError(
      detail === undefined
        ? `What answers on ${origin} is not a consult connector.`
        : `The connector on ${origin} is not healthy: ${detail}`,
    )
  const { scheduling, payments } = adapters
  if (scheduling !== 'mock' || payments !== 'mock') {
    throw new CliError(
      `This connector is live (scheduling: ${scheduling}, payments: ${payments}), so the ` +
        'demo would make real changes. It runs only with mock providers.',
    )
  }
  transcript.line(
    `The consult connector on ${origin}, with mock providers: no real bookings or payments.`,
  )
  transcript.line(
    isRunning
      ? 'The records of the demo stay in that connector; it cancels its consult at the end.'
      : 'This run keeps no data.',
  )
}

function originOf(given: string): string {
  const address = /^https?:\/\//.test(given) ? given : `http://${given}`
  if (!URL.canParse(address)) throw new CliError(`This is not the address of a connector. ${USAGE}`)
  return new URL(address).origin
}
