/** A command cannot go on. The message says why; `nextStep` says in one sentence what to do about it. */
export class CliError extends Error {
  readonly nextStep: string | undefined

  constructor(message: string, nextStep?: string) {
    super(message)
    this.nextStep = nextStep
  }
}

/** Anything thrown, as an error that a person can read. */
export const cliErrorOf = (thrown: unknown): CliError =>
  thrown instanceof CliError
    ? thrown
    : new CliError(
        thrown instanceof Error ? thrown.message : String(thrown),
        'Run it again; if it stays, report it with these lines.',
      )
