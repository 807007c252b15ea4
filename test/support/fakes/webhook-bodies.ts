/** In every field that may hold something of a person, or an address that carries authority. */
export const CANARY = 'zqvexmar'
const MAIL = `${CANARY}@plumbwick.example`
const ADDRESS = `https://elsewhere.example/${CANARY}`

const calendlyEvent = (id: string) => `https://api.calendly.com/scheduled_events/${id}`
const calendlyInvitee = (id: string) => `${calendlyEvent(id)}/invitees/INVT${CANARY}`

/** What Calendly sends of an invitee. */
export const calendlyBody = (
  event: string,
  of: { event?: string; old?: string; next?: string; noShow?: string },
): string =>
  JSON.stringify({
    event,
    created_at: '2026-11-23T12:00:00.000000Z',
    created_by: `https://api.calendly.com/users/${CANARY}`,
    payload: {
      uri: calendlyInvitee(of.event ?? of.noShow ?? 'EVNT'),
      ...(of.noShow === undefined ? {} : { invitee: calendlyInvitee(of.noShow) }),
      ...(of.event === undefined ? {} : { event: calendlyEvent(of.event) }),
      old_invitee: of.old === undefined ? null : calendlyInvitee(of.old),
      new_invitee: of.next === undefined ? null : calendlyInvitee(of.next),
      rescheduled: of.next !== undefined,
      no_show: { uri: `https://api.calendly.com/invitee_no_shows/${CANARY}` },
      email: MAIL,
      name: CANARY,
      first_name: CANARY,
      last_name: CANARY,
      status: 'active',
      timezone: 'America/New_York',
      text_reminder_number: CANARY,
      cancel_url: ADDRESS,
      reschedule_url: ADDRESS,
      tracking: { utm_content: CANARY, utm_source: CANARY },
      questions_and_answers: [{ question: CANARY, answer: CANARY, position: 0 }],
      cancellation: { canceled_by: CANARY, reason: CANARY, canceler_type: 'invitee' },
      payment: { external_id: CANARY, terms: CANARY },
      scheduled_event: {
        uri: calendlyEvent(CANARY),
        name: CANARY,
        location: { type: 'zoom', join_url: ADDRESS, data: { password: CANARY } },
        event_memberships: [{ user_email: MAIL, user_name: CANARY }],
        event_guests: [{ email: MAIL }],
        meeting_notes_plain: CANARY,
      },
    },
  })

/** The full body that Cal.com sends where it takes no template. */
export const calcomBody = (
  triggerEvent: string,
  of: { uid?: string; bookingUid?: string; rescheduleUid?: string },
): string =>
  JSON.stringify({
    triggerEvent,
    createdAt: '2026-11-23T12:00:00.000Z',
    payload: {
      ...of,
      bookingId: 17,
      title: CANARY,
      type: CANARY,
      description: CANARY,
      additionalNotes: CANARY,
      customInputs: { [CANARY]: CANARY },
      organizer: { name: CANARY, email: MAIL, timeZone: 'America/New_York', username: CANARY },
      attendees: [{ name: CANARY, email: MAIL, timeZone: 'Europe/London', phoneNumber: CANARY }],
      responses: { name: { value: CANARY }, email: { value: MAIL }, notes: { value: CANARY } },
      userFieldsResponses: { [CANARY]: { value: CANARY } },
      location: ADDRESS,
      videoCallData: { url: ADDRESS, password: CANARY },
      cancelledBy: MAIL,
      cancellationReason: CANARY,
      rescheduledBy: MAIL,
      metadata: { consult_ref: CANARY, videoCallUrl: ADDRESS },
      message: CANARY,
    },
  })

/** What Cal.com makes of our template: names that it does not know become empty. */
export const calcomTemplateBody = (
  triggerEvent: string,
  of: { uid?: string; bookingUid?: string; rescheduleUid?: string },
): string =>
  JSON.stringify({ triggerEvent, payload: { uid: '', bookingUid: '', rescheduleUid: '', ...of } })

/** A thin event of Stripe. It holds no field for anything personal; a canary stands in those that are not read. */
export const stripeBody = (type: string, related: { id: string; type: string }): string =>
  JSON.stringify({
    id: `evt_${CANARY}`,
    object: 'v2.core.event',
    type,
    livemode: false,
    created: '2026-11-23T12:00:00.000Z',
    context: CANARY,
    reason: { type: 'request', request: { id: CANARY, idempotency_key: CANARY } },
    related_object: { ...related, url: `/v1/${CANARY}` },
    data: { object: { customer_email: MAIL, customer_name: CANARY } },
  })
