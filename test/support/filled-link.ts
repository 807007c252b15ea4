import { expect } from 'vitest'

import type { Browser } from './browser.ts'
import { changed } from './rest-changes.ts'

/** A client of a link, as they type it. */
export interface LinkClient {
  name: string
  email: string
}

/** Makes a link under the key of its maker. */
export async function linkMade(at: string, apiKey: string, fields: object) {
  const { text } = await changed(at, '/v1/client-links', fields, { apiKey })
  const { result } = JSON.parse(text) as { result: { url: string; link_id: string } }
  return { ...result, path: new URL(result.url).pathname }
}

/** What a client types into the form of a link for a consult. */
export const typedBy = ({ name, email }: LinkClient, start_time: string): [string, string][] => [
  ['name', name],
  ['email', email],
  ['email_again', email],
  ['start_time', start_time],
  ['step', 'check'],
]

/** A client fills the form of a link for a consult in, and sends it; the time that was booked. */
export async function completeLink(
  client: Browser,
  path: string,
  who: LinkClient,
): Promise<string> {
  const form = await client.open(path)
  const [, start_time = ''] = /name="start_time" value="([^"]+)"/.exec(form.html) ?? []
  const check = await client.submit(path, typedBy(who, start_time))
  const sent = await client.submit(path, [...check.form(path), ['step', 'send']])
  expect(sent.status, check.html).toBe(303)
  expect((await client.open(path)).html).toContain('Booked')
  return start_time
}
