import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A command cannot continue. The message says why; `nextStep` says in one sentence what to do about it. */
export class CliError extends Error {
  readonly nextStep: string | undefined

  constructor(message: string, nextStep?: string) {
    super(message)
    this.nextStep = nextStep
  }
}

/** Turns anything thrown into an error that a person can read. */
export const cliErrorOf = (thrown: unknown): CliError =>
  thrown instanceof CliError
    ? thrown
    : new CliError(
        thrown instanceof Error ? thrown.message : String(thrown),
        'Run it again; if it fails again, report it with these lines.',
      )

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses the options of a command line. Raises `CliError` with this `nextStep` if Node refuses it. */
export function optionsIn<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
  nextStep: string,
  remark = '',
) {
  try {
    return parseArgs({ args, options }).values
  } catch (thrown) {
    throw new CliError(`${argumentsProblem(thrown) ?? String(thrown)}${remark}`, nextStep)
  }
}

/** What is wrong with a command line that Node refused, without values; undefined for other errors. */
export function argumentsProblem(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined
  if (!String(thrown.code).startsWith('ERR_PARSE_ARGS')) return undefined
  const [, option] = /'(--?[a-z][a-z-]{0,30})[ '=<]/.exec(thrown.message) ?? []
  if (option === undefined) return 'The command does not take one of these arguments.'
  return thrown.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
    ? `There is no option ${option}.`
    : `The option ${option} needs a value, or takes none.`
}
