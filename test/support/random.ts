/** The one source of chance of a run: the same seed gives the same run. */
export interface Random {
  chance(probability: number): boolean
  /** A whole number, `least` and `most` included. */
  int(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** One of the choices, each as likely as its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T
  /** So many random bytes. */
  bytes(count: number): ReturnType<typeof Buffer.from>
}

/** A small fast generator (sfc32) over a seed. */
export function randomFrom(seed: number): Random {
  let a = 0x9e3779b9 ^ seed
  let b = 0x243f6a88 + seed
  let c = 0xb7e15162
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let warm = 0; warm < 15; warm++) next()
  const unit = () => next() / 0x1_0000_0000

  return {
    chance: (probability) => unit() < probability,
    int: (least, most) => least + Math.floor(unit() * (most - least + 1)),
    pick: (list) => list[Math.floor(unit() * list.length)]!,
    weighted(choices) {
      let left = unit() * choices.reduce((sum, [weight]) => sum + weight, 0)
      return (choices.find(([weight]) => (left -= weight) < 0) ?? choices[0]!)[1]
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => next() & 255)),
  }
}
