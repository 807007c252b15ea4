/** The result of a promise, or `late` if it takes longer. The promise itself continues. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The result of work that a signal breaks off after so many milliseconds, with a `TimeoutError`. Unlike the signal of
 * `AbortSignal.timeout`, it leaves no timer behind that would keep a Durable Object awake after the work.
 */
export async function abortedAfter<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
