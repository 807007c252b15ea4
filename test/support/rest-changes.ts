import { expect } from 'vitest'

import { OWNER_KEY } from './connector.ts'

/** A change that was committed, or refused, over REST. */
export interface Change {
  path: string
  key: string
  fields: object
  /** The answer to its commit, byte for byte. */
  text: string
}

const AT_ONCE = 8

/** Asks as a caller with a key, without the contract that `startConnector` holds each answer against: a test asks often. */
export async function asked(
  url: string,
  { path, key, fields }: { path: string; key?: string; fields?: object },
  apiKey = OWNER_KEY,
) {
  const answer = await fetch(new URL(path, url), {
    method: fields ? 'POST' : 'GET',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(fields && { 'Content-Type': 'application/json' }),
    },
    body: fields ? JSON.stringify(fields) : null,
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { status: answer.status, bytes, text: new TextDecoder().decode(bytes) }
}

/** Previews a change and commits it, which has to be answered with this status. */
export async function changed(
  url: string,
  path: string,
  fields: object,
  { expected = 200, apiKey = OWNER_KEY } = {},
): Promise<Change> {
  const key = crypto.randomUUID()
  const preview = await asked(url, { path, key, fields: { ...fields, confirm: false } }, apiKey)
  const { confirmation_token } = JSON.parse(preview.text) as { confirmation_token: string }
  const change = { path, key, fields: { ...fields, confirm: true, confirmation_token } }
  const { status, text } = await asked(url, change, apiKey)
  expect(status, text).toBe(expected)
  return { ...change, text }
}

/** Does the work some at a time. */
export async function each<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let begun = 0
  const next = async (): Promise<void> => {
    while (begun < items.length) await work(items[begun++]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}
