/** For how long after the last change ended none begins while something is sent, in milliseconds. */
const GAP_MS = 8
/** How often a change that waits looks again, and how long it waits at most. */
const LOOK_AGAIN_MS = 4
const LONGEST_WAIT_MS = 300
/** How long a change or a delivery counts. One that takes longer waits for a provider or a receiver, or was lost with its instance. */
const COUNTS_FOR_MS = 250

/** When each began that is under way, in epoch milliseconds. */
const deliveries = new Set<{ began: number }>()
const changes = new Set<{ began: number }>()
/** When the last change ended. */
let ended = 0

/** Sends something, and has the changes of this isolate run one after the other meanwhile. */
export const sending = <T>(send: () => Promise<T>): Promise<T> => counted(deliveries, send)

/**
 * Runs a change: at once, unless this isolate sends something. The local runtime has one thread, which looks at its
 * connections only when nothing else is left to do: many changes at a time would hold up the answer to a delivery until
 * they have ended, and so the next one. Each change that waits has a timer of its own, since no object may depend on
 * another one to wake it.
 */
export async function inTurn<T>(change: () => Promise<T>): Promise<T> {
  for (let waited = 0; waited < LONGEST_WAIT_MS && mustWait(); waited += LOOK_AGAIN_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  try {
    return await counted(changes, change)
  } finally {
    ended = Date.now()
  }
}

const mustWait = (): boolean =>
  isAny(deliveries) && (isAny(changes) || Math.abs(Date.now() - ended) < GAP_MS)

async function counted<T>(among: Set<{ began: number }>, run: () => Promise<T>): Promise<T> {
  const one = { began: Date.now() }
  among.add(one)
  try {
    return await run()
  } finally {
    among.delete(one)
  }
}

function isAny(among: Set<{ began: number }>): boolean {
  const now = Date.now()
  for (const one of among) if (Math.abs(now - one.began) >= COUNTS_FOR_MS) among.delete(one)
  return among.size > 0
}
