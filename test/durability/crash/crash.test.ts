// @module-tag slow

import { describe, inject, it } from 'vitest'

import { campaign } from './campaign.ts'

const ASKING = ['book, with answers', 'move, with answers', 'move to another address, with answers']
const PAYING = ['payment link, by number', 'end payment link']
const REQUESTS = ['book, to be accepted', 'respond, accept', 'respond, decline']
// The short version; `npm run test:crash` is the long one. The seed sets who wants what, the clock does the rest.
const CAMPAIGNS = [
  {
    provider: 'calendly',
    style: 'payment_link',
    deploys: 1,
    seed: 16,
    wants: [...ASKING, ...PAYING],
  },
  {
    provider: 'calcom',
    style: 'hosted_invoice',
    deploys: 0,
    seed: 24,
    wants: [...ASKING, ...PAYING, ...REQUESTS],
  },
] as const

describe.concurrent('a connector that is killed with SIGKILL, and restarted on the same storage', () => {
  for (const { wants, ...plan } of CAMPAIGNS) {
    it(`neither loses nor doubles a change, and tells the truth about each, with ${plan.provider}`, async ({
      expect,
    }) => {
      const script = inject('workerScript')
      const { counts, wrong } = await campaign({
        ...plan,
        kills: 5,
        alarms: 0,
        scripts: [script, script],
        say: () => {},
      })
      const between = counts['kills between intent and outcome'] ?? 0
      console.log(
        `${plan.provider}: 5 kills, ${between} of them with a change between intent and outcome`,
      )
      expect(wrong).toEqual([])
      expect(counts['kills']).toBe(5)
      expect(between).toBeGreaterThan(0)
      expect(counts['answered: committed']).toBeGreaterThan(0)
      expect(counts['ends in the audit log']).toBeGreaterThan(0)
      expect(counts['deliveries of webhooks']).toBeGreaterThan(0)
      expect(counts['checkpoints that hold']).toBeGreaterThan(5)
      // Else the seed has to be another one.
      expect(wants.filter((label) => !counts[`flows: ${label}`])).toEqual([])
    })
  }
})
