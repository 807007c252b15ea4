const ON_PURPOSE = 'on purpose:'

/** The reason of a failure that a test plays; the lines that workerd writes about it are left out of the output. */
export const playedFailure = (what: string): string => `${ON_PURPOSE} ${what}`

/** The error of a failure that a test plays. */
export const onPurpose = (what: string): Error => new Error(playedFailure(what))

/** How a failure that our own code raises on purpose reads: the only way to break off a download is an error of its stream. */
const BY_DESIGN = 'entries were dropped meanwhile'

const DONE = Symbol.for('played failures are left out')
const EXCEPTION = 'uncaught exception;'

/**
 * Takes the lines about played failures out of what workerd writes while tests run. A test run with any other uncaught
 * exception fails, after all tests.
 */
export function leaveOutPlayedFailures(): void {
  // Vitest reads its configuration more than once.
  if (DONE in process) return
  Object.assign(process, { [DONE]: true })
  const unexpected: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
    stream.write = ((text: unknown, ...more: unknown[]) => {
      const isException = typeof text === 'string' && text.startsWith(EXCEPTION)
      if (!isException) return write(text, ...more)
      if (text.includes(ON_PURPOSE) || text.includes(BY_DESIGN)) return true
      unexpected.push(text)
      return write(text, ...more)
    }) as typeof stream.write
  }
  process.on('exit', () => {
    if (unexpected.length === 0) return
    process.exitCode = 1
    const first = unexpected[0]!.split('\n').slice(0, 6).join('\n')
    process.stderr.write(
      `${unexpected.length} uncaught exceptions in workerd that no test plays; the first:\n${first}\nMend it, or throw it with onPurpose() of test/support/on-purpose.ts where a test plays it.\n`,
    )
  })
}
