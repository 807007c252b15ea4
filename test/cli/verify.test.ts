// @module-tag slow

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { START, change, packOf, retention } from '../support/audit-pack.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const fileOf = (name: string, text: string): string => {
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runCommand('verify', args)
  return { code, text: stdout + stderr }
}

describe('npm run verify', () => {
  test('says that nothing is wrong with a good pack, writes its changes, and ends with what is not proved', async () => {
    const { text, vkeys, receipt } = await packOf([...change(0), ...change(1)])
    const csv = join(folder.path, 'changes.csv')
    const held = join(folder.path, 'mine.tlog-proof')
    // As PowerShell writes it.
    writeFileSync(held, `\uFEFF${await receipt(1, 3)}`, 'utf16le')
    const args = [fileOf('good.jsonl', text), '--key', vkeys[0]!, '--held', held, '--csv', csv]
    const said = await run(...args)
    expect(said.code).toBe(0)
    expect(said.text).toContain('✓ Held       mine.tlog-proof: the first 3 entries are unchanged')
    expect(said.text.indexOf('Nothing is wrong')).toBeLessThan(
      said.text.indexOf('What this does not prove:'),
    )
    expect(readFileSync(csv, 'utf8')).toContain('"bk_mock_1"')
    expect(await run(...args)).toMatchObject({
      code: 1,
      text: expect.stringContaining('changes.csv cannot be written (EEXIST).\n  Name a new file'),
    })
  })

  test('ends with code 1 where a pack is not good, and shows no control character of it', async () => {
    const { text } = await packOf(change(0))
    const steering = text.replace(
      '"callers":[]',
      '"callers":[{"caller":"key:one","name":"\\u001b[2J"}]',
    )
    const said = await run(fileOf('bad.jsonl', steering.replace('bk_mock_0', 'bk_mock_1')))
    expect(said.code).toBe(1)
    expect(said.text).toContain('✗ Checkpoint')
    expect(said.text).toContain('key:one (?[2J)')
  })

  test('takes the time for which a log keeps its entries from who checks', async () => {
    const { text } = await packOf([...change(-2300), retention(START, 2), ...change(1)], {
      droppedBelow: 2,
    })
    const pack = fileOf('hidden.jsonl', text)
    expect((await run(pack, '--retention-days', '2193')).text).toContain('THIS PACK IS NOT GOOD')
    expect(await run(pack, '--retention-days', '6 years')).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        '✗ --retention-days is a whole number of days, 1 or more.\n  npm run verify --',
      ),
    })
  })

  test('says so where a file cannot be read, or none is named', async () => {
    expect(await run('nothing.jsonl')).toEqual({
      code: 1,
      text: '\n✗ The file nothing.jsonl cannot be read. Check its name.\n',
    })
    expect(await run()).toMatchObject({
      code: 1,
      text: expect.stringContaining('npm run verify -- <pack.jsonl>'),
    })
  })
})
