import { env } from 'cloudflare:workers'
import { reset } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'

beforeEach(() => reset())

it('never shows what was rehearsed for an address among what is real', async () => {
  const register = env.REGISTER.getByName('register')
  await register.put('client:cl_x', 'live', '{}', ['k:mac'], '')
  await register.put('booking:bk_mock_1', 'mock', '{}', ['k:mac'], '')
  await register.put('booking:bk_2', 'live', '{}', ['k:mac'], '')
  const { entries, count } = await register.tiedTo('client:cl_x', 'booking', 'live', 20)
  expect([entries.map(({ key }) => key), count]).toEqual([['booking:bk_2'], 1])
  expect((await register.tiedTo('client:cl_x', 'booking', 'mock', 20)).count).toBe(1)
})
