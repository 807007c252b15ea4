import type { SealedText } from '../ports/approvals.ts'
import type { Shown } from '../ports/confirmation.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { NewPreview } from './record.ts'

/*
 * Texts that a preview keeps sealed, by the field of the preview that they belong to, and only
 * until the end: the text of a caller that goes to the client, which every preview shows whole;
 * other fields that show what the caller sent; and what the page of an approval alone shows whole.
 */

const PURPOSE = 'client text'

/** Texts by the field of the preview that they belong to. */
export type Texts = Readonly<Record<string, SealedText>>

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

/**
 * A keyed hash of each text, so that the digest which a person signs covers it and tells no one
 * what it is.
 */
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
  text: SealedText | null,
): Shown =>
  field === undefined ? shown : { ...shown, preview: { ...shown.preview, [field]: text } }

/** The text for the client that a preview shows, by its field. */
export function clientTextIn({ preview }: Shown, field: string | undefined): Texts {
  const text: unknown = field === undefined ? null : Reflect.get(preview, field)
  return field !== undefined && typeof text === 'string' ? { [field]: text } : {}
}

/** What a preview itself shows of a field stands beside what only the page of an approval shows of it. */
const keyOf = (field: string): string => `preview.${field}`

/** The fields among these that a preview has. */
const fieldsIn = ({ preview }: Shown, fields: readonly string[]): string[] =>
  fields.filter((field) => Object.hasOwn(preview, field))

/** Whether a preview has such a field. */
export const hasSealed = (shown: Shown, fields: readonly string[] = []): boolean =>
  fieldsIn(shown, fields).length > 0

/** What a preview shows in these fields. */
export const sealedIn = (shown: Shown, fields: readonly string[] = []): Texts =>
  Object.fromEntries(
    fieldsIn(shown, fields).map((field) => [
      keyOf(field),
      Reflect.get(shown.preview, field) as SealedText,
    ]),
  )

/** What a preview shows with null in these fields, as it is kept, or with what is sealed of them. */
export const withSealed = (
  shown: Shown,
  fields: readonly string[] = [],
  texts: Texts = {},
): Shown => {
  const own = fieldsIn(shown, fields).map((field) => [field, texts[keyOf(field)] ?? null] as const)
  return own.length === 0
    ? shown
    : { ...shown, preview: { ...shown.preview, ...Object.fromEntries(own) } }
}

/** Those of the texts that the page of an approval alone shows. */
export const forApproverIn = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !key.startsWith(keyOf(''))))
