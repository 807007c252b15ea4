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
const ERROR_NAME = /^[A-Z]\w{0,40}$/
/** A frame of a stack as V8 writes it: the function, then the file, line and column. */
const FRAME =
  /^ +at (?:async )?(?:new )?([\w$.<>#]*) ?(?:\[as \w+\] )?\(?[^\s()]*?([^/\s()]+:\d+:\d+)\)?$/

/**
 * What is logged of an error that no one foresaw: its class, and the places that it came through. Its
 * message can hold personal data, so nothing of it is logged.
 */
export function faultLine(thrown: unknown, about: Record<string, string>): string {
  const { name, message, stack = '' } = thrown instanceof Error ? thrown : new Error('')
  const messageAt = stack.indexOf(message)
  const frames = messageAt < 0 ? [] : stack.slice(messageAt + message.length).split('\n')
  const at = frames.flatMap((line) => {
    const [, called, place] = FRAME.exec(line) ?? []
    return place === undefined ? [] : [`${called} ${place}`.trim()]
  })
  const error = ERROR_NAME.test(name) ? name : 'Error'
  return JSON.stringify({ event: 'fault', ...about, error, at: at.slice(0, MOST_FRAMES) })
}
