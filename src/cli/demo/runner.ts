import { CliError } from '../command.ts'
import { type DemoCall, type Body, type Caller, type CallResult, codeOrStatus } from './callers.ts'
import { type Rows, transcript } from './transcript.ts'

/** The expected response, and the parts to print: paths such as `preview.invitee_email`. */
interface Expected {
  status?: 'preview' | 'committed'
  refusal?: string
  replayed?: boolean
  show: readonly string[]
  text?: boolean
}

/** Runs the steps: prints each call, sends it, checks the response, and prints parts of it. */
export function runnerFor(caller: Caller, secrets: readonly string[]) {
  const { count, step, asked, answered, remark } = transcript()
  const shapes: string[] = []
  const failure = (what: string): CliError =>
    new CliError(`Step ${count()} over ${caller.name}: ${what}`)

  return {
    shapes,
    step,
    async ask(ask: DemoCall, expected: Expected, before: Body = {}): Promise<Body> {
      const sent = caller.sent(ask)
      const news = Object.entries(sent).filter(([name, value]) => before[name] !== value)
      const again = news.length > 0 ? 'the same again, with' : 'the very same again'
      const line = Object.keys(before).length > 0 ? again : caller.line(ask)
      asked(line, rowsOf(Object.fromEntries(news)))
      const result = await caller.call(ask)
      const fault = faultIn(result, expected, secrets)
      if (fault !== undefined) throw failure(fault)
      shapes.push(`${ask.operation} ${shapeOf(result.body)}`)
      const named = expected.show.map(
        (path) => [path.split('.').at(-1), valueAt(result.body, path)] as const,
      )
      const rows = named.flatMap(([name, value]) => rowsOf({ [name!]: value }))
      answered(result.line, result.refused, expected.text ? [...rows, ...result.rows] : rows)
      return result.body
    },
    remark,
    failure,
  }
}

export type Runner = ReturnType<typeof runnerFor>

/** The value at a path such as `result.booking_id`. */
export const valueAt = (body: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((value, part) => (value as Body | null | undefined)?.[part], body)

function faultIn(
  result: CallResult,
  expected: Expected,
  secrets: readonly string[],
): string | undefined {
  const { body, refused, replayed } = result
  const wanted = expected.refusal ?? expected.status ?? 'OK'
  const got = codeOrStatus(body)
  if (got !== wanted || refused !== (expected.refusal !== undefined)) {
    const { title } = body
    if (got === 'unauthenticated')
      return 'no API key that is valid; put one into CONNECTOR_API_KEY.'
    return `expected ${wanted} and got ${got}${typeof title === 'string' ? ` (${title})` : ''}.`
  }
  if (replayed && expected.replayed !== true) return 'the answer is marked as a repeat and is none.'
  if (!replayed && expected.replayed === true)
    return 'the answer is a repeat and is not marked as one.'
  const text = JSON.stringify(body)
  if (secrets.some((secret) => text.includes(secret)))
    return 'the answer holds personal data in clear.'
  return undefined
}

/** The fields as rows, with one row for each entry of a list and each field of an object. */
const rowsOf = (fields: Body): Rows =>
  Object.entries(fields).flatMap(([name, value]): Rows => {
    if (Array.isArray(value)) return value.map((one) => [name, shown(one)])
    if (value === null || typeof value !== 'object') return [[name, shown(value)]]
    return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, shown(one)])
  })

function shown(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '(missing)'
  return value.startsWith('ct_') ? `${value.slice(0, 20)}…` : value
}

/** The names of all fields, without the values. */
const shapeOf = (body: unknown): string =>
  body !== null && typeof body === 'object' && !Array.isArray(body)
    ? `{${Object.entries(body)
        .map(([name, value]) => name + shapeOf(value))
        .join(' ')}}`
    : ''
