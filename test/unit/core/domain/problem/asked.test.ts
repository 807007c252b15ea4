import { describe, expect, test } from 'vitest'

import { problemBody } from '../../../../../src/core/domain/problem/problem.ts'
import { EVERY_OPERATION } from '../../../../../src/practice/operations/operation.ts'

const OF_PROVIDERS = ['provider_busy', 'provider_misconfigured'] as const
const said = (
  code: (typeof OF_PROVIDERS)[number] | (typeof EVERY_OPERATION)[number],
  asked: 'read' | 'preview' | 'commit',
) => {
  const { detail, next_step } = problemBody({ code, effect: 'none' }, 'id', '', asked)
  return `${detail} ${next_step}`
}

describe('a refusal', () => {
  test.each([...EVERY_OPERATION, ...OF_PROVIDERS])(
    '%s of a read speaks of no idempotency key and no token: a read has neither',
    (code) => expect(said(code, 'read')).not.toMatch(/idempotency|confirmation_token|new key/),
  )

  test.each([...EVERY_OPERATION, ...OF_PROVIDERS, 'house_rule' as const])(
    '%s of a preview speaks of no token: there is none yet',
    (code) => expect(said(code as 'paused', 'preview')).not.toContain('confirmation_token'),
  )

  test('of a commit says that its token remains valid, where it does', () => {
    for (const code of OF_PROVIDERS)
      expect(said(code, 'commit')).toMatch(/confirmation_token remains valid/)
  })

  test('begins with what to correct: some programs show its beginning alone', () => {
    const errors = [{ pointer: '/start_time', detail: 'Expected a time in the future.' }]
    const refusal = { code: 'validation_failed', effect: 'none', errors } as const
    const body = problemBody(refusal, 'id', 'https://practice.example')
    expect(JSON.stringify(body).slice(0, 200)).toContain(errors[0]!.detail)
  })

  test.each([
    [['', '/email', '/email'], 'Where: /email.'],
    [['/a', '/b', '/c', '/d', '/e', '/f'], 'Where: /a, /b, /c, /d, /e, ….'],
  ])('about %j says so in its detail, which is all that some programs show', (pointers, where) => {
    const errors = pointers.map((pointer) => ({ pointer, detail: 'Expected another value.' }))
    const { detail } = problemBody({ code: 'validation_failed', effect: 'none', errors }, 'id', '')
    expect(detail.endsWith(` ${where}`)).toBe(true)
  })
})
