import { stripVTControlCharacters, styleText } from 'node:util'

import { renderUnicodeCompact } from 'uqr'

import { SECOND } from '../core/domain/time/duration.ts'
import { type CliError, cliErrorOf } from './cli-error.ts'

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

/** Writes short, aligned lines. NO_COLOR is honoured. */
export function terminalOn(output: Output) {
  const live = output.isTTY === true
  const paint = (style: Style, text: string): string =>
    live && !process.env['NO_COLOR'] ? styleText(style, text, { validateStream: false }) : text
  const line = (text = ''): void => void output.write(`${text}\n`)
  const labelled = (mark: string, label: string, text: string): string =>
    `${mark} ${label.padEnd(LABEL)} ${text}`.trimEnd()

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
    done: (label: string, text: string) => line(labelled(paint('green', '✓'), label, text)),
    same: (label: string, text: string) =>
      line(labelled(paint('dim', '='), label, paint('dim', text))),
    would: (label: string, text: string) => line(labelled(paint('cyan', '→'), label, text)),
    warn: (label: string, text: string) => line(labelled(paint('yellow', '!'), label, text)),
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
      if (nextStep !== undefined) line(`  ${nextStep}`)
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
function qrCode(text: string): string {
  const drawn = renderUnicodeCompact(text, { ecc: 'M', border: 4, invert: true })
  return drawn.replaceAll(/^.*$/gm, (row) => `\u001B[30;107m${row}\u001B[0m`)
}

/** Runs a command. It prints an error with what to do about it, and sets exit code 1. */
export async function runOn(terminal: Terminal, command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (thrown) {
    terminal.failed(cliErrorOf(thrown))
    process.exitCode = 1
  }
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
