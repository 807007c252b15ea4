import type { ReadStream, WriteStream } from 'node:tty'

import { confirm, multiselect, password, select, text } from '@clack/prompts'

import { CliError } from './cli-error.ts'
import type { Prompts } from './deploy/target.ts'

/** Prompts, one of them with hidden input. */
export interface FullPrompts extends Prompts {
  /** Does not show what is typed or pasted. */
  secret(question: string, check: (answer: string) => string | undefined): Promise<string>
  /** Yes or no; Enter is no. */
  confirm(question: string): Promise<boolean>
}

type Input = Pick<ReadStream, 'isTTY'> & NodeJS.ReadableStream
type Screen = Pick<WriteStream, 'isTTY'> & NodeJS.WritableStream

/** The prompts of a terminal; undefined in a script or a build. */
export function promptsAt(input: Input, output: Screen): FullPrompts | undefined {
  if (!input.isTTY || !output.isTTY || process.env['CI']) return undefined
  const streams = { input: input as NodeJS.ReadStream, output: output as NodeJS.WriteStream }
  const answer = async <T>(asked: Promise<T>): Promise<Exclude<T, symbol>> => {
    const given = await asked
    if (typeof given === 'symbol')
      throw new CliError('You cancelled it; nothing more was done.', 'Run it again at any time.')
    return given as Exclude<T, symbol>
  }
  const validated = (check: (answer: string) => string | undefined) => (given?: string) =>
    check((given ?? '').trim())
  return {
    choose: (message, options) => answer(select({ message, options, ...streams })),
    pick: (message, options) =>
      answer(multiselect({ message, options, required: false, ...streams })),
    text: async (message, check, initialValue = '') =>
      (
        await answer(text({ message, initialValue, validate: validated(check), ...streams }))
      ).trim(),
    secret: async (message, check) =>
      (await answer(password({ message, validate: validated(check), ...streams }))).trim(),
    confirm: (message) => answer(confirm({ message, initialValue: false, ...streams })),
  }
}
