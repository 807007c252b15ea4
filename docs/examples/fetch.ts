// Books a consult over REST, with a person's yes between the preview and the commit:
//   node --experimental-strip-types docs/examples/fetch.ts form-81               lists free times
//   node --experimental-strip-types docs/examples/fetch.ts form-81 START_TIME    books one of them
// CONNECTOR_URL names the connector, CONNECTOR_API_KEY holds a key with availability:read and bookings:write.
import { createInterface } from 'node:readline/promises'
import { setTimeout as wait } from 'node:timers/promises'

const { CONNECTOR_URL = 'http://127.0.0.1:8787', CONNECTOR_API_KEY } = process.env
const [, , entry, start_time] = process.argv
if (entry === undefined) {
  console.error('Name the form entry, such as form-81. The first lines of this file show how.')
  process.exit(1)
}

/** Sends a request, and the very same again for as long as the connector says that this can help. */
async function send(path: string, body?: object) {
  for (;;) {
    const response = await fetch(new URL(path, CONNECTOR_URL), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        'Content-Type': 'application/json',
        // The same whenever this runs for the same form entry: then nothing is booked twice.
        'Idempotency-Key': `booking-${entry}`,
        ...(CONNECTOR_API_KEY && { Authorization: `Bearer ${CONNECTOR_API_KEY}` }),
      },
    })
    const answer = await response.json()
    if (response.ok) return answer
    if (!answer.retryable) {
      const fields = (answer.errors ?? []).map(
        (one: Record<'pointer' | 'detail', string>) => `  ${one.pointer}: ${one.detail}`,
      )
      console.error([`${answer.code}: ${answer.detail}`, ...fields, answer.next_step].join('\n'))
      process.exit(1)
    }
    await wait((answer.retry_after_seconds ?? 5) * 1000)
  }
}

if (start_time === undefined) {
  const { slots } = await send('/v1/availability?limit=3')
  for (const slot of slots) console.log(slot.start_time)
} else {
  const guest = { invitee_email: 'jordan@example.com', invitee_name: 'Jordan Doe' }
  const consult = { start_time, timezone: 'America/New_York', ...guest }
  let answer = await send('/v1/bookings', { ...consult, confirm: false })
  // Where the consult was booked before, the answer is that commit.
  if (answer.status === 'preview') {
    const terminal = createInterface(process.stdin, process.stdout)
    const shown = [answer.summary, ...answer.warnings, 'Book it? (y/n) '].join('\n')
    const agreed = /^y(es)?$/i.test((await terminal.question(shown)).trim())
    terminal.close()
    if (!agreed) {
      console.log('Nothing was booked.')
      process.exit()
    }
    const { confirmation_token } = answer
    answer = await send('/v1/bookings', { ...consult, confirm: true, confirmation_token })
  }
  console.log(answer.summary, answer.result.booking_id)
}
