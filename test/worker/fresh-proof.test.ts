import type { Context } from 'hono'
import { beforeEach, expect, test, vi } from 'vitest'

import type { AppEnv } from '../../src/api/http/app-env.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { wantProof } from '../../src/owner/access/fresh-proof.ts'
import { ownForm, sessionOf } from '../../src/owner/access/session.ts'
import { softAuthenticator } from '../support/authenticator.ts'
import { type Browser, browser, confirmed, proofAsked, withProof } from '../support/browser.ts'
import { signIn } from '../support/passkeys.ts'
import { ORIGIN, ownerPages } from './owner-pages.ts'

const NOW = Date.parse('2026-11-24T15:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})

/** Pages with an act of the test: its form says which act it is, and what it changes. */
async function pages() {
  const done: string[] = []
  const act = async (c: Context<AppEnv>): Promise<Response> => {
    const own = await ownForm(c, await sessionOf(c))
    if (!own) return c.text('not signed in', 403)
    const { form } = own
    const [name, fact] = [form.get('name') ?? '', form.get('fact') ?? '']
    c.var.log.operation = name
    await wantProof(c, own, {
      question: 'Really?',
      changes: ['It lets <a person> in.'],
      facts: [fact],
      verb: 'Yes',
    })
    done.push(`${name} ${fact}`)
    return c.text('done')
  }
  const rig = await ownerPages({ add: (app) => app.post('/owner/act', act) })
  return { ...rig, done }
}

const fieldsOf = async (web: Browser, name: string, fact: string): Promise<[string, string][]> => [
  ...(await web.open('/owner/settings')).form('/owner/sign-out'),
  ['name', name],
  ['fact', fact],
]
const asking = async (web: Browser, name = 'resume', fact = 'all') =>
  web.submit('/owner/act', await fieldsOf(web, name, fact))

test('a sensitive act needs a fresh use of a passkey, and the page that asks for it shows the act and carries the form on', async () => {
  const { web, done } = await pages()
  const page = await asking(web)
  expect(page.status).toBe(200)
  expect(page.html).toContain('It lets &lt;a person&gt; in.')
  expect(page.form('/owner/act').map(([name]) => name)).toEqual(['csrf', 'name', 'fact', 'proof'])
  expect(done).toEqual([])
  expect((await confirmed(web, page)).html).toBe('done')
  expect(done).toEqual(['resume all'])
})

/** A proof for one act, as someone would send it along with another. */
const proofFor = async (web: Browser, name: string, fact: string) =>
  web.authenticator?.get(proofAsked(await asking(web, name, fact))?.options ?? { challenge: '' })

test.each<
  [string, (web: Browser, ask: (request: Request) => Promise<Response>) => Promise<unknown>]
>([
  ['for another act', (web) => proofFor(web, 'loosen_rules', 'all')],
  ['for the same act with other facts', (web) => proofFor(web, 'resume', 'one')],
  [
    'for a sign-in',
    async (web) => {
      const options = await web.postJson('/owner/passkey/options', { purpose: 'sign-in' })
      return web.authenticator?.get((await options.json()) as { challenge: string })
    },
  ],
  [
    'for the same act in another session',
    async (web, ask) => {
      const other = browser(ORIGIN, ask)
      await signIn(other, web.authenticator!)
      return proofFor(other, 'resume', 'all')
    },
  ],
  [
    'that is five minutes old',
    async (web) => {
      const proof = await proofFor(web, 'resume', 'all')
      vi.setSystemTime(NOW + 5 * MINUTE)
      return proof
    },
  ],
  [
    'of a passkey that is not the owner’s',
    async (web) =>
      softAuthenticator(ORIGIN).get(proofAsked(await asking(web))?.options ?? { challenge: '' }),
  ],
  [
    'without user verification',
    async (web) => {
      const { options } = proofAsked(await asking(web))!
      return web.authenticator!.get(options, ORIGIN, false)
    },
  ],
  ['that is empty', async () => ''],
  ['that is no JSON object', async () => [1, 2, 3]],
])('a proof %s is worthless, and the page asks again', async (_, proof) => {
  const { web, ask, done } = await pages()
  const page = await asking(web)
  const given = await proof(web, ask)
  const refused = await web.submit('/owner/act', withProof(page, '/owner/act', given))
  expect(refused.status).toBe(403)
  expect(done).toEqual([])
  expect((await confirmed(web, refused)).html).toBe('done')
})

test('a proof just under five minutes old is accepted', async () => {
  const { web, done } = await pages()
  const page = await asking(web)
  const proof = await web.authenticator?.get(proofAsked(page)?.options ?? { challenge: '' })
  vi.setSystemTime(NOW + 5 * MINUTE - 1)
  expect((await web.submit('/owner/act', withProof(page, '/owner/act', proof))).html).toBe('done')
  expect(done).toEqual(['resume all'])
})

test('a proof is accepted once, also if it arrives four times at once', async () => {
  const { web, done } = await pages()
  const page = await asking(web)
  const proof = await web.authenticator?.get(proofAsked(page)?.options ?? { challenge: '' })
  const fields = withProof(page, '/owner/act', proof)
  const answers = await Promise.all([1, 2, 3, 4].map(() => web.submit('/owner/act', fields)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 403, 403, 403,
  ])
  expect(done).toEqual(['resume all'])
  expect((await web.submit('/owner/act', fields)).status).toBe(403)
})

test('a page that was left open can be confirmed after it has asked for a new proof', async () => {
  const { web, done } = await pages()
  const page = await asking(web)
  vi.setSystemTime(NOW + 60 * MINUTE)
  const late = await confirmed(web, page)
  expect(late.html).toContain('then use your passkey')
  await confirmed(web, late)
  expect(done).toEqual(['resume all'])
})
