import { createHash, createHmac } from 'node:crypto'
import type { Keyring } from '../../../../src/ports/index.ts'

/** A keyring whose hashes are there at once, so that a run does not depend on the machine's threads. */
export function keyringOf(secrets: readonly string[]): Keyring {
  const byId = new Map(
    secrets.map((secret) => [createHash('sha256').update(secret).digest('hex').slice(0, 8), secret]),
  )
  const ids = [...byId.keys()]
  return {
    current: ids[0]!,
    ids,
    async mac(id, purpose, text) {
      const secret = byId.get(id)
      if (secret === undefined) throw new RangeError('no signing secret has this id')
      return createHmac('sha256', secret).update(`${purpose}|${text}`).digest('base64url')
    },
    seal: () => Promise.reject(new Error('no flow seals')),
    open: () => Promise.reject(new Error('no flow seals')),
    signer: () => Promise.reject(new Error('nothing is signed here')),
  }
}
