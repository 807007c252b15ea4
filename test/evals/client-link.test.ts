// @module-tag slow

import { describe, expect, inject, test } from 'vitest'

import { browser, type Page } from '../support/browser.ts'
import { AGENTS } from './agents.ts'
import { connectHost, type Host } from './host.ts'
import { type Person, fits, personOf } from './person.ts'
import { startPractice } from './practice.ts'

const NOW = Date.now()
const SEEDS = [1, 2, 3, 4, 5]
const careful = AGENTS.find(({ name }) => name === 'careful')!

/** What the person types, and the model is not to see: not the address, nor any part of the name or of a number. */
const TYPED = { name: 'Avery Zibblethwaite', email: 'avery.canary@plumbwick.example' }
const RAW = [TYPED.email, 'canary', 'plumbwick', 'Zibblethwaite', '212-555-0147']

/** The agent *discreet*: it makes a link, gives the address to the person, and asks how the link stands. */
async function discreet(host: Host, seen: string[]) {
  const call = async (tool: string, given: Record<string, unknown>): Promise<string> => {
    for (;;) {
      const answer = await host.call(tool, given)
      seen.push(answer.seen)
      // An answer that was lost is asked for again, with the same key.
      if (answer.is !== 'lost') return answer.seen
    }
  }
  const link = { ask: ['details', 'intake', 'time'], idempotency_key: 'one-link-for-one-client' }
  const preview = await call('invite_client', { ...link, confirm: false })
  const confirmation_token = /ct_[\w.-]+/.exec(preview)?.[0]
  const made = await call('invite_client', { ...link, confirm: true, confirmation_token })
  return {
    url: /https?:[^\s"]+\/c\/[\w-]+/.exec(made)![0],
    ask: () => call('get_client_link', { link_id: /cil_[\w-]+/.exec(made)![0] }),
  }
}

const offered = ({ html }: Page): string[] =>
  [...html.matchAll(/name="start_time" value="([^"]+)"/g)].map(([, at]) => at!)
const sealed = ({ html }: Page): [string, string][] =>
  [...html.matchAll(/name="sealed" value="([^"]+)"/g)].map(([, value]) => ['sealed', value!])

/** The person fills the page as it asks, until it says that it is booked, or that it may be. */
async function fill(url: string, { primaryGoal, entityType, moved }: Person): Promise<void> {
  const web = browser(new URL(url).origin)
  const { pathname } = new URL(url)
  const wanted = (times: string[]) =>
    times.find((at) => fits({ date: at.slice(0, 10), clock: at.slice(11, 16) }, moved)) ??
    times.at(-1)!
  let page = await web.open(pathname)
  for (let steps = 0; steps < 12; steps++) {
    if (
      page.status === 303 ||
      page.html.includes('still checking') ||
      page.html.includes('<h1>Booked')
    )
      return
    if (page.html.includes('<h1>Is this right?'))
      page = await web.submit(pathname, [...sealed(page), ['step', 'send']])
    else if (sealed(page).length > 0)
      page = await web.submit(pathname, [
        ...sealed(page),
        ['step', 'check'],
        ['start_time', wanted(offered(page))],
      ])
    else if (offered(page).length === 0) page = await web.open(pathname)
    else
      page = await web.submit(pathname, [
        ['step', 'check'],
        ['name', TYPED.name],
        ['email', TYPED.email],
        ['email_again', TYPED.email],
        ['entity_type', entityType],
        ['primary_goal', primaryGoal],
        ['notes', 'Call 212-555-0147 before noon.'],
        ['start_time', wanted(offered(page))],
      ])
  }
  throw new Error('the page never came to an end')
}

describe('the discreet agent, which is never told what the client types', () => {
  test.each(SEEDS)(
    'with seed %i leaves one client, intake and consult, and is shown nothing raw',
    async (seed) => {
      const person = personOf(seed, NOW)
      const practice = await startPractice(inject('workerScript'), person)
      try {
        const before = await practice.prepare()
        const host = await connectHost(
          practice.url,
          await practice.apiKey(['client_links:write']),
          careful,
          new Set(['invite_client:commit']),
          () => true,
        )
        const seen: string[] = []
        const { url, ask } = await discreet(host, seen)
        await fill(url, person)
        let said = await ask()
        for (let asked = 0; asked < 20 && !said.includes('"completed"'); asked++) said = await ask()
        await host.close()
        expect(said).toContain('"completed"')
        const { clients, intakes, bookings } = await practice.endState()
        const made = clients.filter(({ client_id }) => client_id !== before.notedClient)
        expect(made).toMatchObject([{ entity_type: person.entityType, display_name: 'A. Z.' }])
        expect(intakes.filter(({ client_id }) => client_id === made[0]!['client_id'])).toHaveLength(
          1,
        )
        const active = bookings.filter(
          (one) => one.cancelled_by === null && one.masked_email.startsWith('a***@'),
        )
        expect(active).toHaveLength(1)
        for (const raw of RAW) expect([raw, seen.join().includes(raw)]).toEqual([raw, false])
      } finally {
        await practice.stop()
      }
    },
  )
})
