import { describe, expect, test } from 'vitest'

import { MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import type { Notification, ProviderWebhooks } from '../../src/core/ports/provider-sync.ts'
import { stripeWebhooks } from '../../src/practice/adapters/payments/stripe/webhooks.ts'
import { calcomWebhooks } from '../../src/practice/adapters/scheduling/calcom/webhooks.ts'
import { calendlyWebhooks } from '../../src/practice/adapters/scheduling/calendly/webhooks.ts'
import {
  CANARY,
  calcomBody,
  calcomTemplateBody,
  calendlyBody,
  stripeBody,
} from '../support/fakes/webhook-bodies.ts'
import { SIGNED, type SigningProvider } from '../support/fakes/webhook-signatures.ts'
import { WITH_WEBHOOKS } from '../support/webhook-providers.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const KEY = 'the key of this provider'
const OTHER = 'another key'

const NOTHING: Notification = { bookings: [], invoices: [], links: [] }
const bookings = (...ids: string[]): Notification => ({ ...NOTHING, bookings: ids })

/** To read a delivery no one is asked. */
const NOBODY = {
  timeoutMs: 1,
  now: () => NOW,
  fetch: () => Promise.reject(new Error('someone was asked')),
}

interface Subject {
  webhooks: ProviderWebhooks
  /** Bodies, and the ids that are to be read in each. */
  bodies: [string, Notification][]
  /** A body of an event that no one asked for. */
  unknown: string
  /** How far from now a signature may be; undefined where it has no time. */
  tolerance?: number
}

const SUBJECTS: Record<SigningProvider, Subject> = {
  calendly: {
    webhooks: calendlyWebhooks({ ...NOBODY, token: '' }),
    bodies: [
      [calendlyBody('invitee.created', { event: 'AAAA' }), bookings('bk_AAAA')],
      [
        calendlyBody('invitee.canceled', { event: 'AAAA', next: 'BBBB' }),
        bookings('bk_AAAA', 'bk_BBBB'),
      ],
      [
        calendlyBody('invitee.created', { event: 'BBBB', old: 'AAAA' }),
        bookings('bk_BBBB', 'bk_AAAA'),
      ],
      [calendlyBody('invitee_no_show.created', { noShow: 'AAAA' }), bookings('bk_AAAA')],
      [calendlyBody('invitee_no_show.deleted', { noShow: 'AAAA' }), bookings('bk_AAAA')],
    ],
    unknown: calendlyBody('routing_form_submission.created', { event: 'AAAA' }),
    tolerance: 3 * MINUTE,
  },
  calcom: {
    webhooks: calcomWebhooks({ ...NOBODY, token: '' }),
    bodies: [
      ...['BOOKING_CREATED', 'BOOKING_REQUESTED', 'BOOKING_CANCELLED', 'BOOKING_REJECTED'].map(
        (trigger): [string, Notification] => [
          calcomBody(trigger, { uid: 'uidA' }),
          bookings('bk_uidA'),
        ],
      ),
      [
        calcomBody('BOOKING_RESCHEDULED', { uid: 'uidB', rescheduleUid: 'uidA' }),
        bookings('bk_uidB', 'bk_uidA'),
      ],
      [calcomBody('BOOKING_NO_SHOW_UPDATED', { bookingUid: 'uidA' }), bookings('bk_uidA')],
      [
        calcomTemplateBody('BOOKING_RESCHEDULED', { uid: 'uidB', rescheduleUid: 'uidA' }),
        bookings('bk_uidB', 'bk_uidA'),
      ],
      [calcomTemplateBody('BOOKING_CREATED', { uid: 'uidA' }), bookings('bk_uidA')],
    ],
    unknown: calcomBody('MEETING_ENDED', { uid: 'uidA' }),
  },
  stripe: {
    webhooks: stripeWebhooks({ ...NOBODY, secretKey: '', style: 'hosted_invoice' }),
    bodies: [
      ...['paid', 'payment_failed', 'voided', 'marked_uncollectible', 'updated'].map(
        (what): [string, Notification] => [
          stripeBody(`v1.invoice.${what}`, { id: 'in_1Open', type: 'invoice' }),
          { ...NOTHING, invoices: ['in_1Open'] },
        ],
      ),
      [
        stripeBody('v1.payment_link.updated', { id: 'plink_1Made', type: 'payment_link' }),
        { ...NOTHING, links: ['plink_1Made'] },
      ],
    ],
    unknown: stripeBody('v2.core.event_destination.ping', {
      id: 'ed_1',
      type: 'event_destination',
    }),
    tolerance: 5 * MINUTE,
  },
}

const encoder = new TextEncoder()

test('every provider that has webhooks is tried here', () => {
  expect(Object.keys(SUBJECTS)).toEqual(WITH_WEBHOOKS)
})

describe.each(Object.entries(SUBJECTS) as [SigningProvider, Subject][])(
  'a webhook of %s',
  (provider, { webhooks, bodies, unknown, tolerance }) => {
    const sign = SIGNED[provider]
    const [[body, notification]] = bodies as [[string, Notification]]

    interface Sent {
      body?: string | Uint8Array
      headers?: Record<string, string>
      keys?: string[]
      now?: number
    }
    const read = async (sent: Sent = {}) =>
      webhooks.read(
        {
          headers: new Headers(sent.headers ?? (await sign(body, [KEY], NOW))),
          body: typeof sent.body === 'object' ? sent.body : encoder.encode(sent.body ?? body),
        },
        sent.keys ?? [KEY],
        sent.now ?? NOW,
      )

    const named = bodies.map(
      ([text, ids]) =>
        [/"(?:event|triggerEvent|type)":"([^"]+)/.exec(text)?.[1], text, ids] as const,
    )
    test.each(named)(
      'that is genuine is read for its ids, and for nothing else: %s',
      async (_event, text, ids) => {
        const found = await read({ body: text, headers: await sign(text, [KEY], NOW) })
        expect(found).toEqual(ids)
        expect(JSON.stringify(found)).not.toContain(CANARY)
      },
    )

    test('is refused if any one byte of its body was changed, whitespace too', async () => {
      const headers = await sign(body, [KEY], NOW)
      const bytes = encoder.encode(body)
      for (let at = 0; at < bytes.length; at += 97) {
        const changed = bytes.slice()
        changed[at]! ^= 1
        expect(await read({ body: changed, headers })).toBe('refused')
      }
      expect(await read({ body: `${body}\n`, headers })).toBe('refused')
      expect(await read({ body: JSON.stringify(JSON.parse(body), null, 1), headers })).toBe(
        'refused',
      )
      expect(await read({ body: '', headers })).toBe('refused')
    })

    test('is refused under another key, and taken under any of those that are listed', async () => {
      expect(await read({ keys: [OTHER] })).toBe('refused')
      expect(await read({ keys: [] })).toBe('refused')
      expect(await read({ keys: [OTHER, KEY] })).toEqual(notification)
    })

    test('is refused without a signature, and with what is none', async () => {
      const [[name, good]] = Object.entries(await sign(body, [KEY], NOW)) as [[string, string]]
      const bad = [
        '',
        'no-secret-provided',
        'v1=',
        't=,v1=',
        'null',
        good.slice(0, -2),
        `${good}00`,
        `x${good}`,
      ]
      for (const value of bad) expect(await read({ headers: { [name]: value } })).toBe('refused')
      expect(await read({ headers: {} })).toBe('refused')
    })

    test('says nothing if it is genuine and about another event, another thing, or no JSON', async () => {
      const others = [
        unknown,
        'not JSON',
        '[]',
        'null',
        '{}',
        body.replaceAll(/AAAA|uidA|in_1Open/g, '../..'),
      ]
      for (const text of others)
        expect(await read({ body: text, headers: await sign(text, [KEY], NOW) })).toEqual(NOTHING)
    })

    test.runIf(tolerance !== undefined)(
      'is refused once it is too old, or from the future',
      async () => {
        expect(await read({ now: NOW + tolerance! })).toEqual(notification)
        expect(await read({ now: NOW + tolerance! + SECOND })).toBe('refused')
        expect(await read({ now: NOW - tolerance! })).toEqual(notification)
        expect(await read({ now: NOW - tolerance! - SECOND })).toBe('refused')
      },
    )

    test.runIf(tolerance !== undefined)(
      'is taken if only its second signature is ours',
      async () => {
        expect(await read({ headers: await sign(body, [OTHER, KEY], NOW) })).toEqual(notification)
      },
    )

    test.runIf(tolerance !== undefined)(
      'is refused with a signature of another scheme, or two times',
      async () => {
        const [[name, good]] = Object.entries(await sign(body, [KEY], NOW)) as [[string, string]]
        expect(await read({ headers: { [name]: good.replace('v1=', 'v0=') } })).toBe('refused')
        expect(await read({ headers: { [name]: `t=1,${good}` } })).toBe('refused')
      },
    )
  },
)

