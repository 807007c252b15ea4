import { setTimeout as pause } from 'node:timers/promises'

import { verifyPack } from '../../../src/cli/verify/verify.ts'
import type { Connector } from './connector.ts'

const EVERY = 150

/** The checkpoints that an auditor was given while connectors were killed: none may ever be taken back. */
export function heldCheckpoints() {
  const held = new Set<string>()

  /** Asks for checkpoints until the connector ends. */
  async function follow(connector: Connector): Promise<void> {
    for (; connector.alive; await pause(EVERY)) {
      const given = await fetch(`${connector.url}/v1/audit/checkpoint`)
        .then(async (answer) => (answer.ok ? await answer.text() : undefined))
        .catch(() => undefined)
      // A connection that was cut gives no whole note.
      if (given?.endsWith('=\n')) held.add(given)
    }
  }

  /** What a verifier finds wrong with the log as it is now, and how many checkpoints it was compared with. */
  async function compare({ url }: Connector): Promise<{ compared: number; wrong: string[] }> {
    const answer = await fetch(`${url}/v1/audit/export?format=pack`)
    const texts = [...held].map((text, index) => ({ name: `checkpoint ${index + 1}`, text }))
    const { findings } = await verifyPack(new Uint8Array(await answer.arrayBuffer()), {
      held: texts,
    })
    // An approval here is made at the object itself, without a passkey.
    const wrong = findings.flatMap(({ verdict, check, text }) =>
      verdict === 'bad' && check !== 'Passkeys' ? [`the audit log: ${check}: ${text}`] : [],
    )
    return { compared: held.size, wrong }
  }

  return { follow, compare }
}
