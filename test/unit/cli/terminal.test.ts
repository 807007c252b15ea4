import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs, stripVTControlCharacters } from 'node:util'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { CliError, UsageError, runCommand, terminalOn } from '../../../src/cli/command.ts'

const printedOn = (isTTY: boolean): string => {
  let printed = ''
  terminalOn({ isTTY, write: (text) => (printed += text) }).qr('https://connector.example.com')
  return printed
}

test('a QR code is drawn for a person at a terminal, dark on light, with a light edge', () => {
  const rows = printedOn(true).trim().split('\n')
  for (const row of rows)
    expect(row.startsWith('\u001B[30;107m') && row.endsWith('\u001B[0m')).toBe(true)
  const drawn = rows.map(stripVTControlCharacters)
  expect(drawn.some((row) => row.includes('█'))).toBe(true)
  for (const edge of [...drawn.slice(0, 2), ...drawn.slice(-2)]) expect(edge.trim()).toBe('')
  for (const row of drawn) expect(row).toMatch(/^ {4}.* {4}$/)
})

test('a QR code is never printed into a file or the log of a build', () => {
  expect(printedOn(false)).toBe('')
})

describe('a command that fails', () => {
  /** What it prints on a terminal without colours. */
  async function printed(command: () => unknown, usage = 'The usage.'): Promise<string> {
    onTestFinished(() => void (process.exitCode = undefined))
    let text = ''
    const terminal = terminalOn({ write: (more) => (text += more) })
    await runCommand(usage, async () => void (await command()), terminal)
    expect(process.exitCode).toBe(1)
    return text
  }
  const options = { name: { type: 'string' }, json: { type: 'boolean', short: 'j' } } as const
  const parsing = (...args: string[]) => printed(() => parseArgs({ args, options }))

  test('because of its command line says first what is wrong, then its usage', async () => {
    expect(await printed(() => Promise.reject(new UsageError('Name one client.')))).toBe(
      '\n✗ Name one client.\n  The usage.\n',
    )
  })

  test.each([
    [['--planted'], 'There is no option --planted.'],
    [['-x'], 'There is no option -x.'],
    [['--ccn_Planted1'], 'There is no option with one of these names.'],
    [['--name'], 'The option --name needs a value.'],
    [['--name', '--json'], 'The option --name needs a value.'],
    [['--json=planted'], 'The option --json takes no value.'],
    [['planted'], 'This command takes only options, and each begins with --.'],
  ] as const)('names the option that is wrong in %j', async (args, wrong) => {
    expect(await parsing(...args)).toBe(`\n✗ ${wrong}\n  The usage.\n`)
  })

  test('does nothing where npm kept one of its options for itself', async () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('npm_lifecycle_event', 'deploy')
    vi.stubEnv('npm_config_dry_run', 'true')
    let isRun = false
    const run = () => void (isRun = true)
    expect(await printed(run, '  --dry-run  shows what would be done')).toBe(
      '\n✗ npm kept --dry-run for itself, so the command did not get it; nothing was done.\n' +
        '  Put -- before the options: npm run deploy -- --dry-run\n',
    )
    expect(isRun).toBe(false)
  })

  test('because of a file names it, and what to look at', async () => {
    expect(await printed(() => readFileSync('nowhere/.deploy.env'))).toMatch(
      /^\n✗ A file could not be read or written\. ENOENT.*'nowhere\/\.deploy\.env'\n {2}Check that/,
    )
    const program = await printed(() => Promise.reject(spawnSync('nowhere').error!))
    expect(program).toMatch(/^\n✗ spawnSync nowhere ENOENT\n {2}Run it again/)
  })

  test('for another reason prints its own next step, and no control characters', async () => {
    const thrown = new CliError('It is \u001B[31mred.', 'Do \u001B[2Jthis.')
    expect(await printed(() => Promise.reject(thrown))).toBe('\n✗ It is red.\n  Do this.\n')
  })
})
