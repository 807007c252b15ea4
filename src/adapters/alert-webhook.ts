/** Posts an event to the owner; nothing personal is in it. True if it arrived, or nobody asked for it. */
export async function postAlert(url: string | undefined, event: object, timeoutMs: number): Promise<boolean> {
  if (url === undefined) return true
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  })
  return response.ok
}
