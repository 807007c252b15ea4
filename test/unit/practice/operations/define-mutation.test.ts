import { expect, test } from 'vitest'
import * as z from 'zod'

import type { Finished } from '../../../../src/core/confirm/mutation.ts'
import type { Facts } from '../../../../src/core/domain/facts.ts'
import { defineMutation } from '../../../../src/practice/operations/operation.ts'

const visit = z.strictObject({ client_id: z.string() })

const parts = {
  name: 'record_visit',
  title: 'Record a visit',
  description: 'Records a visit.',
  scope: 'clients:write',
  route: 'POST /v1/visits',
  provider: null,
  destructive: false,
  example: { input: {}, result: {} },
  input: visit,
  preview: visit,
  committed: visit,
  summary: () => 'Recorded a visit.',
  recordId: ['client_id'],
  records: () => [],
} as const
const shown = { summary: 'Record a visit.', warnings: [] }
const show = ({ client_id }: { client_id: string }) => ({ ...shown, preview: { client_id } })
const facts = async ({ client_id }: { client_id: string }) => ({ pinned: { client_id } })
const simple = { ...parts, problems: [], facts, show }

const recordVisit = defineMutation({
  ...parts,
  problems: ['client_not_found'],
  async facts({ client_id }, { refuse }) {
    if (client_id === '') throw refuse('client_not_found')
    return { pinned: { client_id, at: 1 }, visits: 3 }
  },
  show: ({ client_id }, { pinned, visits }) => ({
    ...shown,
    preview: { client_id },
    warnings: [`${visits satisfies number} before ${pinned.at satisfies number}`],
  }),
  lockKeys: ({ client_id, at }) => [`${client_id} ${at satisfies number}`],
  result: ({ pinned }) => ({ client_id: pinned.client_id }),
})

test('a definition keeps what its author wrote, and fills in what was left out', () => {
  expect(recordVisit).toMatchObject({ kind: 'mutation', destructive: false, name: 'record_visit' })
  expect(recordVisit.lockKeys({ client_id: 'cl_1', at: 1 })).toEqual(['cl_1 1'])
  expect(recordVisit.steps({})).toEqual([])
  expect(recordVisit.canonical(visit)).toBe(visit)
})

test('a field of a result that `committed` does not have is left out before it is stored, since its change is made', () => {
  const withMore = defineMutation({
    ...simple,
    result: ({ pinned }) => ({ ...pinned, colour: 'red' }),
  })
  const finished = { pinned: { client_id: 'cl_1' } } as unknown as Finished<Facts, object>
  expect(withMore.result(finished)).toEqual({ client_id: 'cl_1' })
})

// What does not compile: `npm run types` fails where one of these compiles again.
test('a definition whose parts do not fit together does not compile', () => {
  defineMutation({
    ...parts,
    problems: ['client_not_found'],
    async facts({ client_id }, { refuse }) {
      // @ts-expect-error `problems` does not list this code, so no document would name it.
      if (client_id === '') throw refuse('booking_not_found')
      return { pinned: { client_id } }
    },
    show,
    result: ({ pinned }) => pinned,
  })
  defineMutation({
    ...simple,
    // @ts-expect-error `committed` says that the result has client_id.
    result: ({ pinned }) => ({ booking_id: pinned.client_id }),
  })
  defineMutation({
    ...simple,
    // @ts-expect-error `facts` pins no such fact.
    lockKeys: ({ booking_id }) => [booking_id],
    result: ({ pinned }) => pinned,
  })
})
