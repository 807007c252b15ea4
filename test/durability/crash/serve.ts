import { createInterface } from 'node:readline'

import { startLocal } from '../../../src/cli/local.ts'
import { approverOf } from '../../support/approver.ts'
import { APPROVED_OPERATION } from './caller.ts'
import { objectsOverHttp, withObjectsOverHttp } from './objects-over-http.ts'

/**
 * The process that is killed: a connector on the storage, with the settings and the bundle that the first line of its
 * standard input names as JSON. Answers with its address. Each line after that is what a person decides about the change
 * under a key. It does not outlive the one that started it.
 */
export interface Orders {
  storage: string
  vars: Record<string, string>
  script: string
}

export interface Decision {
  key: string
  /** Who asks for the change. */
  caller: string
  decision: 'approve' | 'decline'
}

// What takes longest comes before the first line, so that a connector can be waiting for the end of the one before it.
await import('wrangler')
process.stdin.once('end', () => process.exit(0))
const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => void serve(JSON.parse(line) as Orders))

async function serve(orders: Orders): Promise<void> {
  const script = await withObjectsOverHttp(orders.script)
  const connector = await startLocal({
    ...orders,
    script,
    onLog: (line) => console.error(line),
  })
  const approver = approverOf(objectsOverHttp(connector.url))
  await approver.isAskedFor(APPROVED_OPERATION)
  lines.on('line', (line) => {
    const { key, caller, decision } = JSON.parse(line) as Decision
    // Nothing may wait any more: then nothing is decided.
    approver
      .decides(key, decision, caller)
      .catch((thrown: unknown) => console.error(String(thrown)))
  })
  console.log(connector.url)
}
