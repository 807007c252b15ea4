/** How far apart changes begin while something is sent, in milliseconds, and how long one is put off at most. */
const APART = 4
const LONGEST_WAIT = 100

let deliveries = 0
/** When the latest change begins, in epoch milliseconds. */
let latest = 0

/** Sends something, and has the changes of this isolate begin one after the other meanwhile. */
export async function sending<T>(send: () => Promise<T>): Promise<T> {
  deliveries += 1
  try {
    return await send()
  } finally {
    deliveries -= 1
  }
}

/**
 * Waits until a change may begin: at once, unless this isolate sends something. The local runtime has one thread, which
 * looks at its connections only when nothing else is left to do: many changes that begin together would hold up the answer
 * to a delivery until they have ended, and so the next one. Each change waits for a timer of its own, since no object may
 * depend on another one to wake it.
 */
export async function ownTurn(): Promise<void> {
  if (deliveries === 0) return
  const now = Date.now()
  latest = Math.min(Math.max(latest, now) + APART, now + LONGEST_WAIT)
  await new Promise((resolve) => setTimeout(resolve, latest - now))
}
