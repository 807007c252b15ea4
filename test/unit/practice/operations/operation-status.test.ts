import { expect, test } from 'vitest'

import { confirmationName } from '../../../../src/core/confirm/token.ts'
import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import type { Context } from '../../../../src/practice/operations/context.ts'
import { operationStatus } from '../../../../src/practice/operations/operation-status.ts'
import { practice } from '../../../support/fake-host.ts'
import { BOOKING, callerOf } from '../../core/confirm/caller.ts'

test('the status of a change is given to its own caller alone, who may make such a change', async () => {
  const world = practice()
  const key = 'a key of this caller'
  await callerOf(world, 'book_consult', BOOKING, { key }).preview()
  const services = { confirmations: world }
  const context = { caller: 'tester', services, origin: '', requestId: 'r' } as unknown as Context
  const asked = (scopes: Context['scopes']) => operationStatus(key, { ...context, scopes })
  expect(await asked(['bookings:write'])).toMatchObject({
    status: 'previewed',
    operation: 'book_consult',
  })
  const another = { ...context, caller: 'another', scopes: ['bookings:write'] as const }
  expect(await operationStatus(key, another)).toMatchObject({ status: 'never_seen' })
  const refused = await asked(['bookings:read']).catch((thrown: unknown) => thrown)
  expect(refused).toBeInstanceOf(Problem)
  expect((refused as Problem).refusal).toMatchObject({
    code: 'insufficient_scope',
    required_scope: 'bookings:write',
  })
  expect(await confirmationName('tester', key)).toMatch(/^[0-9a-f]{64}$/)
})
