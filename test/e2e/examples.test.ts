// @module-tag slow

import { execFile, spawnSync } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { type Model, Usage, setTracingDisabled } from '@openai/agents-core'
import type { LanguageModel } from 'ai'
import { afterEach, describe, expect, test } from 'vitest'

import { agentOf as aiSdkAgent } from '../../docs/examples/ai-sdk.ts'
import { agentOf as openAiAgent } from '../../docs/examples/openai-agents.ts'
import { connectorForAll, connectorForTest } from '../support/started.ts'
import { bookedStarts, freeStarts, instant, newKey } from '../support/transports.ts'

const FOLDER = fileURLToPath(new URL('../../docs/examples/', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.log('No Python on this machine: its example is not run.')

const PROGRAMS: [file: string, command: string[]][] = [
  [
    'fetch.ts',
    [process.execPath, '--experimental-strip-types', '--disable-warning=ExperimentalWarning'],
  ],
  ...(hasPython ? [['standard_library.py', ['python3']] as [string, string[]]] : []),
]

/** For those that need no calendar of their own. */
const shared = connectorForAll()

describe.each(PROGRAMS)('the program %s', (file, [command = '', ...args]) => {
  /** What it prints, and how it ends, where a person types this. */
  const run = (
    url: string,
    given: string[],
    typed = '',
  ): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'] ?? '', CONNECTOR_URL: url }
      const child = execFile(
        command,
        [...args, FOLDER + file, ...given],
        { env },
        (error, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      )
      child.stdin?.end(typed)
    })

  test('lists free times, shows the preview, and books once after a yes, however often it runs', async () => {
    const connector = await connectorForTest({ vars: { MOCK_FAULTS: 'book:busy' } })
    const { code, output } = await run(connector.url, ['form-81'])
    const times = output.trim().split('\n')
    expect([code, times.length]).toEqual([0, 3])
    const start = times[2]!
    const shown = await run(connector.url, ['form-81', start], 'n\n')
    expect([shown.code, shown.output]).toEqual([
      0,
      expect.stringMatching(/for j\*\*\*@\*\*\*\.com\.[^]*Nothing was booked\./),
    ])
    expect(await bookedStarts(connector)).toEqual([])
    // The provider is busy the first time: the same request is sent again.
    const booked = await run(connector.url, ['form-81', start], ' Yes\n')
    expect([booked.code, booked.output]).toEqual([
      0,
      expect.stringMatching(/Booked .* bk_mock_\w+/),
    ])
    const again = await run(connector.url, ['form-81', start])
    expect(booked.output).toContain(/bk_mock_\w+/.exec(again.output)![0])
    expect(await bookedStarts(connector)).toEqual([instant(start)])
  })

  test('says what is wrong where it is refused', async () => {
    const { code, output } = await run(shared.url, ['form-82', '2020-01-06T10:00:00-05:00'])
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/validation_failed: .*\n {2}\/start_time: .*\nCorrect the fields/),
    ])
  })

  test('says how it is started where it is given nothing', async () => {
    const { code, output } = await run('http://127.0.0.1:9', [])
    expect([code, output]).toEqual([1, expect.stringContaining('form-81')])
    expect(output).not.toMatch(/Traceback|^ {4}at /m)
  })
})

const KEY = newKey()

/** What a model that follows a script does next, by nothing but what it was shown. */
function nextStep(shown: string): { text: string } | { call: object } {
  const booking = /bk_mock_\w+/.exec(shown)?.[0]
  if (booking !== undefined) return { text: `Booked: ${booking}` }
  const [, start_time = ''] = /free at (\d{4}-[\d-]+T[\d:]+[+-][\d:]+)/.exec(shown) ?? []
  const guest = {
    timezone: 'America/New_York',
    invitee_email: 'jordan@example.com',
    invitee_name: 'Jordan Doe',
  }
  const consult = { start_time, ...guest, idempotency_key: KEY }
  const confirmation_token = /ct_[\w-]+\.[\w-]+/.exec(shown)?.[0]
  if (confirmation_token === undefined) return { call: { ...consult, confirm: false } }
  if (!shown.includes('Yes, book it')) return { text: 'Shall I book this consult?' }
  return { call: { ...consult, confirm: true, confirmation_token } }
}

const scriptedLanguageModel = (): LanguageModel => ({
  specificationVersion: 'v4',
  provider: 'script',
  modelId: 'script',
  supportedUrls: {},
  doGenerate({ prompt }) {
    const step = nextStep(JSON.stringify(prompt))
    const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 }
    return Promise.resolve({
      content: [
        'text' in step
          ? { type: 'text', text: step.text }
          : {
              type: 'tool-call',
              toolCallId: newKey(),
              toolName: 'book_consult',
              input: JSON.stringify(step.call),
            },
      ],
      finishReason: { unified: 'text' in step ? 'stop' : 'tool-calls', raw: undefined },
      usage: { inputTokens: none, outputTokens: none },
      warnings: [],
    })
  },
  doStream: () => Promise.reject(new Error('The script is not streamed.')),
})

