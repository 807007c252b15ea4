import type { ReadStream, WriteStream } from 'node:tty'

import { confirm, multiselect, password, select, text } from '@clack/prompts'

import { CliError } from './command.ts'

type Option = { value: string; label: string }
/** Says what is wrong with an answer; undefined if nothing is. */
type Check = (answer: string) => string | undefined
export type Prompts = NonNullable<ReturnType<typeof promptsAt>>

/** Asks the person at the terminal; undefined in a script or a build. */
export function promptsAt(input: ReadStream = process.stdin, output: WriteStream = process.stdout) {
  if (!input.isTTY || !output.isTTY || process.env['CI']) return undefined
  const streams = { input, output }
  const answer = async <T>(asked: Promise<T>): Promise<Exclude<T, symbol>> => {
    const given = await asked
    if (typeof given === 'symbol')
      throw new CliError('You cancelled it; nothing more was done.', 'Run it again at any time.')
    return given as Exclude<T, symbol>
  }
  const validated = (check: Check) => (given?: string) => check((given ?? '').trim())
  return {
    choose: (message: string, options: Option[]) =>
      answer(select({ message, options, ...streams })),
    /** Returns any number of the options. */
    pick: (message: string, options: Option[]): Promise<string[]> =>
      answer(multiselect({ message, options, required: false, ...streams })),
    text: async (message: string, check: Check, initialValue = '') =>
      (
        await answer(text({ message, initialValue, validate: validated(check), ...streams }))
      ).trim(),
    /** Does not show what is typed or pasted. */
    secret: async (message: string, check: Check) =>
      (await answer(password({ message, validate: validated(check), ...streams }))).trim(),
    /** Yes or no; Enter is no. */
    confirm: (message: string) => answer(confirm({ message, initialValue: false, ...streams })),
  }
}
