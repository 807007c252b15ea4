import type { SealedText, Shown } from '../ports/confirmation.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { NewPreview } from './record.ts'

const PURPOSE = 'client text'

/**
 * Who reads a text: its caller in the preview, a person who approves on the page of the approval, and
 * the provider that a step sends it to. A person who approves reads all of them.
 */
type Reader = 'caller' | 'approver' | 'provider'

/** Texts by the field of the preview that they belong to. */
type Texts<T = SealedText> = Readonly<Record<string, T>>

/** Texts that are kept sealed, and only until the end of the change. */
export interface SealedTexts {
  readers: readonly Reader[]
  /** Null and undefined are no text. */
  texts: Texts<SealedText | null | undefined>
}

/** One of them. */
export interface SealedField {
  field: string
  text: SealedText
  readers: readonly Reader[]
}

/** The texts that there are. What only a person who approves reads is kept if one has to approve. */
export const sealedFields = (groups: readonly SealedTexts[], wantsPerson: boolean): SealedField[] =>
  groups
    .filter(({ readers }) => wantsPerson || readers.some((reader) => reader !== 'approver'))
    .flatMap(({ readers, texts }) =>
      Object.entries(texts).flatMap(([field, text]) => (text ? [{ field, text, readers }] : [])),
    )

/** The texts, sealed for the preview with this id; undefined where there is none. */
export const sealTexts = async (keyring: Keyring, id: string, fields: readonly SealedField[]) =>
  fields.length === 0 ? undefined : keyring.seal(PURPOSE, id, JSON.stringify(fields))

/** The texts; none where none are kept, undefined where the secret that sealed them is listed no more. */
export async function openTexts(
  keyring: Keyring,
  { id, sealedText }: NewPreview,
): Promise<SealedField[] | undefined> {
  if (sealedText === undefined) return []
  const opened = await keyring.open(PURPOSE, id, sealedText)
  return opened === undefined ? undefined : (JSON.parse(opened) as SealedField[])
}

/**
 * A keyed hash of each text, so that the digest which a person signs covers it and tells no one
 * what it is.
 */
export const macsOfTexts = (
  keyring: Keyring,
  { keyId, id }: Pick<NewPreview, 'keyId' | 'id'>,
  fields: readonly SealedField[],
): Promise<string[]> =>
  Promise.all(
    fields.map(({ field, text, readers }) =>
      keyring.mac(keyId, 'sealed text', JSON.stringify([id, field, text, readers])),
    ),
  )

/** The texts that this reader is shown or sent. */
export const textsFor = (reader: Reader, fields: readonly SealedField[]): Texts =>
  Object.fromEntries(
    fields
      .filter(({ readers }) => readers.includes(reader))
      .map(({ field, text }) => [field, text]),
  )

/** The texts that the page of an approval alone shows. */
export const forApproverAlone = (fields: readonly SealedField[]): Texts =>
  textsFor(
    'approver',
    fields.filter(({ readers }) => !readers.includes('caller')),
  )

/** What a preview shows with the texts of its caller in their fields. */
export const withTexts = (shown: Shown, fields: readonly SealedField[]): Shown => ({
  ...shown,
  preview: { ...shown.preview, ...textsFor('caller', fields) },
})

/** What is kept of it: null in their place. */
export const withoutTexts = (shown: Shown, fields: readonly SealedField[]): Shown => {
  const none = Object.keys(textsFor('caller', fields)).map((field) => [field, null] as const)
  return { ...shown, preview: { ...shown.preview, ...Object.fromEntries(none) } }
}
