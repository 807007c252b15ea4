import { type ChildProcess, execFile } from 'node:child_process'

/** How a command ended, and what it printed. */
export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/**
 * Runs a command of `src/cli` as `npm run` does, in a shell that is no terminal. It has no API key but one in `env`. A test
 * that interrupts it gets its process by `started`.
 */
export function runCommand(
  name: string,
  args: string[],
  env: Record<string, string> = {},
  started?: (child: ChildProcess) => void,
): Promise<Ended> {
  const { CONNECTOR_API_KEY: _none, ...inherited } = process.env
  const words = [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    `src/cli/${name}.ts`,
  ]
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const child = execFile(
    process.execPath,
    [...words, ...args],
    { env: { ...inherited, ...env } },
    (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : NaN,
        stdout,
        stderr,
      }),
  )
  started?.(child)
  return promise
}
