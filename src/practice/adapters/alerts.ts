import { type Alert, alertInWords } from '../../core/ports/unresolved.ts'
import { abortedAfter } from '../../core/with-timeout.ts'

/** How alerts to the owner can be written. */
export type AlertFormat = 'json' | 'ntfy' | 'slack' | 'teams'

/** The hosts of each program, as their documentation names them. */
const HOSTS: readonly [host: RegExp, format: AlertFormat][] = [
  [/^ntfy\./, 'ntfy'],
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  [/\.webhook\.office\.com$|\.logic\.azure\.com$|\.powerplatform\.com$/, 'teams'],
]

/** How alerts to an address are written: JSON with `text` and `url` where its host is not known. */
export const formatOf = (url: string): AlertFormat => {
  const { hostname } = new URL(url)
  return HOSTS.find(([host]) => host.test(hostname))?.[1] ?? 'json'
}

interface Message {
  /** The event with its fields. */
  alert: Alert
  text: string
  /** The page where the owner decides or reads on; undefined where the connector has no public address. */
  url: string | undefined
  /** The name of the practice. */
  title: string
}

type Written = { headers: Record<string, string>; body: string }

const json = (body: object): Written => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

const WRITTEN: Record<AlertFormat, (message: Message) => Written> = {
  json: ({ alert, text, url }) => json({ ...alert, url, text }),
  // https://docs.ntfy.sh/publish: the body is the message.
  ntfy: ({ text, url, title }) => ({
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Title: headerText(title),
      ...(url !== undefined && { Click: url }),
    },
    body: text,
  }),
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  slack: ({ text, url }) =>
    json({ text: `${mrkdwn(text)}${url === undefined ? '' : ` <${url}|Open>`}` }),
  // A Workflows webhook takes a message with one Adaptive Card.
  teams: ({ text, url }) =>
    json({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [{ type: 'TextBlock', text, wrap: true }],
            ...(url !== undefined && {
              actions: [{ type: 'Action.OpenUrl', title: 'Open', url }],
            }),
          },
        },
      ],
    }),
}

/** Slack reads these three signs as its own. */
const mrkdwn = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A text that a header can hold: outside ASCII it is encoded (RFC 2047), which ntfy reads. */
const headerText = (text: string) =>
  /^[\x20-\x7e]*$/.test(text)
    ? text
    : `=?UTF-8?B?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`

interface AlertTarget {
  /** Where alerts go; undefined where the owner set no address. */
  to: string | undefined
  /** The page of the owner. */
  page: string | undefined
  title: string
  timeoutMs: number
}

/** An event as the program at this address documents that it takes it. */
export function writtenAlert(
  alert: Alert,
  to: string,
  { page, title }: Pick<AlertTarget, 'page' | 'title'>,
): Written {
  const url = 'url' in alert ? alert.url : page
  return WRITTEN[formatOf(to)]({ alert, text: alertInWords(alert), url, title })
}

/** Posts an event to the owner, without personal data. True if it arrived, or no address is set. */
export async function postAlert(alert: Alert, target: AlertTarget): Promise<boolean> {
  const { to, timeoutMs } = target
  if (to === undefined) return true
  const written = writtenAlert(alert, to, target)
  const init = { method: 'POST', redirect: 'manual', ...written } as const
  const { ok } = await abortedAfter(timeoutMs, (signal) => fetch(to, { ...init, signal }))
  return ok
}
