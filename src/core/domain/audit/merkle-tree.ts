/** SHA-256 of bytes. Every runtime has it: Workers, Node and browsers. */
export const sha256Bytes = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))

/** How many leaves make one tile: a complete subtree whose leaf hashes are stored together. */
export const TILE = 256
/** Both halves of a subtree of up to 2^8 leaves are hashed at once, those of a larger one in turn. */
const IN_PARALLEL = 8

/** The hash of `2 ** level` leaves from leaf `n * 2 ** level` on, if it is known; at level 0 it always is. */
type KnownHash = (
  level: number,
  n: number,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>

/** A Merkle tree (RFC 6962, RFC 9162): its root at any size, and the proof that a leaf is in it. */
export interface MerkleTree {
  root(size: number): Promise<Uint8Array>
  inclusionProof(index: number, size: number): Promise<Uint8Array[]>
}

/** The hash of a leaf in the tree. */
export function leafHash(leaf: Uint8Array): Promise<Uint8Array> {
  const bytes = new Uint8Array(1 + leaf.length)
  bytes.set(leaf, 1)
  return sha256Bytes(bytes)
}

function nodeHash(left: Uint8Array, right: Uint8Array): Promise<Uint8Array> {
  const bytes = new Uint8Array(1 + left.length + right.length)
  bytes[0] = 1
  bytes.set(left, 1)
  bytes.set(right, 1 + left.length)
  return sha256Bytes(bytes)
}

/** A tree over known hashes. It hashes each complete subtree once, so that roots and proofs stay cheap. */
export function merkleTree(known: KnownHash): MerkleTree {
  const computed: Map<number, Uint8Array>[] = []

  async function subtree(level: number, n: number): Promise<Uint8Array> {
    const before = computed[level]?.get(n) ?? (await known(level, n))
    if (before) return before
    if (level === 0) throw new Error('a leaf hash is missing')
    const left = subtree(level - 1, 2 * n)
    if (level > IN_PARALLEL) await left
    const hash = await nodeHash(...(await Promise.all([left, subtree(level - 1, 2 * n + 1)])))
    ;(computed[level] ??= new Map()).set(n, hash)
    return hash
  }

  /** The hash of `count` leaves from a multiple of the next power of two on. */
  async function range(from: number, count: number): Promise<Uint8Array> {
    if (count === 0) return sha256Bytes(new Uint8Array())
    const level = Math.ceil(Math.log2(count))
    if (2 ** level === count) return subtree(level, from / count)
    const half = 2 ** (level - 1)
    return nodeHash(await range(from, half), await range(from + half, count - half))
  }

  async function path(index: number, from: number, count: number): Promise<Uint8Array[]> {
    if (count === 1) return []
    const half = 2 ** (Math.ceil(Math.log2(count)) - 1)
    return index < half
      ? [...(await path(index, from, half)), await range(from + half, count - half)]
      : [...(await path(index - half, from + half, count - half)), await range(from, half)]
  }

  return {
    root: (size) => range(0, size),
    async inclusionProof(index, size) {
      if (!(index >= 0 && index < size))
        throw new Error('there is no such leaf in a tree of this size')
      return path(index, 0, size)
    },
  }
}

/** A tree over leaf hashes that are all in memory. */
export const merkleTreeOf = (leafHashes: readonly Uint8Array[]): MerkleTree =>
  merkleTree((level, n) => (level === 0 ? leafHashes[n] : undefined))

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

const isOdd = (number: number) => number % 2 === 1
const halved = (number: number) => Math.floor(number / 2)

/** Whether a proof shows that a leaf with this hash is in the tree (RFC 9162 section 2.1.3.2). */
export async function provesInclusion(
  proof: readonly Uint8Array[],
  leaf: Uint8Array,
  index: number,
  { size, root }: { size: number; root: Uint8Array },
): Promise<boolean> {
  if (!(index >= 0 && index < size)) return false
  let [node, last, hash] = [index, size - 1, leaf]
  for (const other of proof) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      hash = await nodeHash(other, hash)
      while (!isOdd(node) && node !== 0) [node, last] = [halved(node), halved(last)]
    } else hash = await nodeHash(hash, other)
    ;[node, last] = [halved(node), halved(last)]
  }
  return last === 0 && isSame(hash, root)
}
