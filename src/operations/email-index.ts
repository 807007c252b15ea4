import { canonicalEmail, maskEmail } from '../domain/email.ts'
import type { Keyring, Ports } from '../ports/index.ts'
import type { Found } from '../ports/records.ts'
import { practiceMode } from './operation.ts'

/**
 * Keyed hashes of an email address, by which the bookings and links of a client are found again; nobody without the
 * signing secret can make one. One for the secret of the record and one for each before it, so that what is made after
 * a rotation still meets what was made before. Letters count the same in either case. None for an address that is masked
 * already, as the mock calendar keeps it.
 */
export async function emailIndex(keyring: Keyring, keyId: string, email: string): Promise<string[]> {
  const address = canonicalEmail(email).toLowerCase()
  if (maskEmail(email) === email) return []
  const ids = keyring.ids.slice(keyring.ids.indexOf(keyId))
  return Promise.all(
    ids.map(async (id) => `${id}:${(await keyring.mac(id, 'contact', address)).slice(0, 22)}`),
  )
}

/** Whether an index was made of this email address; undefined where no secret is listed any more that could tell. */
export async function isIndexOf(
  keyring: Keyring,
  index: readonly string[],
  email: string,
): Promise<boolean | undefined> {
  const keyId = keyring.ids.find((id) => index.some((one) => one.startsWith(`${id}:`)))
  if (keyId === undefined) return undefined
  return (await emailIndex(keyring, keyId, email)).some((one) => index.includes(one))
}

/** The newest clients of this mode of the practice that were created with an email address, and how many there are. */
export async function clientsUnder(
  email: string,
  keyId: string,
  ports: Pick<Ports, 'keyring' | 'records' | 'scheduling' | 'payments'>,
  limit: number,
): Promise<Found> {
  const links = await emailIndex(await ports.keyring(), keyId, email)
  return ports.records.linkedTo(links, 'client', practiceMode(ports), limit)
}
