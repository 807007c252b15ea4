import { describe, expect, test } from 'vitest'
import * as z from 'zod'

import { type Alert, alertFact, alertInWords } from '../../../../src/core/ports/unresolved.ts'
import {
  type AlertFormat,
  formatOf,
  postAlert,
  writtenAlert,
} from '../../../../src/practice/adapters/alerts.ts'
import { fakeHttp } from '../../../support/fakes/http.ts'

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

const TO: Record<AlertFormat, string> = {
  json: 'https://alerts.example.com/x',
  ntfy: 'https://ntfy.sh/consult-1',
  slack: 'https://hooks.slack.com/services/T/B/x',
  teams: 'https://example.webhook.office.com/webhookb2/1',
}

const PAGE = 'https://connector.example.com/owner'

function written(format: AlertFormat, alert: Alert, title = 'Doe & Partners') {
  const { headers, body } = writtenAlert(alert, TO[format], { page: PAGE, title })
  return { headers, body: format === 'ntfy' ? body : (JSON.parse(body) as object) }
}

describe('an alert', () => {
  test.each(Object.keys(DOCUMENTED) as AlertFormat[])('is written as %s documents it', (format) => {
    const { body } = written(format, ASKED)
    DOCUMENTED[format].parse(body)
    expect(JSON.stringify(body)).toContain(TEXT)
  })

  test('is one line for ntfy, with the practice as its title and the change behind it', () => {
    const { headers, body } = written('ntfy', ASKED)
    expect(body).toBe(TEXT)
    expect(headers).toMatchObject({ Title: 'Doe & Partners', Click: URL_OF_CHANGE })
    const { headers: encoded } = written('ntfy', ASKED, 'Müller “Tax”')
    const [, text = ''] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(String(encoded['Title'])) ?? []
    expect(Buffer.from(text, 'base64').toString()).toBe('Müller “Tax”')
  })

  test('leads to the page of the owner where it is about no change', () => {
    expect(written('ntfy', { event: 'test' }).headers).toMatchObject({ Click: PAGE })
  })

  test('arrives at its address', async () => {
    const fake = await fakeHttp({ 'POST /alerts': () => ({ status: 200 }) })
    const target = { to: `${fake.url}/alerts`, page: PAGE, title: 'x', timeoutMs: 10_000 }
    expect(await postAlert(ASKED, target)).toBe(true)
    expect(fake.requests.at(-1)?.body).toMatchObject({ ...ASKED, text: TEXT })
    await fake.stop()
  })

  test('shows no sign of its own as one of Slack', () => {
    const { body } = written('slack', { ...ASKED, fact: '<!channel> & co' })
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
      {
        event: 'degraded',
        reasons: [
          { reason: 'scheduling_provider_refuses', since, operation: 'complete_client_link' },
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
