import { expect, test } from 'vitest'

import type { Ports } from '../../../../src/core/ports/services.ts'
import { practice } from '../../../support/fake-host.ts'
import { callerOf, LINK } from '../confirm/caller.ts'

test('a link that was used before it was found is committed, and not answered as one that can be paid', async () => {
  const world = practice()
  world.adapt = (ports: Ports) => ({
    ...ports,
    payments: {
      ...ports.payments,
      async createLink(request, marker) {
        const ran = await ports.payments.createLink(request, marker)
        return ran.is === 'ok' ? { is: 'ok', facts: { ...ran.facts, used_up: true } } : ran
      },
    },
  })
  const caller = callerOf(world, 'create_payment_link', LINK)
  await caller.preview()
  expect(await caller.commit()).toMatchObject({
    status: 'committed',
    body: {
      result: { state: 'used_up', payment_link_id: 'pl_in_mock_open' },
      summary: expect.stringMatching(/has been paid since, and cannot be used again\.$/),
    },
  })
})
