import { parseArgs } from 'node:util'

import { apiKeyFor, connectorAddress, DEFAULT_URL, runCommand } from './admin-client.ts'
import { CliError } from './cli-error.ts'
import { probeOf } from './doctor/probe.ts'
import { runDoctor } from './doctor/run.ts'
import { reportTable } from './doctor/table.ts'
import { LIVE_OPTIONS, liveCommand } from './live/command.ts'

const USAGE = `npm run doctor -- [--url https://…] [--json]
The key in CONNECTOR_API_KEY, with the scope admin, adds what the connector sees from inside.

npm run doctor -- --live [--address <your own address>] [--event-type <short name>] [--invoice <id or number>]
                         [--out <folder>] [--yes]
Tries real accounts with the settings in .deploy.env: books, moves and cancels one consult far ahead, reads an invoice, and
under a test key of Stripe makes a payment link and ends it. It asks before each step, and undoes what it made where a step
fails. It writes what was said, redacted. The tokens come from SCHEDULING_PROVIDER_TOKEN and PAYMENT_PROVIDER_SECRET_KEY in
the environment or in .deploy.env, or are asked for.`

const EXAMINING = { url: { type: 'string' }, json: { type: 'boolean' } } as const

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: { live: { type: 'boolean' }, ...EXAMINING, ...LIVE_OPTIONS },
  })
  const { live = false, url = DEFAULT_URL, json = false } = values
  const strange = Object.keys(live ? EXAMINING : LIVE_OPTIONS).find((name) => name in values)
  if (strange !== undefined)
    throw new CliError(`--${strange} goes ${live ? 'without' : 'with'} --live.\n${USAGE}`)
  await (live ? liveCommand(values) : examine(url, json))
})

async function examine(address: string, json: boolean): Promise<void> {
  const url = connectorAddress(address)
  const key = apiKeyFor(url)
  const { isTTY, columns } = process.stdout
  const waiting = `Examining ${address} …`
  if (isTTY && !json) process.stdout.write(waiting)
  const report = await runDoctor(probeOf(url, key))
  if (isTTY && !json) process.stdout.write(`\r${' '.repeat(waiting.length)}\r`)
  const table = () =>
    reportTable(report, isTTY && !process.env['NO_COLOR'], isTTY ? columns : undefined)
  console.log(json ? JSON.stringify(report, null, 2) : table())
  if (!report.ok) process.exitCode = 1
}
