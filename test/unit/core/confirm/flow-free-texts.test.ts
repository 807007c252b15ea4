import { expect, test } from 'vitest'

import { freeTexts } from '../../../../src/core/domain/sensitive-data/sensitive-data.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'
import { formsOf } from '../../../../src/practice/operations/validation.ts'
import { practice } from '../../../support/fake-host.ts'
import { callerOf, fieldsOf } from './caller.ts'

const WRITTEN = 'Quokka Marmalade'

/** Every field of a change that takes a text of a person. */
const TEXTS = MUTATIONS.flatMap(({ name, input }) =>
  Object.entries(input.shape).flatMap(([field, schema]) =>
    formsOf(schema).some((form) => freeTexts.get(form)?.isFree) ? [{ operation: name, field }] : [],
  ),
)

test('changes take texts of persons', () => {
  expect(TEXTS).toContainEqual({ operation: 'cancel_booking', field: 'reason' })
})

test.each(TEXTS)(
  'the $field of $operation is kept by no record, before its commit and after it',
  async ({ operation, field }) => {
    const world = practice()
    const fields = await fieldsOf(operation, world)
    // An acceptance has no reason.
    const declines = operation === 'respond_to_booking' && { decision: 'decline' }
    const caller = callerOf(world, operation, { ...fields, ...declines, [field]: WRITTEN })
    expect(await caller.preview()).toMatchObject({ status: 'preview' })
    const how = `name ${field} in the sealed texts that show returns, or mask it in the preview`
    expect(JSON.stringify(await caller.record()), how).not.toContain('Quokka')
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    expect(JSON.stringify(await caller.record()), how).not.toContain('Quokka')
  },
)
