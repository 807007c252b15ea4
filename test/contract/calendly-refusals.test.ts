import { describe, expect, it, test } from 'vitest'

import type { ProviderResponse } from '../../src/practice/adapters/provider-http.ts'
import {
  CALENDLY_SCOPES,
  type CalendlyRequest,
  type CalendlyResult,
  FIX,
  type SentBooking,
  resultOf,
} from '../../src/practice/adapters/scheduling/calendly/errors.ts'
import { busy, misconfigured, refused } from './outcomes.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const BOOK: CalendlyRequest = { action: 'book', scope: 'scheduled_events:write' }
const CANCEL: CalendlyRequest = { action: 'cancel', scope: 'scheduled_events:write' }
const READ: CalendlyRequest = { action: 'read', scope: 'availability:read' }

const answer = (
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): ProviderResponse => ({
  status,
  body,
  headers: new Headers(headers),
})
/** What a response proves, without whether it has to be reconciled. */
function on(request: CalendlyRequest, response: ProviderResponse): CalendlyResult {
  const { doubt: _doubt, ...result } = { doubt: undefined, ...resultOf(response, request, NOW) }
  return result
}
const said = (message: string, title = 'Invalid Argument') => ({ title, message })
const about = (parameter: string, message = 'is not right') => ({
  ...said('The supplied parameters are invalid.'),
  details: [{ parameter, message }],
})
const filled = {
  ...said('no'),
  details: [{ message: 'This time is gone', code: 'already_filled' }],
}

const CALL = { location: { kind: 'outbound_call' } }
const PLACE = 'event.location_configuration.location'

const unknown: CalendlyResult = { is: 'unknown', answered: true }
const TAKEN = refused('slot_unavailable')
const NOT_ACTIVE = refused('booking_not_active')