const scriptedModel = (): Model => ({
  getResponse({ input }) {
    const step = nextStep(JSON.stringify(input))
    const callId = newKey()
    return Promise.resolve({
      usage: new Usage(),
      output: [
        'text' in step
          ? {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: step.text }],
            }
          : {
              type: 'function_call',
              callId,
              name: 'book_consult',
              arguments: JSON.stringify(step.call),
            },
      ],
    })
  },
  getStreamedResponse() {
    throw new Error('The script is not streamed.')
  },
})

setTracingDisabled(true)

describe.each([
  ['ai-sdk.ts', (url: string) => aiSdkAgent(scriptedLanguageModel(), url)],
  ['openai-agents.ts', (url: string) => openAiAgent(scriptedModel(), url)],
])('the agent of %s', (_file, agentOf) => {
  let close = (): Promise<void> => Promise.resolve()
  afterEach(() => close())

  test('shows a preview, and books after a yes', async () => {
    const connector = await connectorForTest()
    const [start = ''] = await freeStarts(connector)
    const agent = await agentOf(connector.url)
    close = () => agent.close()
    expect(
      await agent.say(`Book a consult for Jordan Doe, jordan@example.com. We are free at ${start}`),
    ).toBe('Shall I book this consult?')
    expect(await bookedStarts(connector)).toEqual([])
    expect(await agent.say('Yes, book it.')).toMatch(/^Booked: bk_mock_\w+$/)
    expect(await bookedStarts(connector)).toEqual([instant(start)])
  })
})

interface HttpNode {
  name: string
  type: string
  parameters: {
    method: string
    url: string
    headerParameters: { parameters: { name: string; value: string }[] }
    jsonBody: string
  }
}

interface Workflow {
  nodes: HttpNode[]
  connections: Record<string, { main: { node: string }[][] }>
}

describe('the workflow n8n.json', () => {
  test('previews, asks, and commits what was shown: its requests, replayed, book once', async () => {
    const { nodes, connections } = JSON.parse(
      await readFile(`${FOLDER}n8n.json`, 'utf8'),
    ) as Workflow
    const [start_time] = await freeStarts(shared)
    const body = { id: 'form-81', start_time, timezone: 'America/New_York' }
    const person = { email: 'jordan@example.com', name: 'Jordan Doe' }
    const outputs = new Map<string, unknown>([
      ['Form entry', { body: { ...body, ...person } }],
      ['Ask a person', { data: { approved: true } }],
      ['Approved?', { data: { approved: true } }],
    ])
    const sent: { key: string; body: object }[] = []
    for (
      let name = 'Form entry', json: unknown;
      name;
      name = connections[name]?.main[0]?.[0]?.node ?? ''
    ) {
      const node = nodes.find((one) => one.name === name)!
      if (node.type.endsWith('.httpRequest')) {
        const { method, url, headerParameters, jsonBody } = node.parameters
        const [header] = headerParameters.parameters
        const key = valueOf(header!.value, json, outputs)
        const text = valueOf(jsonBody, json, outputs)
        sent.push({ key, body: JSON.parse(text) as object })
        const response = await fetch(url.replace('https://connector.example.com', shared.url), {
          method,
          headers: { 'Content-Type': 'application/json', [header!.name]: key },
          body: text,
        })
        expect([name, response.status]).toEqual([name, 200])
        outputs.set(name, await response.json())
      }
      json = outputs.get(name)
    }
    expect(sent.map(({ key }) => key)).toEqual(['booking-form-81', 'booking-form-81'])
    const [preview, commit] = sent.map((one) => one.body as Record<string, unknown>)
    const { confirmation_token, ...committed } = commit!
    expect(committed).toEqual({ ...preview, confirm: true })
    expect(confirmation_token).toMatch(/^ct_/)
    expect(outputs.get('Commit')).toMatchObject({ status: 'committed' })
    expect(await bookedStarts(shared)).toEqual([instant(start_time!)])
  })

  test('leads on to no commit where the person says no', async () => {
    const { connections } = JSON.parse(await readFile(`${FOLDER}n8n.json`, 'utf8')) as Workflow
    expect(connections['Approved?']?.main).toEqual([
      [expect.objectContaining({ node: 'Commit' })],
      [],
    ])
  })
})

/** A parameter of a node as n8n fills it: after `=`, each `{{ … }}` is JavaScript. */
function valueOf(parameter: string, json: unknown, outputs: ReadonlyMap<string, unknown>): string {
  if (!parameter.startsWith('=')) return parameter
  return parameter.slice(1).replaceAll(/\{\{(.*?)\}\}(?!\})/g, (_all, expression: string) => {
    // oxlint-disable-next-line typescript/no-implied-eval -- a file of this repository
    const evaluate = new Function('$json', '$', `return (${expression})`) as (
      $json: unknown,
      $: (name: string) => { item: { json: unknown } },
    ) => unknown
    return String(evaluate(json, (name) => ({ item: { json: outputs.get(name) } })))
  })
}

test('every example is named on the page of the examples', async () => {
  const page = await readFile(`${FOLDER}README.md`, 'utf8')
  for (const name of await readdir(FOLDER))
    if (name !== 'README.md') expect(page).toContain(`](${name})`)
})
