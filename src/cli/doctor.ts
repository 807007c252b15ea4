import { parseArgs } from 'node:util'

import { apiKeyFor, connectorAddress, DEFAULT_URL } from './admin-client.ts'
import { runCommand } from './command.ts'
import { probeOf } from './doctor/probes.ts'
import { reportTable, runDoctor } from './doctor/run.ts'

const USAGE = `npm run doctor -- [--url https://…] [--json]
The key in CONNECTOR_API_KEY, with the scope admin, adds what the connector sees from inside.`

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { url: { type: 'string' }, json: { type: 'boolean' } } })
  await examine(values.url ?? DEFAULT_URL, values.json ?? false)
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
