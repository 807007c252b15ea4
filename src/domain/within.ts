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
