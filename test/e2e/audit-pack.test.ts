import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { verifyPack } from '../../src/cli/verify/verify.ts'
import { NO_RULES } from '../../src/core/domain/rules/house-rules.ts'
import { approve } from '../support/browser.ts'
import { OWNED, OWNER_KEY } from '../support/connector.ts'
import { type Practice, ownerBrowser, startPractice } from '../support/owner-connector.ts'
import { ADALGISA } from '../support/transports.ts'

describe('a pack of a real connector', () => {
  let practice: Practice
  let pack: string
  let early: string
  let receipt: string
  let key: string

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, practice.url), {
      ...init,
      headers: {
        Authorization: `Bearer ${OWNER_KEY}`,
        'Content-Type': 'application/json',
        ...(init.headers as Record<string, string>),
      },
    })
  const send = async (path: string, idempotencyKey: string, fields: object) => {
    const headers = { 'Idempotency-Key': idempotencyKey }
    const init = { method: 'POST', headers, body: JSON.stringify(fields) }
    return (await (await ask(path, init)).json()) as {
      status: string
      confirmation_token: string
      approval?: { url: string }
    }
  }
  /** Previews a change, lets someone do what it takes in between, and commits it. */
  async function change(
    path: string,
    fields: object,
    approve?: (url: string) => Promise<void>,
  ): Promise<string> {
    const idempotencyKey = randomUUID()
    const { confirmation_token, approval } = await send(path, idempotencyKey, {
      ...fields,
      confirm: false,
    })
    if (approve) await approve(approval!.url)
    const committed = await send(path, idempotencyKey, {
      ...fields,
      confirm: true,
      confirmation_token,
    })
    expect(committed.status).toBe('committed')
    return idempotencyKey
  }
  const checked = (text: string, held: string[] = []) =>
    verifyPack(new TextEncoder().encode(text), {
      key,
      held: held.map((one, nth) => ({ name: `held ${nth}`, text: one })),
    })

  beforeAll(async () => {
    practice = await startPractice({ vars: OWNED })
    const web = await ownerBrowser(practice)
    const approval = [{ operation: 'create_payment_link', level: 'person' }]
    const rules = await ask('/v1/rules/*', {
      method: 'PUT',
      body: JSON.stringify({ ...NO_RULES, approval }),
    })
    expect(rules.status).toBe(200)
    const first = await change('/v1/clients', ADALGISA)
    receipt = await vi.waitFor(async () => {
      const answer = await ask(`/v1/operations/${first}/receipt`)
      expect(answer.status).toBe(200)
      return answer.text()
    })
    early = await (await ask('/v1/audit/checkpoint')).text()
    await change('/v1/payment-links', { invoice_id: 'in_mock_open' }, async (url) => {
      expect((await approve(web, new URL(url).pathname)).status).toBe(303)
    })
    pack = await vi.waitFor(
      async () => {
        const text = await (await ask('/v1/audit/export?format=pack')).text()
        expect(text.match(/\\"event\\":\\"commit\\"/g)).toHaveLength(2)
        return text
      },
      { timeout: 30_000, interval: 100 },
    )
    key = (await (await ask('/audit/keys')).text()).split('\n')[0]!
  })
  afterAll(() => practice?.stop())

  test('is good: key, checkpoint, a receipt and a checkpoint from before, previews, and what the passkey signed', async () => {
    const { findings, isGood } = await checked(pack, [early, receipt])
    expect(findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
    expect(isGood).toBe(true)
    const said = findings.filter(({ verdict }) => verdict === 'good').map(({ check }) => check)
    const checks = [
      'Entries',
      'Checkpoint',
      'Key',
      'Held',
      'Dropped',
      'Previews',
      'Approval',
      'Passkeys',
    ]
    expect(new Set(said)).toEqual(new Set(checks))
    expect(said.filter((check) => check === 'Held')).toHaveLength(2)
  })

  test('has nothing personal in it', () => {
    for (const word of ['Adalgisa', 'Lovelace', 'adalgisa@', 'example.com'])
      expect(pack).not.toContain(word)
  })
})
