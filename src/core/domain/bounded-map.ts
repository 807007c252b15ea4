/** A map that drops its oldest entry when it is full. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#max) this.delete(this.keys().next().value as K)
    return this
  }
}

/** What this makes of the texts used last: callers name zones and currencies, so it is bounded. */
export function remembered<T>(max: number, make: (key: string) => T): (key: string) => T {
  const known = new BoundedMap<string, T>(max)
  return (key) => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}
