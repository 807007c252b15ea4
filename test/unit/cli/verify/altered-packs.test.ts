import { expect, test } from 'vitest'

import { verifyPack } from '../../../../src/cli/verify/verify.ts'
import { alteredPacks } from '../../../support/altered-packs.ts'

test('each of 80 altered packs is found out, and the pack that they were made from is good', async () => {
  const { good, key, held, altered } = await alteredPacks(80)
  const isGood = async (text: string): Promise<boolean> => {
    const compared = { key, held: [{ name: 'held.txt', text: held }] }
    return (await verifyPack(new TextEncoder().encode(text), compared)).isGood
  }
  expect(await isGood(good)).toBe(true)
  const missed: string[] = []
  for (const { how, text } of altered) if (text === good || (await isGood(text))) missed.push(how)
  expect(missed).toEqual([])
})
