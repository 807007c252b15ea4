type Scalar = string | number | boolean | null

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The fields that a preview showed and whose value in the result is another, as paths:
 * `start_time`, `booking.end_time`.
 */
export function differences(
  preview: object,
  result: object,
  except: readonly string[] = [],
  path = '',
): string[] {
  const made = new Map<string, unknown>(Object.entries(result))
  return Object.entries(preview).flatMap(([name, shown]: [string, unknown]) => {
    if (except.includes(name) || !made.has(name)) return []
    const is = made.get(name)
    if (shown === is) return []
    if (isObject(shown) && isObject(is)) return differences(shown, is, except, `${path}${name}.`)
    return isScalar(shown) && isScalar(is) ? [path + name] : []
  })
}
