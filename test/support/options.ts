import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** The options that a program of the tests was given. At --help or an unknown one it lists all and ends. */
export function optionsOf<const Own extends Options>(options: Own) {
  const isHelp = process.argv.includes('--help')
  try {
    if (!isHelp) return parseArgs({ options }).values
  } catch (error) {
    console.error((error as Error).message)
  }
  const usual = ({ default: value }: Options[string]) => (value ? ` (${String(value)})` : '')
  console.log(
    Object.entries(options)
      .map(([name, one]) => `--${name}${usual(one)}`)
      .join('\n'),
  )
  process.exit(isHelp ? 0 : 2)
}
