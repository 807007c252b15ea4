import { describe, expect, test } from 'vitest'

import type { Caller } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { ZONE, changeOf, freeStarts } from '../support/transports.ts'

describe('the status of a change', () => {
  const connector = connectorForAll({ vars: { MOCK_FAULTS: 'book:timeout_after' } })
  const read = async (key: string, by: Caller = connector) => {
    const reply = await by.rest(`/v1/operations/${encodeURIComponent(key)}`)
    return {
      ...reply,
      body: reply.body as { status?: string; operation?: string; answer?: object },
    }
  }

  test('is found at the address in the problem of a commit in doubt', async () => {
    const [start_time] = await freeStarts(connector)
    const guest = { timezone: ZONE, invitee_email: 'ada@example.com', invitee_name: 'Ada Lovelace' }
    const { key, preview, commit } = changeOf(connector, 'book_consult', { ...guest, start_time })
    await preview()
    const previewed = { status: 'previewed', operation: 'book_consult' }
    expect((await read(key)).body).toMatchObject(previewed)
    const unknown = await commit()
    expect([unknown.status, unknown.body.code]).toEqual([503, 'outcome_unknown'])
    const { status_url_template } = unknown.body as { status_url_template: string }
    expect(unknown.headers!.get('Link-Template')).toBe(`"${status_url_template}"; rel="status"`)
    expect(unknown.text).not.toContain(key)

    const address = status_url_template.replace('{idempotency_key}', encodeURIComponent(key))
    expect((await connector.rest(new URL(address).pathname)).status).toBe(200)
    const { body } = await read(key)
    expect(body.status).toBe('committed')
    const again = await commit()
    expect(again.replayed).toBe(true)
    expect(body.answer).toEqual(again.body)
  })
})
