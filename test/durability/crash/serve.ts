import { createInterface } from 'node:readline'
import { startLocal } from '../../../src/cli/local.ts'

/**
 * The process that is killed: a connector on the storage, with the settings and the bundle that the first line of its
 * standard input names as JSON. Answers with its address. It does not outlive the one that started it.
 */
export interface Orders {
  storage: string
  vars: Record<string, string>
  script: string
}

// What takes longest comes before the first line, so that a connector can be waiting for the end of the one before it.
await import('wrangler')
process.stdin.once('end', () => process.exit(0))
createInterface({ input: process.stdin }).once('line', (line) => void serve(JSON.parse(line) as Orders))

async function serve(orders: Orders): Promise<void> {
  const { url } = await startLocal({ ...orders, onLog: (line) => console.error(line) })
  console.log(url)
}
