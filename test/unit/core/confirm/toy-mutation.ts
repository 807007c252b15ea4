import * as z from 'zod'

import { slotAt } from '../../../../src/practice/operations/booking/schema.ts'
import { defineMutation, recordWrite } from '../../../../src/practice/operations/operation.ts'

const KIND = 'mock_consult'
const GUEST = { email: 'guest@example.com', name: null, timezone: 'America/New_York' }

/**
 * A change for tests that are about the confirm flow, and not about what a practice does: one lock, one step at the
 * scheduling provider, one record. A field of a real operation can be renamed without a test of the flow noticing.
 */
export const reserveRoom = defineMutation({
  name: 'reserve_room',
  title: 'Reserve a room',
  description: 'Reserves a room.',
  scope: 'bookings:write',
  route: 'POST /v1/rooms',
  provider: 'scheduling',
  destructive: false,
  problems: ['slot_unavailable'],
  input: z.strictObject({ from: z.string(), purpose: z.string().optional() }),
  preview: z.strictObject({ from: z.string() }),
  committed: z.strictObject({ room_id: z.string(), from: z.string() }),
  async facts({ from }, { ports, refuse }) {
    const [eventType] = ports.practice.eventTypes
    const slot = await slotAt(ports.scheduling, eventType, Date.parse(from))
    if (!slot) throw refuse('slot_unavailable')
    return { pinned: { start: slot.start, end: slot.end } }
  },
  show: ({ from }) => ({ preview: { from }, summary: 'Reserve the room.', warnings: [] }),
  lockKeys: ({ start }) => [`room:${start}`],
  steps: (slot) => [
    {
      execute: async ({ ports, marker }, input) =>
        input
          ? ports.scheduling.book({ eventTypeId: KIND, ...slot, invitee: GUEST }, marker)
          : { is: 'unknown' },
      reconcile: ({ ports, marker, named }) =>
        ports.scheduling.findBooked(slot, KIND, marker, named),
    },
  ],
  result: ({ preview, stepResults }) => ({
    room_id: z.string().parse(stepResults.at(-1)?.['booking_id']),
    from: preview.from,
  }),
  summary: () => 'Reserved the room.',
  recordId: ['room_id'],
  records: (result, ended) => [recordWrite(`room:${result.room_id}`, result, ended)],
  example: { input: {}, result: {} },
})

/** Tuesday, 10:00 in New York; free in the mock calendar. */
export const ROOM = { from: '2026-11-24T10:00:00-05:00' }
