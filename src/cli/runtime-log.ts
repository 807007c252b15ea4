/** The C++ stack traces that come with verbose logging; the JavaScript error has a line of its own. */
const STACK_OF_WORKERD = /\nstack: \S*workerd/

/**
 * workerd writes this line for every connection that ends early or cannot be opened, also when the code that made the
 * request catches the error. It has no stack frames; the line of an error thrown by our code has.
 */
const LOST_CONNECTION =
  /^uncaught exception; source = Uncaught \(in promise\); stack = Error: (?:Network connection lost\.|internal error; reference = \w+)\s*$/

/** An alarm that began to ring while its object set a later one: the later one rings, so nothing is lost. */
const MOVED_ALARM = /^NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm\./

/** Whether a message of workerd is about its own work: the request that met it has its own line, with its own code. */
export const isRuntimeNoise = (message: string): boolean =>
  [STACK_OF_WORKERD, LOST_CONNECTION, MOVED_ALARM].some((known) => known.test(message))
