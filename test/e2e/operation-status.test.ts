import { describe, expect, test } from 'vitest'

import { type Caller, OWNED, OWNER_KEY } from '../support/connector.ts'
import { connectorForAll, connectorForTest } from '../support/started.ts'
import { newKey } from '../support/transports.ts'

const CLIENT = {
  entity_type: 'individual',
  display_name: 'Ada Lovelace',
  contact_email: 'ada@example.com',
}

interface StatusBody {
  status: string
  operation: string | null
  answer: Record<string, unknown> | null
  problem: Record<string, unknown> | null
}

const readAs = (caller: Caller) => async (key: string) => {
  const reply = await caller.rest(`/v1/operations/${encodeURIComponent(key)}`)
  return {
    ...reply,
    body: JSON.parse(reply.text) as StatusBody & { code?: string; required_scope?: string },
  }
}

async function aTime(caller: Caller): Promise<string> {
  const { body } = await caller.rest('/v1/availability')
  return body.slots!.at(-1)!.start_time
}

/** Previews a booking; what is left is to commit it. */
async function aBooking(caller: Caller, key = newKey()) {
  const fields = {
    start_time: await aTime(caller),
    timezone: 'America/New_York',
    invitee_email: 'ada@example.com',
    invitee_name: 'Ada Lovelace',
  }
  const { body } = await caller.rest('/v1/bookings', { body: { ...fields, confirm: false }, key })
  const confirmed = { ...fields, confirm: true, confirmation_token: body.confirmation_token }
  return {
    key,
    commit: () => caller.rest('/v1/bookings', { body: confirmed, key }),
    commitByMcp: () => caller.mcp('book_consult', { ...confirmed, idempotency_key: key }),
  }
}

describe('the status of a change', () => {
  const connector = connectorForAll({
    vars: { MOCK_FAULTS: 'book:timeout_after,book:timeout_after,book:refused' },
  })
  const read = (key: string) => readAs(connector)(key)

  test('is found at the address in the problem of a commit in doubt', async () => {
    const booking = await aBooking(connector)
    expect((await read(booking.key)).body).toMatchObject({
      status: 'previewed',
      operation: 'book_consult',
    })
    const unknown = await booking.commit()
    expect([unknown.status, unknown.body.code]).toEqual([503, 'outcome_unknown'])
    const { status_url_template } = JSON.parse(unknown.text) as { status_url_template: string }
    expect(unknown.headers.get('Link-Template')).toBe(`"${status_url_template}"; rel="status"`)
    expect(unknown.text).not.toContain(booking.key)

    const address = status_url_template.replace(
      '{idempotency_key}',
      encodeURIComponent(booking.key),
    )
    const { status, body } = {
      ...(await connector.rest(new URL(address).pathname)),
      ...(await read(booking.key)),
    }
    expect([status, body.status]).toEqual([200, 'committed'])
    const again = await booking.commit()
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(body.answer).toEqual(again.body)
  })
})

test('the status of a change is available to its own caller only, and only with the scope', async () => {
  const connector = await connectorForTest({ vars: OWNED })
  const newCaller = async (scopes: string[]) => {
    const { text } = await connector
      .as(OWNER_KEY)
      .rest('/v1/keys', { body: { name: 'One', scopes } })
    const { id, key } = JSON.parse(text) as { id: string; key: string }
    return { id, caller: connector.as(key) }
  }
  const [mine, other] = [
    await newCaller(['clients:write']),
    await newCaller(['clients:write', 'admin']),
  ]
  const key = newKey()
  const { body } = await mine.caller.rest('/v1/clients', {
    body: { ...CLIENT, confirm: false },
    key,
  })
  const confirmed = { ...CLIENT, confirm: true, confirmation_token: body.confirmation_token }
  await mine.caller.rest('/v1/clients', { body: confirmed, key })
  expect((await readAs(mine.caller)(key)).body.status).toBe('committed')

  const [theirs, unused] = [await readAs(other.caller)(key), await readAs(other.caller)(newKey())]
  expect(theirs.body.status).toBe('never_seen')
  expect([theirs.status, theirs.text]).toEqual([unused.status, unused.text])
  expect((await connector.rest(`/v1/operations/${key}`)).status).toBe(401)
})
