import type { Random } from '../../support/random.ts'

/**
 * All that can go wrong, each with the share of its occasions in which it does in an ordinary run with faults. A run draws which
 * of them it has at all, since many faults hide others.
 */
const FAULTS = {
  // A mutation on its way to a provider and back.
  requestLost: 0.12,
  replyLost: 0.14,
  landsLate: 0.16,
  reset: 0.05,
  slow: 0.08,
  declined: 0.04,
  limited: 0.06,
  failsBefore: 0.05,
  failsAfter: 0.06,
  garbled: 0.05,
  // Delivered twice on its way; the answer to the second is what comes back.
  twice: 0.08,
  // A read of a provider.
  readFails: 0.05,
  readSlow: 0.04,
  staleList: 0.2,
  // An answer with null where the contract allows it: it does not say whose doing it was.
  unsaid: 0.1,
  // For a while everything sent to a provider goes wrong in one way. Once after each event.
  outage: 0.004,
  lookFails: 0.12,
  // Objects. Once after each event.
  crash: 0.012,
  evicted: 0.01,
  deploy: 0.006,
  // Once with each deploy.
  rotation: 0.3,
  clockJump: 0.003,
  writesLost: 0.3,
  flushSlow: 0.03,
  alarmLate: 0.05,
  alarmTwice: 0.08,
  alarmLost: 0.2,
  coordinatorCrash: 0.003,
  // What lies between.
  rpcLost: 0.02,
  copiesFail: 0.1,
  copiesLate: 0.25,
  copiesWiped: 0.003,
  webhookFails: 0.3,
  auditLogFails: 0.15,
  eventLogFails: 0.4,
  // A webhook of the scheduling provider.
  notificationLost: 0.2,
  notificationTwice: 0.2,
  notificationLate: 0.2,
  // People.
  human: 0.012,
  // A booking is made or moved to another time than the one asked for.
  elsewhere: 0.04,
  // The event type gets another length. Once after each event.
  lengthChanged: 0.006,
  deletion: 0.012,
  reads: 0.02,
  // Once after each cancel that took effect.
  sniped: 0.3,
  ownerActs: 0.004,
  hangsUp: 0.1,
} as const

export type Fault = keyof typeof FAULTS

export interface FaultProfile {
  /** Whether this fault happens now. */
  strikes(fault: Fault): boolean
  /** Faults stop, for good. */
  clear(): void
  readonly cleared: boolean
  readonly struck: Readonly<Record<string, number>>
}

/** The faults of a run: none in one of twelve, else about half of all faults, of some strength. */
export function faultProfileFrom(random: Random): FaultProfile {
  const strength = random.weighted([
    [1, 0],
    [3, 0.5],
    [4, 1],
    [4, 2.5],
  ])
  const rates = Object.fromEntries(
    Object.entries(FAULTS).map(([fault, rate]) => [
      fault,
      random.chance(0.5) ? Math.min(0.8, rate * strength) : 0,
    ]),
  ) as Record<Fault, number>
  const struck: Record<string, number> = {}
  let cleared = false
  return {
    strikes(fault) {
      if (cleared || rates[fault] === 0 || !random.chance(rates[fault])) return false
      struck[fault] = (struck[fault] ?? 0) + 1
      return true
    },
    clear: () => (cleared = true),
    get cleared() {
      return cleared
    },
    struck,
  }
}
