import { parseArgs } from 'node:util'

import { apiKeyFor, connectorAddress, DEFAULT_URL, runCommand } from './admin-client.ts'
import { probeOf } from './doctor/probe.ts'
import { runDoctor } from './doctor/run.ts'
import { reportTable } from './doctor/table.ts'

const USAGE = `npm run doctor -- [--url https://…] [--json]
The key in CONNECTOR_API_KEY, with the scope admin, adds what the connector sees from inside.`

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: DEFAULT_URL },
      json: { type: 'boolean', default: false },
    },
  })
  const url = connectorAddress(values.url)
  const key = apiKeyFor(url)
  const { isTTY, columns } = process.stdout
  const waiting = `Examining ${values.url} …`
  if (isTTY && !values.json) process.stdout.write(waiting)
  const report = await runDoctor(probeOf(url, key))
  if (isTTY && !values.json) process.stdout.write(`\r${' '.repeat(waiting.length)}\r`)
  const table = () =>
    reportTable(report, isTTY && !process.env['NO_COLOR'], isTTY ? columns : undefined)
  console.log(values.json ? JSON.stringify(report, null, 2) : table())
  if (!report.ok) process.exitCode = 1
})
