/** Posts an event to the owner, without personal data. True if it arrived, or no webhook is set. */
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
