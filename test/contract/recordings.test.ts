import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { Problem } from '../../src/core/domain/problem/problem.ts'
import { calcomScheduling } from '../../src/practice/adapters/scheduling/calcom/index.ts'
import { calendlyScheduling } from '../../src/practice/adapters/scheduling/calendly/index.ts'
import { UNREDACTED, recordingSchema, replayed, withInstants } from '../support/fakes/recording.ts'

const FILES = globSync(`${import.meta.dirname}/../support/recordings/*.json`).toSorted()
const ADAPTERS = { calcom: calcomScheduling, calendly: calendlyScheduling }

describe('a recorded exchange', () => {
  test('is there to be replayed', () => expect(FILES.length).toBeGreaterThan(3))

  test.each(FILES.map((path) => [basename(path), path]))('%s', async (_name, path) => {
    const text = readFileSync(path, 'utf8')
    expect(text, 'redact the file: see test/support/recordings/README.md').not.toMatch(UNREDACTED)
    const recording = recordingSchema.parse(JSON.parse(text))
    const provider = replayed(recording)
    const port = ADAPTERS[recording.provider]({
      token: 'of-the-replay',
      timeoutMs: 5_000,
      fetch: provider.fetch,
      now: () => Date.parse(recording.now),
      eventTypeIds: recording.event_types,
    })
    for (const { call, arguments: given, answer, refusal } of recording.calls) {
      const method: unknown = call
        .split('.')
        .reduce<unknown>((at, name) => Reflect.get(at as object, name) as unknown, port)
      const asked = (method as (...all: unknown[]) => Promise<unknown>)(
        ...(withInstants(given) as unknown[]),
      )
      const ended = await asked.catch((thrown: unknown) => thrown)
      if (refusal) expect((ended as Problem).refusal).toMatchObject(refusal)
      else {
        expect(ended).not.toBeInstanceOf(Error)
        expect({ [call]: ended }).toMatchObject({ [call]: withInstants(answer) })
      }
    }
    expect(provider.unrecorded, 'requests that the file does not have').toEqual([])
    for (const { expected, body } of provider.sent) expect(body).toMatchObject(expected)
  })

  test.each([
    'jane.doe@gmail.com',
    'Bearer abc',
    `cal_live_${'a1'.repeat(12)}`,
    `eyJ${'hbGciOi'.repeat(3)}`,
  ])('is refused where it is not redacted: %s', (text) => expect(text).toMatch(UNREDACTED))

  test.each(['jane@example.com', 'j@client.example', 'host@practice.example.org'])(
    'is taken where it is: %s',
    (text) => expect(text).not.toMatch(UNREDACTED),
  )
})
