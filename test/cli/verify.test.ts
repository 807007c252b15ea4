import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERIFY_PAGE } from '../../src/cli/verify-page/build.ts'
import { reportFor } from '../../src/cli/verify.ts'
import { alteredPacks } from '../support/altered-packs.ts'
import { change, packOf } from '../support/audit-pack.ts'
import { NOTE_VECTOR } from '../support/note-vector.ts'
import { findChromium, openChromium } from '../support/chromium.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const fileOf = (name: string, text: string): string => {
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}

function run(...args: string[]): { text: string; code: number | null } {
  const node = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  const { stdout, stderr, status } = spawnSync(process.execPath, [...node, 'src/cli/verify.ts', ...args], {
    encoding: 'utf8',
  })
  return { text: stdout + stderr, code: status }
}

describe('npm run verify', () => {
  test('says that nothing is wrong with a good pack, writes its changes, and ends with what is not proved', async () => {
    const { text, vkeys, receipt } = await packOf([...change(0), ...change(1)])
    const csv = join(folder.path, 'changes.csv')
    const held = fileOf('mine.tlog-proof', await receipt(1, 3))
    const args = [fileOf('good.jsonl', text), '--key', vkeys[0]!, '--held', held, '--csv', csv]
    const said = run(...args)
    expect(said.code).toBe(0)
    expect(said.text).toContain('✓ Held       mine.tlog-proof: the first 3 entries are unchanged')
    expect(said.text.indexOf('Nothing is wrong')).toBeLessThan(said.text.indexOf('What this does not prove:'))
    expect(readFileSync(csv, 'utf8')).toContain('"bk_mock_1"')
    expect(run(...args)).toMatchObject({
      code: 1,
      text: expect.stringContaining('must not be there already'),
    })
  })

  test('writes each timestamp beside its checkpoint, for openssl', async () => {
    const { text, checkpoint } = await packOf([...change(0), ...change(1)], {
      anchors: [{ size: 2 }, { size: 3 }],
    })
    const into = join(folder.path, 'timestamps')
    const said = run(fileOf('anchored.jsonl', text), '--timestamps', into)
    expect(said).toMatchObject({ code: 0, text: expect.stringContaining('openssl ts -verify') })
    const note = readFileSync(join(into, '2.checkpoint'), 'utf8')
    expect(note).toBe(await checkpoint(3))
    expect(readFileSync(join(into, '2.tsr')).includes(createHash('sha256').update(note).digest())).toBe(true)
  })

  test('ends with code 1 where a pack is not good, and shows no control character of it', async () => {
    const { text } = await packOf(change(0))
    const steering = text.replace('"callers":[]', '"callers":[{"caller":"key:one","name":"\\u001b[2J"}]')
    const said = run(fileOf('bad.jsonl', steering.replace('bk_mock_0', 'bk_mock_1')))
    expect(said.code).toBe(1)
    expect(said.text).toContain('✗ Checkpoint')
    expect(said.text).toContain('key:one (?[2J)')
  })

  test('says so where a file cannot be read, or none is named', () => {
    expect(run('nothing.jsonl')).toEqual({
      code: 1,
      text: 'The file nothing.jsonl cannot be read. Check its name.\n',
    })
    expect(run()).toMatchObject({ code: 1, text: expect.stringContaining('npm run verify -- <pack.jsonl>') })
  })
})

/** The second implementation, as docs/audit.md shows it. */
const [, python = ''] = /```python\n([^]*?)```/.exec(readFileSync('docs/audit.md', 'utf8')) ?? []
const hasPython = spawnSync('python3', ['--version']).status === 0

/** What the Python says of each of these packs, in one process. */
function byPython(packs: readonly string[], key: string, held: string): boolean[] {
  fileOf('second.py', python)
  const code = `import json, sys, second
def good(path):
    try: return bool(second.verify(path, sys.argv[1], sys.argv[2:3]) or True)
    except second.FAULTS: return False
print(json.dumps([good(path) for path in json.load(sys.stdin)]))`
  const { stdout } = spawnSync('python3', ['-c', code, key, held], {
    cwd: folder.path,
    input: JSON.stringify(packs),
    encoding: 'utf8',
  })
  return JSON.parse(stdout) as boolean[]
}

describe.runIf(hasPython)('the Python of docs/audit.md', () => {
  test('finds nothing wrong with a good pack, and names what is wrong with an altered one', async () => {
    const { text, vkeys } = await packOf([...change(0), ...change(1)], { anchors: [{ size: 2 }] })
    const script = fileOf('verify.py', python)
    const python3 = (...args: string[]) => spawnSync('python3', [script, ...args], { encoding: 'utf8' })
    const good = python3(fileOf('good.jsonl', text), vkeys[0]!)
    expect([good.stdout, good.status]).toEqual(['Nothing is wrong with these 4 entries.\n', 0])
    const bad = python3(fileOf('bad.jsonl', text.replace('bk_mock_1', 'bk_mock_2')))
    expect([bad.stderr, bad.status]).toEqual([
      'THIS PACK IS NOT GOOD: these are not the entries that were signed\n',
      1,
    ])
  })

  test('agrees with the test vector: its root, its key and its signature, and no other', () => {
    const { origin, leaves, vkey, note } = NOTE_VECTOR
    fileOf('second.py', python)
    const code = `import json, sys, second
origin, leaves, vkey, note = json.load(sys.stdin)
def signed(leaves, note):
    try: return second.signers(note, origin, [second.sha(b"\\0" + leaf.encode()) for leaf in leaves], [vkey]) == ({vkey}, 3)
    except second.FAULTS as fault: return str(fault)
print(json.dumps([signed(leaves, note), signed([*leaves[:2], "d"], note), signed(leaves, note.replace("R3IB1Ak=", "R3IB1Ag="))]))`
    const { stdout, stderr } = spawnSync('python3', ['-c', code], {
      cwd: folder.path,
      input: JSON.stringify([origin, leaves, vkey, note]),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([true, 'these are not the entries that were signed', 'signature'])
  })
})

const chromium = await findChromium()

describe.runIf(hasPython && chromium !== undefined)('over 200 altered packs', { tags: ['slow'] }, () => {
  let altered: Awaited<ReturnType<typeof alteredPacks>>
  let paths: string[]
  beforeAll(async () => {
    altered = await alteredPacks(200)
    paths = [altered.good, ...altered.altered.map(({ text }) => text)].map((text, nth) =>
      fileOf(`${nth}.jsonl`, text),
    )
  })

  test('page, command and Python agree: the original is good, and none of the others', async () => {
    const held = fileOf('held.txt', altered.held)
    const expected = [true, ...altered.altered.map(() => false)]

    const byCommand: boolean[] = []
    for (const path of paths) {
      const { report } = await reportFor([path, '--key', altered.key, '--held', held])
      byCommand.push(report.isGood)
    }
    expect(byCommand).toEqual(expected)
    expect(byPython(paths, altered.key, held)).toEqual(expected)

    const window = await openChromium(chromium!)
    try {
      const page = await window.context.newPage()
      await page.goto(pathToFileURL(VERIFY_PAGE).href)
      await page.setInputFiles('#held', held)
      await page.fill('#key', altered.key)
      const byPage: (string | null)[] = []
      for (const path of paths) {
        await page.setInputFiles('#pack', path)
        await page.click('#check')
        byPage.push(await page.locator('#result h2').first().textContent())
      }
      expect(byPage).toEqual(
        expected.map((good) => (good ? '✓ Nothing is wrong with this pack' : '✗ This pack is not good')),
      )
    } finally {
      await window.close()
    }
  })
})
