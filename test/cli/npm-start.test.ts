// @module-tag slow

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'

import { freshClone } from './clone.ts'

/** Each look at the processes of this machine takes longer than most of what is waited for. */
const NOW_AND_THEN = { interval: 250 }

/** Without npm, so that the signals of a supervisor reach the connector itself. */
const WITHOUT_NPM = [process.execPath, '--experimental-strip-types', 'src/cli/serve.ts'] as const

describe('npm start, as a person or a supervisor runs it', () => {
  const clone = freshClone()
  afterAll(() => clone.remove())
  let child: ChildProcess | undefined
  afterEach(() => {
    if (child && runningIn(child.pid!) > 0) process.kill(-child.pid!, 'SIGKILL')
  })

  /** A command in a process group of its own, and all that it prints. */
  function start(
    port: number,
    [command, ...args]: readonly [string, ...string[]] = ['npm', 'start'],
  ) {
    const env = { ...clone.environment, PORT: String(port) }
    child = spawn(command, args, {
      cwd: clone.root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (text) => (output += String(text)))
    return { child, group: child.pid!, output: () => output }
  }

  const isUp = (url: string): Promise<boolean> =>
    fetch(new URL('/health', url)).then(
      ({ ok }) => ok,
      () => false,
    )

  test.each([
    [
      'npm start',
      'a SIGTERM that npm passes on to its shell alone',
      'SIGTERM',
      ['npm', 'start'],
      'alone',
    ],
    ['npm start', 'a SIGKILL that npm cannot pass on', 'SIGKILL', ['npm', 'start'], 'alone'],
    ['npm start', 'Ctrl+C at a terminal', 'SIGINT', ['npm', 'start'], 'whole group'],
    ['the same without npm', 'SIGINT', 'SIGINT', WITHOUT_NPM, 'alone'],
    ['the same without npm', 'SIGTERM', 'SIGTERM', WITHOUT_NPM, 'alone'],
  ] as const)('%s ends whole by %s', async (_command, _how, signal, command, whom) => {
    // As a disk that was full leaves it.
    const storage = join(clone.root, '.wrangler/state/connector')
    mkdirSync(storage, { recursive: true })
    writeFileSync(join(storage, 'trial-key'), '')
    const { group, output } = start(0, command)
    await expect.poll(output).toContain('One line per request follows.')
    expect(output()).toContain('Bearer ccn_')
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output()) ?? []
    expect(await isUp(url)).toBe(true)
    process.kill(whom === 'alone' ? group : -group, signal)
    await expect.poll(() => runningIn(group), NOW_AND_THEN).toBe(0)
    expect(await isUp(url)).toBe(false)
  })

  test('ends by SIGTERM while it is still being bundled', async () => {
    const { group, output } = start(0)
    await expect.poll(output).toContain('Starting the consult connector')
    process.kill(group, 'SIGTERM')
    await expect.poll(() => runningIn(group), NOW_AND_THEN).toBe(0)
    expect(output()).not.toContain('is running on')
  })

  test('npm run dev serves what is written, keeps the last that compiled, and ends with npm', async () => {
    const { group, output } = start(0, ['npm', 'run', 'dev'])
    await expect.poll(output).toContain('One line per request follows.')
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output()) ?? []
    const reloads = () => output().split('Reloaded in').length - 1
    const source = join(clone.root, 'src/api/discovery/well-known.ts')
    const before = readFileSync(source, 'utf8')
    const robots = async () => (await fetch(new URL('/robots.txt', url))).text()

    // As editors save: another file takes the place of the old one.
    const changed = join(clone.home, 'changed.ts')
    writeFileSync(changed, before.replace('User-agent', 'Reloaded-agent'))
    renameSync(changed, source)
    await expect.poll(reloads).toBeGreaterThan(0)
    const times = reloads()
    expect(await robots()).toContain('Reloaded-agent')

    writeFileSync(source, 'export const = ')
    await expect.poll(output).toContain('ERROR')
    expect(await robots()).toContain('Reloaded-agent')

    writeFileSync(source, before)
    // A look between the two steps of such a write bundles it twice.
    await expect.poll(reloads).toBeGreaterThan(times)
    expect(await robots()).not.toContain('Reloaded-agent')
    process.kill(group, 'SIGTERM')
    await expect.poll(() => runningIn(group), NOW_AND_THEN).toBe(0)
  })

  test('says that a port is in use, and which command takes another', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((listening) => other.once('listening', listening))
    const { port } = other.address() as { port: number }
    const started = start(port)
    const code = await new Promise((resolve) => started.child.once('close', resolve))
    expect(code).toBe(1)
    expect(started.output()).toContain(
      `✗ Port ${port} is in use.\n  Stop what uses it, or choose another: PORT=`,
    )
    expect(started.output()).not.toContain('Cannot access')
  })
})

/** How many processes of a group are running; one that has ended and that no one has waited for is not. */
function runningIn(group: number): number {
  const lines = execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => new RegExp(`^\\s*${group}\\s+[^Z\\s]`).test(line)).length
}
