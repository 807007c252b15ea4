import { parseArgs } from 'node:util'

import { isLoopback, underName } from '../core/domain/origin.ts'
import { DEFAULT_URL, connectorAddress, newEnrolment, startLine } from './admin-client.ts'
import { runCommand, terminalOn } from './command.ts'
import { ofWorker, settingsFileIn } from './settings-file.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const SETTING = 'OWNER_ENROLMENT_SHA256'

const USAGE = `Usage:
  npm run enrol -- --url https://…    prints a link to make a passkey, a QR code of it, and its hash;
                                      it makes no request
The url is the connector's public address (default http://127.0.0.1:8787). For a deployed connector
npm run deploy -- --new-link does it all.`

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { url: { type: 'string', default: DEFAULT_URL } } })
  const { origin } = connectorAddress(values.url)
  const isLocal = isLoopback(origin)
  const { link, hash } = await newEnrolment(underName(origin))
  const line = isLocal
    ? startLine(origin, `${SETTING}=${hash}`)
    : `echo ${hash} | npx wrangler secret put ${SETTING}${ofWorker(settingsFileIn(PROJECT_ROOT).read())}`
  const terminal = terminalOn(process.stdout)
  terminal.line(`The owner signs in with a passkey. To make one:

1. ${isLocal ? 'Start the connector with this line' : 'Run this line'}:

   ${line}

2. Open the link within an hour, on the device that will hold the passkey. It works once.

   ${link}
`)
  // No phone reaches this machine by its own name.
  if (!isLocal) terminal.qr(link)
})
