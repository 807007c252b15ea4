import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { describe, expect, test } from 'vitest'

import { UNREDACTED, recordingSchema, replay } from '../support/fakes/recording.ts'

const FILES = globSync(`${import.meta.dirname}/../support/recordings/*.json`).toSorted()

describe('a recorded exchange', () => {
  test('is there to be replayed', () => expect(FILES.length).toBeGreaterThan(3))

  test.each(FILES.map((path) => [basename(path), path]))('%s', async (_name, path) => {
    const text = readFileSync(path, 'utf8')
    expect(text, 'redact the file: see test/support/recordings/README.md').not.toMatch(UNREDACTED)
    const recording = recordingSchema.parse(JSON.parse(text))
    const { calls, unrecorded, sent } = await replay(recording)
    for (const { ended, wanted } of calls) expect(ended).toMatchObject(wanted)
    expect(unrecorded, 'requests that the file does not have').toEqual([])
    for (const { expected, body } of sent) expect(body).toMatchObject(expected)
  })

  test.each([
    'jane.doe@gmail.com',
    'Bearer abc',
    `cal_live_${'a1'.repeat(12)}`,
    `eyJ${'hbGciOi'.repeat(3)}`,
    `rk_test_${'4'.repeat(12)}`,
  ])('is refused where it is not redacted: %s', (text) => expect(text).toMatch(UNREDACTED))

  test.each(['jane@example.com', 'j@client.example', 'host@practice.example.org'])(
    'is taken where it is: %s',
    (text) => expect(text).not.toMatch(UNREDACTED),
  )
})
