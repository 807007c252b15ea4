import type { Unresolved } from '../ports/index.ts'

/** Posts to the owner that an operation needs a person; nothing personal is in it. True if it arrived, or nobody asked for it. */
export async function postAlert(
  url: string | undefined,
  unresolved: Unresolved,
  timeoutMs: number,
): Promise<boolean> {
  if (url === undefined) return true
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ event: 'needs_attention', ...unresolved }),
  })
  return response.ok
}
