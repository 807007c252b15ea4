import { parseArgs } from 'node:util'

import { apiKeyFor, connectorAddress, DEFAULT_URL } from './admin-client.ts'
import { runCommand, terminalOn } from './command.ts'
import { probeOf } from './doctor/probes.ts'
import { reportTable, runDoctor } from './doctor/run.ts'

const USAGE = `npm run doctor -- [--url https://…] [--json]
The key in CONNECTOR_API_KEY, with the scope admin, adds what the connector sees from inside.`

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: { url: { type: 'string', default: DEFAULT_URL }, json: { type: 'boolean' } },
  })
  const url = connectorAddress(values.url)
  const examine = () => runDoctor(probeOf(url, apiKeyFor(url)))
  const report = await terminalOn(process.stderr).during(
    'Doctor',
    `examining ${url.origin}`,
    examine,
  )
  const { isTTY, columns } = process.stdout
  const table = () => reportTable(report, isTTY, isTTY ? columns : undefined)
  console.log(values.json ? JSON.stringify(report, null, 2) : table())
  if (!report.ok) process.exitCode = 1
})
