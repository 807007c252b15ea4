import { parseArgs } from 'node:util'
import { examine } from './doctor/examine.ts'
import { outsideOf } from './doctor/outside.ts'
import { table } from './doctor/table.ts'
import { DEFAULT_URL, runCommand } from './owner-api.ts'

const USAGE = `npm run doctor -- [--url https://…] [--json]
The key in CONNECTOR_API_KEY, with the scope admin, adds what the connector sees from inside.`

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: DEFAULT_URL },
      json: { type: 'boolean', default: false },
    },
  })
  if (!URL.canParse(values.url) || !/^https?:/.test(values.url))
    throw new Error('--url must be a whole address, as in --url https://connector.example.com')
  const { isTTY } = process.stdout
  const waiting = `Examining ${values.url} …`
  if (isTTY && !values.json) process.stdout.write(waiting)
  const report = await examine(outsideOf(new URL(values.url), process.env['CONNECTOR_API_KEY'] || undefined))
  if (isTTY && !values.json) process.stdout.write(`\r${' '.repeat(waiting.length)}\r`)
  const coloured = isTTY === true && !process.env['NO_COLOR']
  console.log(
    values.json
      ? JSON.stringify(report, null, 2)
      : table(report, coloured, isTTY ? process.stdout.columns : undefined),
  )
  if (!report.ok) process.exitCode = 1
})
