import { type Sample, type SampleCall, type SampleFrame, samplesOf } from './code-samples.ts'
import type { Block, DocPage } from './doc-page.ts'
import { callOf } from './reference-page.ts'
import { type OpenApi, entriesOf, resolvedEntry } from './reference.ts'

const indented = (value: unknown): string => JSON.stringify(value, null, 2)

type Body = { start_time: string; confirm: boolean; confirmation_token?: string }

/**
 * The page of the reference that a developer reads first: three calls, whose code runs as it
 * stands, one after the other.
 */
export function firstBookingPage(document: OpenApi): DocPage {
  const named = (id: string) =>
    resolvedEntry(
      entriesOf(document).find(({ route }) => route.operationId === id)!,
      document,
    )
  const free = named('list_availability')
  const book = named('book_consult')
  const asked = book.route.requestBody!.content['application/json']!.examples!
  const answered = book.route.responses['200']!.content!['application/json']!.examples!
  const preview = asked['preview']!.value as Body
  const commit = asked['commit']!.value as Body
  const start: Sample = {
    curl: '$START',
    TypeScript: 'free.slots[0].start_time',
    Python: 'free["slots"][0]["start_time"]',
  }
  const token: Sample = {
    curl: '$TOKEN',
    TypeScript: 'preview.confirmation_token',
    Python: 'preview["confirmation_token"]',
  }
  const bookWith = (body: Body, idempotency: SampleCall['idempotency']) =>
    callOf(book, document, { body, idempotency })
  const first = samplesOf(callOf(free, document, {}), { answer: 'free' })
  const second = samplesOf(bookWith(preview, 'new'), {
    answer: 'preview',
    instead: { [preview.start_time]: start },
    isContinued: true,
  })
  const frame: SampleFrame = {
    answer: 'booked',
    instead: { [preview.start_time]: start, [commit.confirmation_token!]: token },
    isContinued: true,
  }
  const third = samplesOf(bookWith(commit, 'repeat'), frame)
  const answerOf = (value: unknown): Block => ({ code: indented(value), label: 'Answer' })
  return {
    path: '/docs/api',
    title: 'Your first booking',
    blocks: [
      'Three calls, five minutes. A new connector answers with mock data until you connect ' +
        'a calendar, so no real booking is made. Send an API key as `Authorization: Bearer ' +
        '…` or `X-API-Key: …`; a local trial (`npm start`) needs none.',
    ],
    pairs: [
      {
        text: [
          '### 1. Find a free time',
          'Times come in the zone that you name. Take any `start_time` from the answer.',
        ],
        side: [
          { sample: { ...first, Python: withUuid(first.Python) } },
          answerOf(free.route.responses['200']!.content!['application/json']!.example),
        ],
      },
      {
        text: [
          '### 2. Preview it',
          'Choose a new random key, such as a UUID, and send `"confirm": false`. ' +
            'Nothing is booked. The answer says in one sentence what will happen, and gives ' +
            'a token that is valid for 15 minutes.',
          'Show `summary` and `warnings` to the person who decides.',
        ],
        side: [
          { sample: { ...second, curl: `START=${preview.start_time}\n${second.curl}` } },
          answerOf(answered['preview']!.value),
        ],
      },
      {
        text: [
          '### 3. Commit it',
          'Send the same call with the same key, with `"confirm": true` and the token. ' +
            'However often you send it, one key never books twice.',
          'No answer? Send exactly the same call again. Its answer says what the first call did.',
        ],
        side: [
          { sample: { ...third, curl: `TOKEN=${commit.confirmation_token}\n${third.curl}` } },
          answerOf(answered['committed']!.value),
        ],
      },
    ],
    end: [
      '### What next',
      {
        links: [
          ['Book a consult: all fields and refusals', '/docs/api/book_consult'],
          ['What each error means, and what to do', '/docs/errors'],
          ['All routes and events', '/docs'],
          ['Connect an agent instead of writing code', '/'],
          ['openapi.json, from which openapi-typescript makes types', '/openapi.json'],
        ],
      },
    ],
  }
}

/** The later calls make a key with this module, and a program imports at its beginning. */
const withUuid = (python: string): string =>
  python.replace('import requests', 'import uuid\nimport requests')
