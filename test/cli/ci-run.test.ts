// @module-tag slow

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { temporaryFolder } from '../support/temporary-folder.ts'

/** Ends the shell that runs a part and those after it. */
const END_THE_SHELL = 'read -r _ _ _ shell _ < /proc/$PPID/stat; kill -9 "$shell"'

/**
 * An npm whose tests are as counted, and of which the scripts fail that `failing` names, by themselves or as `how` says; what
 * it prints says which ran.
 */
const npm = (
  { passed, failed }: { passed: number; failed: number },
  failing: string[],
  how: string,
) =>
  `#!/bin/sh
echo "npm $*"
case "$*" in
  "test --"*) for given; do case "$given" in --outputFile.json=*)
    echo '{"numPassedTests":${passed},"numFailedTests":${failed}}' > "\${given#*=}";; esac; done;;
esac
case "npm $*" in ${failing.map((what) => `*"${what}"*) ${how};;`).join(' ')} esac
`

const ALL_WELL = { passed: 12, failed: 0 }

describe('.ci/run', () => {
  /** Its last line, and whether it failed, with this npm. */
  function lastLine(counted: typeof ALL_WELL, failing: string[], how = 'exit 1') {
    const folder = temporaryFolder()
    onTestFinished(() => folder.remove())
    writeFileSync(join(folder.path, 'npm'), npm(counted, failing, how), { mode: 0o755 })
    // Else it would install one.
    writeFileSync(join(folder.path, 'chromium'), '', { mode: 0o755 })
    const env = { ...process.env, PATH: folder.path + delimiter + process.env['PATH'] }
    let output: string
    let isFailed = false
    try {
      output = execFileSync('.ci/run', { env, encoding: 'utf8' })
    } catch (thrown) {
      output = String((thrown as { stdout: string }).stdout)
      isFailed = true
    }
    return { output, said: [output.trimEnd().split('\n').at(-1), isFailed ? 'fails' : 'succeeds'] }
  }

  test('runs each of its parts, and ends with the count of the tests', () => {
    const { output, said } = lastLine(ALL_WELL, [])
    expect(said).toEqual(['12 passed, 0 failed', 'succeeds'])
    for (const part of ['types', 'lint', 'format -- --check', 'simulate', 'fuzz'])
      expect(output).toContain(`\nnpm run ${part}`)
    for (const part of ['ci', 'test --', 'exec --call vitest run'])
      expect(output).toContain(`\nnpm ${part}`)
    expect(output).toMatch(/\nnpm exec --call node .* test\/evals\/run\.ts --seeds 2/)
  })

  test('counts each part beside the slow tests that is ended from outside, and still says so', () => {
    const { said } = lastLine(ALL_WELL, ['test/evals/run.ts'], END_THE_SHELL)
    // The evals, and the fuzzed requests that would have come after them.
    expect(said).toEqual(['12 passed, 2 failed', 'fails'])
  })

  const BESIDE = ['run types', 'run fuzz']
  test.each([
    [
      'a test, a slow test and two of the parts beside it',
      { passed: 11, failed: 1 },
      ['npm test --', '--tags-filter=slow', ...BESIDE],
      '11 passed, 4 failed',
    ],
    ['a file of tests that does not load', ALL_WELL, ['npm test --'], '12 passed, 1 failed'],
    ['no test', { passed: 0, failed: 0 }, [], '0 passed, 1 failed'],
    ['the installation', ALL_WELL, ['npm ci'], '0 passed, 1 failed'],
  ])('fails by %s, and counts what failed', (_what, counted, failing, line) => {
    const { said } = lastLine(counted, failing)
    expect(said, 'A part that fails must fail the run.').toEqual([line, 'fails'])
  })
})
