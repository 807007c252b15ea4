/** What is settled already, or after as many `await`s, needs no timer. */
const TURNS = 4
const PENDING = Symbol()

async function pendingForNow(): Promise<typeof PENDING> {
  for (let turn = 0; turn < TURNS; turn++) await Promise.resolve()
  return PENDING
}

/** The result of a promise, or `late` if it takes longer. The promise itself continues. */
export async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  const soon = await Promise.race([promise, pendingForNow()])
  if (soon !== PENDING) return soon
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The result of work, which a signal aborts with a `TimeoutError` after `ms`. At its end, the signal
 * aborts what it has not read yet, so that no timer and no connection keeps a Durable Object awake.
 */
export async function abortedAfter<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}