describe('the signatures of the providers are verified as published', () => {
  const AT = 1_795_273_510
  const vectors: [SigningProvider, string, string, Record<string, string>][] = [
    [
      'calendly',
      'calendly-test-key',
      '{"event":"invitee.created"}',
      {
        'Calendly-Webhook-Signature': `t=${AT},v1=6b163a7e62da6137735dfc13d99f52d3f27faf68931e3567c449534676f39d09`,
      },
    ],
    [
      'calcom',
      'calcom-test-secret',
      '{"triggerEvent":"BOOKING_CREATED"}',
      { 'X-Cal-Signature-256': 'b0e4fe81829a67382eef9d59fb228f86032e13894ee4d9487913f697c45c9b85' },
    ],
    [
      'stripe',
      'whsec_test',
      '{"id":"evt_1"}',
      {
        'Stripe-Signature': `t=${AT},v1=f27738d9a89dd13fd1fd688d0634e6ff7b1144458d7e8cf8a9292312f5978b28`,
      },
    ],
  ]

  test.each(vectors)('of %s', async (provider, key, text, headers) => {
    const { webhooks } = SUBJECTS[provider]
    const delivery = { headers: new Headers(headers), body: encoder.encode(text) }
    expect(await webhooks.read(delivery, [key], AT * SECOND)).toEqual(NOTHING)
    expect(await webhooks.read(delivery, [OTHER], AT * SECOND)).toBe('refused')
    expect(headers).toEqual(await SIGNED[provider](text, [key], AT * SECOND))
  })
})
