import { abortedAfter } from '../with-timeout.ts'

/** Posts an event to the owner, without personal data. True if it arrived, or no webhook is set. */
export async function postAlert(url: string | undefined, event: object, timeoutMs: number): Promise<boolean> {
  if (url === undefined) return true
  const headers = { 'Content-Type': 'application/json' }
  const init = { method: 'POST', redirect: 'manual', headers, body: JSON.stringify(event) } as const
  const { ok } = await abortedAfter(timeoutMs, (signal) => fetch(url, { ...init, signal }))
  return ok
}
