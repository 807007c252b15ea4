import { TOPIC_NAMES, topicRow } from '../core/domain/events/topics.ts'
import { nearest } from '../practice/operations/hints.ts'
import { DEFAULT_URL, adminArguments, printMore } from './admin-client.ts'
import { CliError, UsageError, runCommand } from './command.ts'
import type { TestShown, WebhookShown } from './webhooks-shown.ts'
import { testLines, waitingWords, webhookLines } from './webhooks-shown.ts'

const TOPIC_LIST = `Topics:
${TOPIC_NAMES.map((topic) => `  ${topic.padEnd(29)}${topicRow(topic).description}`).join('\n')}`

const ADD =
  'npm run webhooks -- add "https://hooks.example.com/…" --events booking.created,booking.cancelled'
const USAGE = `Usage: sends events to an address as they happen: a Zapier Catch Hook, a Make custom webhook, an n8n Webhook node.
  ${ADD}
  npm run webhooks -- list
  npm run webhooks -- test <webhook id>        sends webhook.test now, and shows the receiver’s answer
  npm run webhooks -- secret <webhook id>      makes another signing secret
  npm run webhooks -- resume <webhook id>      sends the waiting events, after a pause or before the next try
                      [--after <cursor>]       … or every event after a next_cursor of GET /v1/events, again
  npm run webhooks -- remove <webhook id>
Options for all: --url https://… of the connector (default http://127.0.0.1:8787); CONNECTOR_API_KEY holds a key with the read
scopes of the topics. A webhook belongs to that key and ends with it. A key with the scope admin can manage the webhooks of every key.
${TOPIC_LIST}`

await runCommand(USAGE, async () => {
  const { api, positionals, values } = adminArguments({
    events: { type: 'string' },
    after: { type: 'string' },
  })
  const [action, given, ...more] = positionals
  if (more.length > 0)
    throw new UsageError('There are too many arguments; put an address in quotation marks.')
  const command = (words: string) =>
    `npm run webhooks -- ${words}${api.url === DEFAULT_URL ? '' : ` --url ${api.url}`}`
  if (action === 'add') return add(given)
  if (action === 'list' && given === undefined) return list()
  const act = new Map(Object.entries({ test, secret, resume, remove })).get(action ?? '')
  if (!act) throw new UsageError('Say what to do: add, list, test, secret, resume or remove.')
  if (given === undefined)
    throw new CliError(`Which webhook? Put its id after ${action}: ${command('list')}`)
  const path = `/v1/webhooks/${encodeURIComponent(given)}`
  return act()

  async function add(url: string | undefined) {
    if (url === undefined)
      throw new CliError(
        'Where should the events go? Put the address after add, in quotation marks; ' +
          `--url is the address of the connector. ${ADD}`,
      )
    const events = topicsIn(values.events)
    const made = (await api.post('/v1/webhooks', { url, events })) as WebhookShown
    const { webhook_id, host, secret: shown } = made
    if (shown === undefined) {
      console.log(`This address already gets these events:\n\n${webhookLines(made, command)}\n`)
      return console.log(
        `Its secret is not shown again. To make another: ${command(`secret ${webhook_id}`)}`,
      )
    }
    console.log(
      `From now on ${events.join(', ')} are sent to ${host}: webhook ${webhook_id} of ${made.caller}.\n`,
    )
    showSecret(shown)
    console.log(
      `\nNext, switch the tool to listening and send it a test event: ${command(`test ${webhook_id}`)}\n` +
        'Each event has ids and a url. A call to that url with an API key shows the details.',
    )
  }

  async function list() {
    const { rows, more } = await api.list<WebhookShown>('/v1/webhooks', 'webhooks')
    if (rows.length === 0) console.log('There are no webhooks yet.')
    for (const webhook of rows) console.log(webhookLines(webhook, command))
    printMore(more, api.url)
  }

  async function test() {
    const tested = (await api.post(`${path}/test`, {})) as TestShown
    if (tested.result !== 'ok') throw new CliError(testLines(tested, command))
    console.log(testLines(tested, command))
  }

  async function secret() {
    showSecret(((await api.post(`${path}/secret`, {})) as { secret: string }).secret)
    console.log(
      'For 24 hours deliveries are also signed with the old secret. ' +
        'Put the new one into the receiver before then.',
    )
  }

  async function resume() {
    const body = values.after === undefined ? {} : { after: values.after }
    const { host, waiting } = (await api.post(`${path}/resume`, body)) as WebhookShown
    const next = waiting === 0 ? 'Each new event' : 'Each waiting event'
    console.log(`Active; ${waitingWords(waiting)}. ${next} is sent to ${host}, in order.`)
  }

  async function remove() {
    await api.delete(path)
    // The same answer comes where there was none.
    console.log(`There is no webhook ${given} now. To see those that are left: ${command('list')}`)
  }
})

/** The topics in `--events`. Raises `CliError`, which lists all topics. */
function topicsIn(text: string | undefined): string[] {
  const topics = (text ?? '').split(/[\s,]+/).filter(Boolean)
  const wrong = topics.findIndex((topic) => !(TOPIC_NAMES as readonly string[]).includes(topic))
  if (topics.length > 0 && wrong === -1) return topics
  const meant = nearest(topics[wrong] ?? '', TOPIC_NAMES)
  const hint = meant === undefined ? '.' : `: did you mean ${meant}?`
  const what =
    topics.length === 0 ? 'it names none.' : `topic ${wrong + 1} in your list is unknown${hint}`
  throw new CliError(
    '--events is a list of topics, such as booking.created,booking.cancelled; ' +
      `${what} Nothing was sent.\n${TOPIC_LIST}`,
  )
}

function showSecret(secret: string) {
  console.log(
    `  ${secret}\n\nThe signing secret is shown only once. ` +
      `Keep it like a password: a receiver that can verify\n` +
      'Standard Webhooks uses it to check that a delivery comes from here. ' +
      'Tools that can’t verify signatures don’t need it.',
  )
}
