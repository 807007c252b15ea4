/** All that is logged about a request: an allow-list. Fields that are `none` are left out. */
export interface LogLine {
  request_id: string
  /** The operation, or the document that was asked for; never a path. */
  operation: string
  /**
   * `ok`, the code of a problem, `protocol_error` (MCP), `notification_refused` or
   * `notification_not_in_use` (webhooks).
   */
  code: string
  status: number
  duration_ms: number
  caller: string
  mode: string
}

const MOST_FRAMES = 8
const LONGEST_FRAME = 300
const ERROR_NAME = /^[A-Z]\w{0,40}$/
/** A frame of a stack as V8 writes it: the function, if it has a name, and the place. */
const FRAME =
  /^ +at (?:async )?(?:(?:new )?([\w$.<>#]+) (?:\[as \w+\] )?\(([^\s()]+)\)|([^\s()]+))$/
/** The file without its folders, the line and the column. */
const PLACE = /[^/\\:]+:\d+:\d+$/

/** The places of an error. None where its message cannot be told from them, since it was changed. */
function placesOf({ message, stack }: Error): string[] {
  if (typeof stack !== 'string') return []
  const header = `${/^\w*/.exec(stack)![0]}${message === '' ? '' : `: ${message}`}\n`
  if (!stack.startsWith(header)) return []
  const places = stack
    .slice(header.length)
    .split('\n')
    .flatMap((line) => {
      const frame = line.length <= LONGEST_FRAME ? FRAME.exec(line) : null
      const place = PLACE.exec(frame?.[2] ?? frame?.[3] ?? '')?.[0]
      return place === undefined ? [] : [`${frame?.[1] ?? ''} ${place}`.trim()]
    })
  return places.slice(0, MOST_FRAMES)
}

/**
 * What is logged of an error that no one foresaw: its class, and the places that it came through. Its
 * message can hold personal data, so nothing of it is logged. Never throws.
 */
export function faultLine(thrown: unknown, about: Record<string, string>): string {
  const isError = thrown instanceof Error
  const error = isError && ERROR_NAME.test(thrown.name) ? thrown.name : 'Error'
  return JSON.stringify({ event: 'fault', ...about, error, at: isError ? placesOf(thrown) : [] })
}
