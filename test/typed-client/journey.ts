import createClient from 'openapi-fetch'

import type { paths } from './openapi.d.ts'

const guest = {
  timezone: 'America/New_York',
  invitee_email: 'jordan@example.com',
  invitee_name: 'Jordan Doe',
}

/** Books, moves and cancels a consult, takes in a client, makes a payment link and learns that it is paid, through generated types alone. */
export async function journey(baseUrl: string, pay: () => Promise<void>) {
  const client = createClient<paths>({ baseUrl })
  const headers = () => ({ header: { 'Idempotency-Key': crypto.randomUUID() } })

  const from = new Date(Date.now() + 86_400_000).toISOString()
  const { data: availability } = await client.GET('/v1/availability', {
    params: { query: { start_time: from, timezone: guest.timezone } },
  })
  const [first, second] = availability?.slots.map((slot) => slot.start_time) ?? []
  if (first === undefined || second === undefined) throw new Error('no free time')

  const bookingParams = headers()
  const booking = { ...guest, start_time: first }
  const previewed = await client.POST('/v1/bookings', {
    params: bookingParams,
    body: { ...booking, confirm: false },
  })
  if (previewed.data?.status !== 'preview') throw new Error(previewed.error?.code ?? 'no preview')
  const { confirmation_token } = previewed.data
  const booked = await client.POST('/v1/bookings', {
    params: bookingParams,
    body: { ...booking, confirm: true, confirmation_token },
  })
  if (booked.data?.status !== 'committed') throw new Error(booked.error?.code ?? 'not booked')

  const moveParams = { ...headers(), path: { booking_id: booked.data.result.booking_id } }
  const movePreview = await client.POST('/v1/bookings/{booking_id}/reschedule', {
    params: moveParams,
    body: { start_time: second, confirm: false },
  })
  if (movePreview.data?.status !== 'preview')
    throw new Error(movePreview.error?.code ?? 'no preview')
  const moved = await client.POST('/v1/bookings/{booking_id}/reschedule', {
    params: moveParams,
    body: {
      start_time: second,
      confirm: true,
      confirmation_token: movePreview.data.confirmation_token,
    },
  })
  if (moved.data?.status !== 'committed') throw new Error(moved.error?.code ?? 'not moved')

  const cancelParams = { ...headers(), path: { booking_id: moved.data.result.booking_id } }
  const cancelPreview = await client.POST('/v1/bookings/{booking_id}/cancel', {
    params: cancelParams,
    body: { confirm: false },
  })
  if (cancelPreview.data?.status !== 'preview')
    throw new Error(cancelPreview.error?.code ?? 'no preview')
  const cancelled = await client.POST('/v1/bookings/{booking_id}/cancel', {
    params: cancelParams,
    body: { confirm: true, confirmation_token: cancelPreview.data.confirmation_token },
  })
  if (cancelled.data?.status !== 'committed')
    throw new Error(cancelled.error?.code ?? 'not cancelled')

  const profileParams = headers()
  const profile = {
    entity_type: 'individual',
    display_name: 'Jordan Doe',
    contact_email: 'jordan@example.com',
  } as const
  const profilePreview = await client.POST('/v1/clients', {
    params: profileParams,
    body: { ...profile, confirm: false },
  })
  if (profilePreview.data?.status !== 'preview')
    throw new Error(profilePreview.error?.code ?? 'no preview')
  const created = await client.POST('/v1/clients', {
    params: profileParams,
    body: { ...profile, confirm: true, confirmation_token: profilePreview.data.confirmation_token },
  })
  if (created.data?.status !== 'committed') throw new Error(created.error?.code ?? 'not created')

  const intakeParams = { ...headers(), path: { client_id: created.data.result.client_id } }
  const answers = { primary_goal: 'retirement' } as const
  const intakePreview = await client.POST('/v1/clients/{client_id}/intake', {
    params: intakeParams,
    body: { answers, confirm: false },
  })
  if (intakePreview.data?.status !== 'preview')
    throw new Error(intakePreview.error?.code ?? 'no preview')
  const submitted = await client.POST('/v1/clients/{client_id}/intake', {
    params: intakeParams,
    body: { answers, confirm: true, confirmation_token: intakePreview.data.confirmation_token },
  })
  if (submitted.data?.status !== 'committed')
    throw new Error(submitted.error?.code ?? 'not submitted')

  const linkParams = headers()
  const invoice = { invoice_id: 'in_mock_open' }
  const linkPreview = await client.POST('/v1/payment-links', {
    params: linkParams,
    body: { ...invoice, confirm: false },
  })
  if (linkPreview.data?.status !== 'preview')
    throw new Error(linkPreview.error?.code ?? 'no preview')
  const linked = await client.POST('/v1/payment-links', {
    params: linkParams,
    body: { ...invoice, confirm: true, confirmation_token: linkPreview.data.confirmation_token },
  })
  if (linked.data?.status !== 'committed') throw new Error(linked.error?.code ?? 'no link')

  // The status of a change tells apart what there is of it, and its answer what was done.
  const { data: status } = await client.GET('/v1/operations/{idempotency_key}', {
    params: { path: { idempotency_key: linkParams.header['Idempotency-Key'] } },
  })
  if (status?.status !== 'committed' || status.answer?.operation !== 'create_payment_link')
    throw new Error('no committed link')
  const again: string = status.answer.result.url

  const { data: read } = await client.GET('/v1/payment-links/{payment_link_id}', {
    params: { path: { payment_link_id: linked.data.result.payment_link_id } },
  })
  const payment: 'unpaid' | 'partly_paid' | 'paid' | 'submitted' | undefined =
    read?.payment_link.payment_status

  const query = { type: 'payment_link.paid' } as const
  const { data: before } = await client.GET('/v1/events', { params: { query } })
  if (!before?.next_cursor) throw new Error('no events')
  const cursor = before.next_cursor
  await pay()
  let paid: number | null | undefined
  for (let tries = 0; tries < 100 && paid === undefined; tries++) {
    const { data: news } = await client.GET('/v1/events', {
      params: { query: { ...query, cursor } },
    })
    for (const event of news?.events ?? [])
      if (event.type === 'payment_link.paid') paid = event.data.amount_paid
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  const refused = await client.POST('/v1/bookings', {
    params: headers(),
    body: { ...booking, start_time: '2020-01-06T10:00:00-05:00', confirm: false },
  })
  return {
    moved_to: moved.data.result.start_time,
    wanted: second,
    state: cancelled.data.result.state,
    intake: submitted.data.result.state,
    url: linked.data.result.url,
    again,
    due: linkPreview.data.preview.due_date,
    payment,
    paid,
    refusal: refused.error?.code,
  }
}
