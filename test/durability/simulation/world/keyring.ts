import { createHash, createHmac } from 'node:crypto'

import type { Keyring } from '../../../../src/core/ports/keyring.ts'

/** A keyring whose hashes are there at once, so that a run does not depend on the machine's threads. */
export function keyringOf(secrets: readonly string[]): Keyring {
  const byId = new Map(
    secrets.map((secret) => [
      createHash('sha256').update(secret).digest('hex').slice(0, 8),
      secret,
    ]),
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
    // In hex it is hidden well enough here: what matters is that it is opened under a secret that is listed, and for what it is.
    seal: async (purpose, id, text) =>
      `${ids[0]!}.${purpose}|${id}|${Buffer.from(text).toString('hex')}`,
    async open(purpose, id, sealed) {
      const dot = sealed.indexOf('.')
      const about = `${purpose}|${id}|`
      const isOurs = byId.has(sealed.slice(0, dot)) && sealed.startsWith(about, dot + 1)
      return isOurs
        ? Buffer.from(sealed.slice(dot + 1 + about.length), 'hex').toString()
        : undefined
    },
    signer: () => Promise.reject(new Error('nothing is signed here')),
  }
}
