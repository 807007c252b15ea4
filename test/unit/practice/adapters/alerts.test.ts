import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'

import type { AlertFormat } from '../../../../src/core/domain/alert-format.ts'
import { type Alert, alertFact, alertInWords } from '../../../../src/core/ports/unresolved.ts'
import { formatOf, postAlert } from '../../../../src/practice/adapters/alerts.ts'
import { type FakeHttp, fakeHttp } from '../../../support/fakes/http.ts'

const URL_OF_CHANGE = 'https://connector.example.com/approve/8061'
const ASKED: Alert = {
  event: 'approval_needed',
  operation_id: '8061',
  operation: 'create_payment_link',
  code: 'F20K',
  url: URL_OF_CHANGE,
  fact: '$250.00, MOCK-0001',
}
const TEXT = 'Approve F20K: create payment link, $250.00, MOCK-0001'

/** What each program documents that it takes, and no more. */
const DOCUMENTED: Record<AlertFormat, z.ZodType> = {
  json: z.looseObject({ event: z.string(), text: z.string().max(120), url: z.url() }),
  ntfy: z.string().max(4096),
  slack: z.strictObject({ text: z.string() }),
  teams: z.strictObject({
    type: z.literal('message'),
    attachments: z.tuple([
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.literal('1.4'),
          body: z.tuple([
            z.strictObject({ type: z.literal('TextBlock'), text: z.string(), wrap: z.boolean() }),
          ]),
          actions: z.tuple([
            z.strictObject({
              type: z.literal('Action.OpenUrl'),
              title: z.string(),
              url: z.url(),
            }),
          ]),
        }),
      }),
    ]),
  }),
}

let fake: FakeHttp
beforeAll(async () => {
  fake = await fakeHttp({ 'POST /alerts': () => ({ status: 200 }) })
})
beforeEach(() => {
  fake.requests.length = 0
})
afterAll(() => fake.stop())

const posted = async (format: AlertFormat, alert: Alert, title = 'Doe & Partners') => {
  const to = `${fake.url}/alerts`
  const page = 'https://connector.example.com/owner'
  expect(await postAlert(alert, { to, format, page, title, timeoutMs: 10_000 })).toBe(true)
  return fake.requests.at(-1)!
}

describe('an alert', () => {
  test.each(Object.keys(DOCUMENTED) as AlertFormat[])(
    'is written as %s documents it',
    async (format) => {
      const { body: json, text } = await posted(format, ASKED)
      const body = format === 'ntfy' ? text : json
      DOCUMENTED[format].parse(body)
      expect(JSON.stringify(body)).toContain(TEXT)
    },
  )

  test('is one line for ntfy, with the practice as its title and the change behind it', async () => {
    const { headers, text: sent } = await posted('ntfy', ASKED)
    expect(sent).toBe(TEXT)
    expect(headers).toMatchObject({ title: 'Doe & Partners', click: URL_OF_CHANGE })
    const { headers: encoded } = await posted('ntfy', ASKED, 'Müller “Tax”')
    const [, text = ''] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(String(encoded['title'])) ?? []
    expect(Buffer.from(text, 'base64').toString()).toBe('Müller “Tax”')
  })

  test('leads to the page of the owner where it is about no change', async () => {
    expect((await posted('ntfy', { event: 'test' })).headers).toMatchObject({
      click: 'https://connector.example.com/owner',
    })
  })

  test('shows no sign of its own as one of Slack', async () => {
    const { body } = await posted('slack', { ...ASKED, fact: '<!channel> & co' })
    expect(body).toEqual({
      text: `Approve F20K: create payment link, &lt;!channel&gt; &amp; co <${URL_OF_CHANGE}|Open>`,
    })
  })

  test.each([
    ['https://ntfy.sh/consult-1', 'ntfy'],
    ['https://ntfy.example.com/x', 'ntfy'],
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://prod-1.westus.logic.azure.com:443/workflows/1', 'teams'],
    ['https://a.b.environment.api.powerplatform.com/powerautomate', 'teams'],
    ['https://example.webhook.office.com/webhookb2/1', 'teams'],
    ['https://hooks.slack.com.example.com/x', 'json'],
    ['https://hooks.zapier.com/hooks/catch/1/x', 'json'],
  ])('to %s is written as %s', (url, format) => expect(formatOf(url)).toBe(format))

  test('is short enough for a lock screen, whatever it is about', () => {
    const since = '2026-11-24T09:00:00Z'
    const all: Alert[] = [
      { ...ASKED, fact: 'x'.repeat(500) },
      { event: 'needs_attention', operation_id: '1', operation: 'complete_client_link', since },
      { event: 'provider_webhook_broken', provider: 'calendly', reason: 'x' },
      { event: 'webhook_paused', webhook_id: 'wh_1', caller: 'key:1', since },
      { event: 'backup_failed', since },
      {
        event: 'degraded',
        reasons: [
          { reason: 'scheduling_provider_refuses', since },
          { reason: 'backups_fail', since },
        ],
      },
      { event: 'recovered' },
      { event: 'test' },
    ]
    for (const alert of all) expect(alertInWords(alert).length).toBeLessThanOrEqual(120)
  })

  test('says an amount and its invoice, or the time of the practice, and never a person', () => {
    const person = { invitee_name: 'J. D.', invitee_email: 'j***@***.com', display_name: 'J. D.' }
    expect(
      alertFact({ ...person, amount_display: '$250.00', invoice_number: 'MOCK-0001' }, 'UTC'),
    ).toBe('$250.00, MOCK-0001')
    expect(alertFact({ ...person, start_time: '2026-12-03T14:00:00Z' }, 'America/New_York')).toBe(
      'Thu, Dec 3, 9:00 AM EST',
    )
    expect(alertFact(person, 'UTC')).toBe('')
  })
})
