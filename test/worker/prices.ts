/**
 * What Cloudflare asks on the Workers Paid plan, in dollars, as its pages said it in November 2026:
 * developers.cloudflare.com/workers/platform/pricing, /durable-objects/platform/pricing, /kv/platform/pricing.
 */
export const PRICES = {
  plan: 5,
  workerRequests: { included: 10e6, perMillion: 0.3 },
  cpuMs: { included: 30e6, perMillion: 0.02 },
  objectRequests: { included: 1e6, perMillion: 0.15 },
  gbSeconds: { included: 400_000, perMillion: 12.5 },
  rowsRead: { included: 25e9, perMillion: 0.001 },
  rowsWritten: { included: 50e6, perMillion: 1 },
  kvReads: { included: 10e6, perMillion: 0.5 },
  kvWrites: { included: 1e6, perMillion: 5 },
  /** Gigabytes kept for a month. */
  stored: { included: 5, perMillion: 0.2e6 },
} as const

/** What is free in a day on the Workers Free plan, where something of ours uses it. */
export const FREE_A_DAY = {
  workerRequests: 100_000,
  objectRequests: 100_000,
  rowsWritten: 100_000,
  kvWrites: 1000,
} as const

export type Counted = Record<Exclude<keyof typeof PRICES, 'plan'>, number>

/**
 * Assumed, not measured here: the CPU of a request with that of its objects, how long the objects of a flow are awake
 * (they wait for the provider), and what an object takes on disk for its month, which Cloudflare's pages put at 12 KB.
 */
export const ASSUMED = { cpuMsPerRequest: 10, secondsAwake: 2, bytesOfAnObject: 12_000 }

/** The bill of a month with so many flows, on an account that does nothing else. */
export function bill(flow: Counted, flows: number): number {
  const used = Object.entries(flow).map(([name, each]) => {
    const { included, perMillion } = PRICES[name as keyof Counted]
    return (Math.max(0, each * flows - included) / 1e6) * perMillion
  })
  return PRICES.plan + used.reduce((sum, one) => sum + one, 0)
}

/** How many flows a day the free plan allows. */
export const freeADay = (flow: Counted): number =>
  Math.min(
    ...Object.entries(FREE_A_DAY).map(([name, most]) =>
      Math.floor(most / flow[name as keyof Counted]),
    ),
  )