describe('what a response of Calendly proves', () => {
  test.each([200, 201, 204])('a %i is only a status: its body is still to be parsed', (status) => {
    for (const asked of [BOOK, CANCEL, READ])
      expect(on(asked, answer(status, 'text'))).toEqual({ is: 'ok', body: 'text' })
  })

  test.each([302, 304, 408, 418, 425, 499, 500, 502, 503, 504, 520, 524, 599, 100])(
    'a %i may have had its effect',
    (status) => {
      for (const asked of [BOOK, CANCEL]) expect(on(asked, answer(status))).toEqual(unknown)
    },
  )

  it('no response may have had its effect', () => {
    for (const asked of [BOOK, CANCEL, READ])
      expect(on(asked, { status: 'no answer' })).toEqual({ is: 'unknown' })
  })

  it('a refusal in the body of a 5xx is not believed', () => {
    expect(on(BOOK, answer(500, filled))).toEqual(unknown)
    expect(on(CANCEL, answer(502, said('Event is already canceled')))).toEqual(unknown)
    expect(on(BOOK, answer(408, filled))).toEqual(unknown)
  })

  describe('a 429 proves that nothing was done, and says how long to wait', () => {
    test.each([
      [{ 'X-RateLimit-Reset': '37' }, 37],
      [{ 'Retry-After': '12' }, 12],
      [{ 'X-RateLimit-Reset': '37', 'Retry-After': '90' }, 90],
      [{ 'X-RateLimit-Reset': '86401', 'Retry-After': '30' }, 30],
      [{}, 60],
    ])('%j', (headers, seconds) => {
      for (const asked of [BOOK, CANCEL, READ])
        expect(on(asked, answer(429, filled, headers))).toEqual(
          busy('provider_busy', { retry_after_seconds: seconds }),
        )
    })
  })

  describe('the problem names what the owner must fix', () => {
    it('when a token is not accepted', () => {
      for (const asked of [BOOK, CANCEL, READ])
        for (const body of [said('The access token is invalid'), { error: 'invalid_token' }])
          expect(on(asked, answer(401, body))).toEqual(misconfigured(FIX.token))
      expect(FIX.token).toMatch(/SCHEDULING_PROVIDER_TOKEN/)
      for (const scope of CALENDLY_SCOPES.filter((one) => one !== 'scheduled_events:read'))
        expect(FIX.token).toContain(scope)
    })

    test.each(CALENDLY_SCOPES)('when a scope is missing: %s', (scope) => {
      const verdict = on(
        READ,
        answer(403, { ...said('', 'Insufficient scope'), required_scopes: [scope] }),
      )
      expect(detailOf(verdict)).toMatch(new RegExp(`lacks the scope ${scope}\\.`))
    })

    it('when a missing scope is not named, as the one that the request needs', () => {
      for (const required_scopes of [[], ['routing_forms:read'], 'all', undefined]) {
        const verdict = on(
          READ,
          answer(403, { title: 'Insufficient scope', message: '', required_scopes }),
        )
        expect(detailOf(verdict)).toMatch(/lacks the scope availability:read\./)
      }
    })

    test.each([
      'The Scheduling API is only available on paid Calendly plans. Upgrade your plan to access this feature.',
      'Please upgrade to a paid Calendly account.',
      'Upgrade to Teams to use this feature.',
    ])('when a plan is too small: %s', (message) => {
      expect(on(BOOK, answer(403, said(message, 'Permission Denied')))).toEqual(
        misconfigured(FIX.plan),
      )
    })

    test.each([
      'You do not have permission to access this resource.',
      'You are not allowed to cancel this event',
      'words of next year',
    ])('when a user lacks the permission: %s', (message) => {
      for (const asked of [BOOK, CANCEL, READ])
        expect(on(asked, answer(403, said(message, 'Permission Denied')))).toEqual(
          misconfigured(FIX.right),
        )
    })

    test.each([
      [401, undefined],
      [403, '<html>'],
      [403, { message: 'Forbidden' }],
      [407, '<html>'],
      [451, null],
    ])('but never by a %i that is not Calendly’s: %j', (status, body) => {
      for (const asked of [BOOK, CANCEL, READ])
        expect(on(asked, answer(status, body))).toEqual(
          busy('provider_busy', {
            detail: expect.stringMatching(/between this service and Calendly/) as string,
            next_step: expect.stringMatching(/^Try again .* tell the owner/) as string,
            retry_after_seconds: 60,
          }),
        )
    })

    test.each([400, 404, 409, 410, 418, 422])('nor by any other page of a proxy: %i', (status) => {
      for (const asked of [BOOK, CANCEL, READ])
        expect(on(asked, answer(status, null))).toEqual(unknown)
    })

    test.each([404, 410])(
      'nor by the JSON of a gateway that knows no such address: %i',
      (status) => {
        for (const asked of [BOOK, CANCEL, READ])
          expect(on(asked, answer(status, { message: 'Not Found' }))).toEqual(unknown)
      },
    )

    test.each([404, 410])('when an event type does not exist: %i', (status) => {
      expect(on(BOOK, answer(status, said('The server could not find it')))).toEqual(
        misconfigured(FIX.eventType),
      )
    })

    test.each([
      about(PLACE, 'invalid location choice'),
      about('event.location_configuration.kind', 'is not configured for this event type'),
      said('location is no longer available'),
    ])('when a location is not accepted: %j', (body) =>
      expect(on({ ...BOOK, sent: CALL }, answer(400, body))).toEqual(misconfigured(FIX.location)),
    )

    test.each([400, 422])('when anything else is not accepted: %i', (status) => {
      for (const asked of [BOOK, CANCEL, READ]) {
        expect(on(asked, answer(status, said('The supplied parameters are invalid.')))).toEqual(
          misconfigured(FIX.request),
        )
      }
    })
  })

  describe('a taken time is recognised', () => {
    test.each([400, 403, 404, 409, 410, 422, 418])('by its code, with any 4xx: %i', (status) => {
      expect(on(BOOK, answer(status, filled))).toEqual(TAKEN)
    })
    test.each([
      'This time has been filled',
      'The selected time conflicts with an event of a guest',
      'The event limit for this day has been reached',
      'The user is not available at this time',
      'The host is busy at the selected time',
      'The event cannot be booked at this time',
      'The event is full',
      'The slot was taken',
      'The invitee is already scheduled for this time',
    ])('by its words: %s', (message) => {
      for (const status of [400, 403, 404, 409, 422]) {
        expect(on(BOOK, answer(status, said(message)))).toEqual(TAKEN)
        expect(on(BOOK, answer(status, about('', message)))).toEqual(TAKEN)
      }
    })
    test.each([
      'The limit of event types of your plan has been reached',
      'API request limit reached',
      'Service temporarily unavailable',
    ])('not by those of a limit or an outage: %s', (message) =>
      expect(on(BOOK, answer(400, said(message)))).toEqual(misconfigured(FIX.request)),
    )
    it('by a conflict', () => expect(on(BOOK, answer(409))).toEqual(TAKEN))
    it('by a time that is too soon', () =>
      expect(on(BOOK, answer(400, said('Below the minimum scheduling notice')))).toEqual(TAKEN))
    it('by its code, beside a detail of another form', () => {
      const details = [null, { code: 'Slot_Not_Available' }]
      expect(on(BOOK, answer(400, { ...filled, details }))).toEqual(TAKEN)
    })
    it('by an event type that cannot be booked', () =>
      expect(on(BOOK, answer(400, about('start_time', 'must be in the future')))).toEqual(TAKEN))
    it('in no response to a cancellation or a read', () => {
      expect(on(CANCEL, answer(400, filled))).toEqual(misconfigured(FIX.request))
      expect(on(CANCEL, answer(409, filled))).toEqual(unknown)
      expect(on(READ, answer(400, filled))).toEqual(misconfigured(FIX.request))
    })
  })

  describe('what the caller said is refused by its field', () => {
    const ANSWERS = {
      questions_and_answers: [{ question: 'Who is' }, { question: 'Who is it for?' }],
    }
    test.each<[string, object, SentBooking, string]>([
      ['an address', about('invitee.email'), {}, '/invitee_email'],
      ['an address, by its name alone', about('email', 'is too long'), {}, '/invitee_email'],
      ['an address, in words', said('Email domain is not allowed'), {}, '/invitee_email'],
      ['a zone', about('invitee.timezone'), {}, '/timezone'],
      ['a name', about('invitee.name'), {}, '/invitee_name'],
      ['a name, in words', said("Name can't be blank"), {}, '/invitee_name'],
      ['the number of a call', about('location.location'), CALL, '/phone'],
      ['the number of a call, in other signs', about('location[location]'), CALL, '/phone'],
      ['the number of a call, by its own path', about(PLACE, 'is invalid'), CALL, '/phone'],
      ['a number, by its words', about('location.location', 'phone number?'), {}, '/phone'],
      ['the number for reminders', about('invitee.text_reminder_number'), {}, '/phone'],
      ['a place', about('location.location'), { location: { kind: 'ask_invitee' } }, '/location'],
      ['an answer, with a dot', about('questions_and_answers.0.answer'), ANSWERS, '/answers'],
      ['an answer, by the name of the form', about('question_1', 'is required'), {}, '/answers'],
      ['an answer, in words', said('Missing required question'), {}, '/answers'],
      ['all answers', about('questions_and_answers', 'cannot be blank'), {}, '/answers'],
    ])('%s', (_what, body, sent, pointer) => {
      for (const status of [400, 422])
        expect(on({ ...BOOK, sent }, answer(status, body))).toMatchObject(
          refused('validation_failed', {
            errors: [{ pointer }],
            next_step: expect.stringMatching(/under a new idempotency key/) as string,
          }),
        )
    })

    test.each([
      about('questions_and_answers[1].answer', 'is not included in the list'),
      about('questions_and_answers', 'Who is it for? is too long'),
    ])('with the question, where that is said: %j', (body) => {
      expect(JSON.stringify(on({ ...BOOK, sent: ANSWERS }, answer(400, body)))).toMatch(
        /Expected an answer to “Who is it for\?” that/,
      )
    })

    it('all of it at once, and each once', () => {
      const details = ['invitee.email', 'location.location', 'invitee.email'].map((parameter) => ({
        parameter,
        message: 'is invalid',
      }))
      expect(on({ ...BOOK, sent: CALL }, answer(400, { ...said(''), details }))).toMatchObject(
        refused('validation_failed', {
          errors: [{ pointer: '/invitee_email' }, { pointer: '/phone' }],
        }),
      )
    })

    test.each([
      about('location.location', 'is not the address'),
      about('tracking.utm_content'),
      about('event_guests[0].email'),
    ])('and nothing else: %j', (body) => {
      const sent = { location: { kind: 'physical' } }
      expect(on({ ...BOOK, sent }, answer(400, body))).toMatchObject(busy('provider_misconfigured'))
    })
  })

  describe('a cancellation', () => {
    test.each([400, 403, 409])(
      'of a booking that is cancelled already is refused: %i',
      (status) => {
        expect(
          on(CANCEL, answer(status, said('Event is already canceled', 'Permission Denied'))),
        ).toEqual(NOT_ACTIVE)
      },
    )
    test.each(['Event has already been cancelled', 'The event was canceled', 'It has passed.'])(
      'of a booking that is over is refused: %s',
      (message) => expect(on(CANCEL, answer(400, said(message)))).toEqual(NOT_ACTIVE),
    )
    test.each(['This event cannot be canceled', 'Booking is not available for this event type'])(
      'for another reason is not: %s',
      (message) =>
        expect(on(CANCEL, answer(400, said(message)))).toEqual(misconfigured(FIX.request)),
    )
    it('of a booking in the past is refused', () =>
      expect(on(CANCEL, answer(403, said('Event in the past', 'Permission Denied')))).toEqual(
        NOT_ACTIVE,
      ))
    test.each([404, 410])('of a booking that does not exist is refused: %i', (status) =>
      expect(on(CANCEL, answer(status, said('no')))).toEqual(refused('booking_not_found')),
    )
  })

  it('words of the provider are never passed on', () => {
    const canary = 'Jane Canary <jane@canary.example>'
    const body = {
      title: canary,
      message: canary,
      details: [{ parameter: canary, message: canary, code: canary }],
      required_scopes: [canary],
    }
    for (const asked of [BOOK, CANCEL, READ]) {
      for (const status of [400, 401, 402, 403, 404, 409, 410, 418, 422, 429, 500])
        expect(JSON.stringify(on(asked, answer(status, body)))).not.toMatch(/canary/i)
    }
  })
})

function detailOf(verdict: CalendlyResult): string {
  expect(verdict).toMatchObject(busy('provider_misconfigured'))
  return 'refusal' in verdict ? (verdict.refusal.detail ?? '') : ''
}
