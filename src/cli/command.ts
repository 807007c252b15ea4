import { stripVTControlCharacters, styleText } from 'node:util'

import { renderUnicodeCompact } from 'uqr'

import { Problem, type Refusal } from '../core/domain/problem/problem.ts'
import { PROBLEMS } from '../core/domain/problem/problems.ts'
import { SECOND } from '../core/domain/time/duration.ts'

/** A command cannot continue. The message says why; `nextStep` says in one sentence what to do about it. */
export class CliError extends Error {
  readonly nextStep: string | undefined

  constructor(message: string, nextStep?: string) {
    super(message)
    this.nextStep = nextStep
  }
}

/** A command line is wrong. The message says what is; the usage of the command follows as the next step. */
export class UsageError extends CliError {}

/** Turns anything thrown into an error that a person can read. */
export function cliErrorOf(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown
  if (thrown instanceof Problem) return new CliError(refusalText(thrown.refusal))
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return isOfFiles(thrown)
    ? new CliError(
        `A file could not be read or written. ${message}`,
        'Check that the disk has room, and that you may read and write there; then run it again.',
      )
    : new CliError(message, 'Run it again; if it fails again, report it with these lines.')
}

/** Whether the file system refused something: what sockets and programs refuse begins with the call. */
export const isOfFiles = (thrown: unknown): thrown is NodeJS.ErrnoException =>
  thrown instanceof Error && 'syscall' in thrown && /^E[A-Z\d]+: /.test(thrown.message)

/** PowerShell writes two bytes for each sign, after a mark. */
export const encodingOf = (bytes: Uint8Array) => (bytes[0] === 0xff ? 'utf-16le' : 'utf-8')

/** The text of a file that a person has kept, without the mark that programs of Windows put before it. */
export const textOf = (bytes: Uint8Array) => new TextDecoder(encodingOf(bytes)).decode(bytes)

/** What a refusal says to a person. */
export const refusalText = ({ code, detail }: Refusal) => detail ?? PROBLEMS[code].detail

/**
 * Runs a command, or prints its usage at --help. A failure prints what is wrong and what to do about
 * it, and sets exit code 1.
 */
export async function runCommand(
  usage: string,
  command: () => Promise<void>,
  terminal: Terminal = terminalOn(process.stderr),
) {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) return console.log(usage)
  try {
    refuseKeptByNpm(usage, args)
    refuseTwice(args)
    await command()
  } catch (thrown) {
    const error = argumentsProblem(thrown) ?? cliErrorOf(thrown)
    terminal.failed(error instanceof UsageError ? new CliError(error.message, usage) : error)
    process.exitCode = 1
  }
}

/** These mean something to npm itself, and may stand in its settings. */
const SETTINGS_OF_NPM = ['json', 'key', 'target', 'yes']

/**
 * npm keeps an option that stands before `--`, and the command would run without it: a dry run would
 * deploy. Raises `CliError` for one that the usage names.
 */
function refuseKeptByNpm(usage: string, args: readonly string[]) {
  const { npm_lifecycle_event: script, ...environment } = process.env
  if (script === undefined) return
  const options = [...usage.matchAll(/--([a-z][a-z-]+)/g)].map(([, name = '']) => name)
  const kept = options.find(
    (name) =>
      !SETTINGS_OF_NPM.includes(name) &&
      !args.some((one) => one === `--${name}` || one.startsWith(`--${name}=`)) &&
      environment[`npm_config_${name.replaceAll('-', '_')}`],
  )
  if (kept !== undefined)
    throw new CliError(
      `npm kept --${kept} for itself, so the command did not get it; nothing was done.`,
      `Put -- before the options: npm run ${script} -- --${kept}`,
    )
}

/** The first name that is there twice. */
export const firstRepeated = (names: readonly string[]) =>
  names.find((name, at) => names.indexOf(name) < at)

/** Options that a command takes more than once. */
const MAY_REPEAT = ['event-type', 'held']

