import { equalInConstantTime } from '../../crypto/tokens.ts'
import type { Refusal } from '../../domain/problem/problem.ts'
import type { Mode } from '../../domain/mode.ts'
import type { Keyring } from '../../ports/keyring.ts'

/** The answer for a change whose client was deleted: it was done once, so its key is never free. */
export const ERASED_CLIENT = {
  code: 'client_not_found',
  effect: 'done',
  detail: 'It was done, and the client has been deleted since.',
  next_step: 'Nothing is left to do under this key.',
} as const satisfies Refusal

const SHAPE = /^cl_(mock_)?([A-Za-z0-9_-]{22})([0-9a-f]{8})([A-Za-z0-9_-]{22})$/
const SHORT = 22

export const modeOfClientId = (clientId: string): Mode => (clientId.startsWith('cl_mock_') ? 'mock' : 'live')

const signature = async (keyring: Keyring, keyId: string, body: string): Promise<string> =>
  (await keyring.mac(keyId, 'client id', body)).slice(0, SHORT)

/** A client id with a MAC of 132 bits. It derives from the id of the flow, so a repeat makes the same one. */
export async function issueClientId(
  keyring: Keyring,
  keyId: string,
  flowId: string,
  mode: Mode,
): Promise<string> {
  const random = (await keyring.mac(keyId, 'client handle', flowId)).slice(0, SHORT)
  const body = `${mode === 'mock' ? 'mock_' : ''}${random}${keyId}`
  return `cl_${body}${await signature(keyring, keyId, body)}`
}

/** Whether a client id was issued here, in this mode. `unlisted`: its key is gone, only a record can tell. */
export async function checkClientId(
  keyring: Keyring,
  clientId: string,
  mode: Mode,
): Promise<'issued' | 'unlisted' | 'foreign'> {
  const [, mock, random, keyId, mac] = SHAPE.exec(clientId) ?? []
  if (random === undefined || keyId === undefined || mac === undefined) return 'foreign'
  if ((mock !== undefined) !== (mode === 'mock')) return 'foreign'
  if (!keyring.ids.includes(keyId)) return 'unlisted'
  const expected = await signature(keyring, keyId, `${mock ?? ''}${random}${keyId}`)
  return equalInConstantTime(mac, expected) ? 'issued' : 'foreign'
}
