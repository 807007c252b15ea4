import type { Shown } from '../ports/confirmation.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { NewPreview } from './record.ts'

/*
 * Texts that a preview keeps sealed, by the field of the preview that they belong to, and only until the end: the text of a
 * caller that goes to the client, which every preview shows whole, and what the page of an approval alone shows whole.
 */

const PURPOSE = 'client text'

/** Texts by the field of the preview that they belong to. */
export type Texts = Readonly<Record<string, string>>

/** The texts, sealed for the preview with this id; undefined where there is none. */
export const sealTexts = async (
  keyring: Keyring,
  id: string,
  texts: Texts,
): Promise<string | undefined> =>
  Object.keys(texts).length === 0 ? undefined : keyring.seal(PURPOSE, id, JSON.stringify(texts))

/** The texts; none where none are kept, undefined where the secret that sealed them is listed no more. */
export async function openTexts(
  keyring: () => Promise<Keyring>,
  { id, sealedText }: Pick<NewPreview, 'id' | 'sealedText'>,
): Promise<Texts | undefined> {
  if (sealedText === undefined) return {}
  const opened = await (await keyring()).open(PURPOSE, id, sealedText)
  return opened === undefined ? undefined : (JSON.parse(opened) as Texts)
}

/** A keyed hash of each text, so that the digest which a person signs covers it and tells nobody what it is. */
export async function macsOfTexts(
  keyring: Keyring,
  { keyId, id }: Pick<NewPreview, 'keyId' | 'id'>,
  texts: Texts,
): Promise<Texts> {
  const macs = Object.entries(texts).map(async ([field, text]) => {
    const mac = await keyring.mac(keyId, 'sealed text', JSON.stringify([id, field, text]))
    return [field, mac] as const
  })
  return Object.fromEntries(await Promise.all(macs))
}

/** What a preview shows with this text in the place of its text for the client. */
export const withClientText = (
  shown: Shown,
  field: string | undefined,
  text: string | null,
): Shown =>
  field === undefined ? shown : { ...shown, preview: { ...shown.preview, [field]: text } }

/** The text for the client that a preview shows, by its field. */
export function clientTextIn({ preview }: Shown, field: string | undefined): Texts {
  const text: unknown = field === undefined ? null : Reflect.get(preview, field)
  return field !== undefined && typeof text === 'string' ? { [field]: text } : {}
}
