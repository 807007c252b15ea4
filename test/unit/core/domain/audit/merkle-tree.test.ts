import { createHash } from 'node:crypto'

import { expect, test, vi } from 'vitest'

import {
  TILE,
  leafHash,
  merkleTree,
  merkleTreeOf,
  provesInclusion,
} from '../../../../../src/core/domain/audit/merkle-tree.ts'
import { randomFrom } from '../../../../support/random.ts'

const digest = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest())

const leaves = Array.from({ length: 600 }, (_, index) => Buffer.from(`entry ${index}`))
const hashes = leaves.map((leaf) => digest(Uint8Array.of(0), leaf))

/** RFC 6962 section 2.1, word for word. */
function naiveRoot(list: readonly Uint8Array[]): Uint8Array {
  if (list.length === 0) return digest()
  if (list.length === 1) return list[0]!
  let k = 1
  while (2 * k < list.length) k *= 2
  return digest(Uint8Array.of(1), naiveRoot(list.slice(0, k)), naiveRoot(list.slice(k)))
}

const roots = Array.from({ length: 601 }, (_, size) => naiveRoot(hashes.slice(0, size)))
const tree = merkleTreeOf(hashes)
const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 255, 256, 257, 511, 512, 513, 600]

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))

test('the root over 0 to 600 leaves is that of the recursion in RFC 6962', async () => {
  for (let size = 0; size <= 600; size += 1) expect(await tree.root(size)).toEqual(roots[size])
})

test('a leaf is hashed behind a zero byte, so that no node passes for a leaf', async () => {
  expect(await leafHash(leaves[3]!)).toEqual(hashes[3])
})

test('every leaf of a tree has a proof, and it proves no other leaf, index, size or root', async () => {
  for (const size of sizes) {
    const root = roots[size]!
    for (const index of new Set(
      [0, 1, size >> 1, size - 2, size - 1].filter((one) => one in hashes),
    )) {
      if (index >= size) continue
      const proof = await tree.inclusionProof(index, size)
      const leaf = hashes[index]!
      expect(await provesInclusion(proof, leaf, index, { size, root })).toBe(true)
      expect(await provesInclusion(proof, leaf, index + 1, { size, root })).toBe(false)
      expect(await provesInclusion(proof, leaf, size, { size, root })).toBe(false)
      expect(await provesInclusion(proof, flipped(leaf, 7), index, { size, root })).toBe(false)
      expect(await provesInclusion([...proof, root], leaf, index, { size, root })).toBe(false)
      expect(await provesInclusion(proof, leaf, index, { size, root: roots[size - 1]! })).toBe(
        false,
      )
      if (proof.length > 0)
        expect(await provesInclusion(proof.slice(1), leaf, index, { size, root })).toBe(false)
    }
  }
})

test('no proof with a flipped bit verifies', async () => {
  const random = randomFrom(6962)
  for (let run = 0; run < 300; run += 1) {
    const size = random.int(2, 600)
    const whole = { size, root: roots[size]! }
    const index = random.int(0, size - 1)
    const proof = await tree.inclusionProof(index, size)
    const at = random.int(0, proof.length - 1)
    const bit = random.int(0, 255)
    const wrong = proof.map((hash, place) => (place === at ? flipped(hash, bit) : hash))
    expect(await provesInclusion(wrong, hashes[index]!, index, whole)).toBe(false)
  }
})

test('a proof is asked for only of a leaf that is there', async () => {
  await expect(tree.inclusionProof(3, 3)).rejects.toThrow('no such leaf')
  await expect(tree.inclusionProof(-1, 3)).rejects.toThrow('no such leaf')
  await expect(tree.inclusionProof(NaN, 3)).rejects.toThrow('no such leaf')
})

test('with the roots of complete tiles at hand, a proof reads the leaf hashes of at most two tiles', async () => {
  const read = new Set<number>()
  const tiled = merkleTree((level, n) => {
    if (level === 0) {
      read.add(Math.floor(n / TILE))
      return hashes[n]
    }
    return level === 8 ? naiveRoot(hashes.slice(n * TILE, (n + 1) * TILE)) : undefined
  })
  const root = roots[600]!
  const proof = await tiled.inclusionProof(300, 600)
  expect(await provesInclusion(proof, hashes[300]!, 300, { size: 600, root })).toBe(true)
  expect(read).toEqual(new Set([1, 2]))
})

test('a tree of 20,000 leaves is hashed in time that grows with its size', async () => {
  const hashing = vi.spyOn(crypto.subtle, 'digest')
  const many = Array.from({ length: 20_000 }, (_, index) => hashes[index % 600]!)
  const large = merkleTreeOf(many)
  const root = await large.root(many.length)
  expect(hashing).toHaveBeenCalledTimes(many.length - 1)
  const proof = await large.inclusionProof(17_777, many.length)
  expect(hashing.mock.calls.length).toBeLessThan(many.length + 60)
  hashing.mockRestore()
  expect(await provesInclusion(proof, many[17_777]!, 17_777, { size: many.length, root })).toBe(
    true,
  )
})
