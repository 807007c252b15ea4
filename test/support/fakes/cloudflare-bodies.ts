import type { FakeAnswer, FakeRequest } from './http.ts'

/** A binding as the API tells it; a secret comes without its text. */
export interface UploadedBinding {
  name: string
  type: string
  text?: string
  namespace_id?: string
  class_name?: string
  bucket_name?: string
}

/** The part of an upload that says what the script is bound to. */
export interface UploadMetadata {
  main_module?: string
  bindings: UploadedBinding[]
  keep_bindings?: string[]
  migrations?: { old_tag?: string; new_tag: string; steps: { new_sqlite_classes?: string[] }[] }
}

export const ok = (result: unknown): FakeAnswer => ({
  status: 200,
  body: { success: true, result, errors: [], messages: [] },
})

/** A refusal in the envelope of the API. */
export const failed = (status: number, code: number, message: string): FakeAnswer => ({
  status,
  body: { success: false, result: null, errors: [{ code, message }], messages: [] },
})

export const BAD_TOKEN = failed(403, 9109, 'Invalid access token')
export const NO_WORKER = failed(404, 10007, 'This Worker does not exist on your account.')
export const NO_SUBDOMAIN = failed(404, 10007, 'You have not registered a workers.dev subdomain.')
export const SUBDOMAIN_FREE = failed(404, 10032, 'Subdomain is available')
export const SUBDOMAIN_TAKEN = failed(409, 10031, 'Subdomain is unavailable')
export const TITLE_TAKEN = failed(
  400,
  10014,
  'a namespace with this account ID and title already exists',
)
export const NO_R2 = failed(403, 10042, 'Please enable R2 through the Cloudflare Dashboard.')
export const NO_BUCKET = failed(404, 10006, 'The specified bucket does not exist.')
export const BUCKET_THERE = failed(
  409,
  10004,
  'The bucket you tried to create already exists, and you own it.',
)
export const TOO_MANY = failed(
  429,
  10429,
  'Rate limited. Please wait and consider throttling your request speed',
)

/** What an upload of a script holds: the metadata, and the text of its main module. */
export async function formOf({
  text,
  headers,
}: FakeRequest): Promise<{ metadata: UploadMetadata; script: string }> {
  const form = await new Response(text, {
    headers: { 'Content-Type': headers['content-type'] ?? '' },
  }).formData()
  const metadata = JSON.parse(await textOf(form.get('metadata'))) as UploadMetadata
  return { metadata, script: await textOf(form.get(metadata.main_module ?? '')) }
}

const textOf = async (part: File | string | null): Promise<string> =>
  part instanceof File ? part.text() : (part ?? '')