/** Of an option that is given twice Node takes the last, and the others are lost. Raises `UsageError`. */
function refuseTwice(args: readonly string[]) {
  const given = args.flatMap((one) => /^--([a-z][a-z-]*)/.exec(one)?.[1] ?? [])
  const twice = firstRepeated(given.filter((name) => !MAY_REPEAT.includes(name)))
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice; nothing was done.`)
}

/** What is wrong with a command line that Node refused, without values; undefined for other errors. */
function argumentsProblem(thrown: unknown): UsageError | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined
  const { code, message } = thrown
  if (!String(code).startsWith('ERR_PARSE_ARGS')) return undefined
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return new UsageError('This command takes only options, and each begins with --.')
  const [, option] = /'(?:-\w, )?(--?[a-z][a-z-]{0,30})[ '=<]/.exec(message) ?? []
  if (option === undefined) return new UsageError('There is no option with one of these names.')
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return new UsageError(`There is no option ${option}.`)
  const takesNone = message.includes('does not take an argument')
  return new UsageError(`The option ${option} ${takesNone ? 'takes no' : 'needs a'} value.`)
}

const LABEL = 10
/** Work that takes longer than this shows its progress. */
const QUIET_MS = SECOND
const TICK_MS = 250
/** Where lines cannot be rewritten, progress is printed this often. */
const HEARTBEAT_MS = 15 * SECOND

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

/** A stream; only a terminal gets colours and rewritten lines. */
type Output = { write(text: string): unknown; isTTY?: boolean }

export type Terminal = ReturnType<typeof terminalOn>

/** Styles text where it goes to a terminal. NO_COLOR is honoured. */
export const painterFor = (isTerminal: boolean) => (style: Style, text: string) =>
  isTerminal && !process.env['NO_COLOR'] ? styleText(style, text, { validateStream: false }) : text

/** Writes short, aligned lines. */
export function terminalOn(output: Output) {
  const live = output.isTTY === true
  const paint = painterFor(live)
  const line = (text = ''): void => void output.write(`${text}\n`)
  const labelled = (mark: string, label: string, text: string) =>
    `${mark} ${label.padEnd(LABEL)} ${text}`.trimEnd()

  const marked = (style: Style, mark: string) => (label: string, text: string) =>
    line(labelled(paint(style, mark), label, text))

  /** Shows progress once work takes long; call the result to end it. */
  function progress(label: string, doing: string): () => void {
    const began = Date.now()
    const elapsed = () => `${Math.round((Date.now() - began) / SECOND)} s`
    const show = () =>
      live
        ? output.write(
            `\r\x1b[2K${labelled(paint('cyan', '…'), label, `${doing} ${paint('dim', elapsed())}`)}`,
          )
        : line(labelled('…', label, `${doing}, ${elapsed()} so far`))
    let every: NodeJS.Timeout | undefined
    const begin = () => {
      show()
      every = setInterval(show, live ? TICK_MS : HEARTBEAT_MS)
    }
    const first = setTimeout(begin, live ? QUIET_MS : HEARTBEAT_MS)
    return () => {
      clearTimeout(first)
      clearInterval(every)
      if (live && every) output.write('\r\x1b[2K')
    }
  }

  return {
    line,
    heading: (text: string) => line(`\n${paint('bold', text)}`),
    done: marked('green', '✓'),
    same: (label: string, text: string) => marked('dim', '=')(label, paint('dim', text)),
    would: marked('cyan', '→'),
    warn: marked('yellow', '!'),
    /** Prints indented lines to copy, with nothing else on them. */
    copy: (text: string) => {
      for (const one of text.split('\n')) line(`  ${one}`.trimEnd())
    },
    /** Draws an address for the camera of a phone, where a person looks at the terminal. */
    qr: (text: string) => {
      if (live) line(`\n${qrCode(text)}\n`)
    },
    failed({ message, nextStep }: CliError) {
      line(`\n${paint('red', '✗')} ${stripVTControlCharacters(message)}`)
      if (nextStep !== undefined)
        line(stripVTControlCharacters(nextStep).replaceAll(/^(?=.)/gm, '  '))
    },
    async during<T>(label: string, doing: string, work: () => Promise<T>): Promise<T> {
      const end = progress(label, doing)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}

/**
 * A QR code in characters of two modules each, with the quiet zone of four modules that its standard
 * asks for. Its dark modules are dark in a light terminal and in a dark one.
 */
function qrCode(text: string) {
  const drawn = renderUnicodeCompact(text, { ecc: 'M', border: 4, invert: true })
  return drawn.replaceAll(/^.*$/gm, (row) => `\u001B[30;107m${row}\u001B[0m`)
}

/** Breaks a text between words into lines of at most this many characters. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    return [...lines, line]
  })
}
