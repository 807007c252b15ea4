import { TrieRouter } from 'hono/router/trie-router'
import { expect, test } from 'vitest'

import { Router } from '../../../../src/api/http/router.ts'

const PATHS = [
  'ALL /*',
  'ALL /owner/*',
  'GET /owner',
  'GET /owner/rules',
  'POST /v1/bookings/search',
  'POST /v1/bookings/:booking_id/cancel',
  'GET /v1/bookings/:booking_id{(?!(?:search)$)[^/]+}',
  'GET /v1/keys/:key_id',
  'DELETE /v1/keys/:key_id',
]
const VALUES = ['bk_1', 'bk_2', 'search', 'é x', '', 'a/b']

test('each path is found as the router of Hono finds it, whatever was asked before', () => {
  const [ours, theirs] = [new Router<string>(), new TrieRouter<string>()]
  const routes = PATHS.map((route) => route.split(' ') as [method: string, path: string])
  for (const [method, path] of routes)
    for (const router of [ours, theirs]) router.add(method, path, `${method} ${path}`)
  const asked = routes.flatMap(([, path]) =>
    VALUES.map((value) => path.replace(/:\w+(\{.*\})?|\*/, value)),
  )
  for (const path of asked.flatMap((one) => [one, `${one}/more`, `${one}x`, one]))
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(ours.match(method, path), `${method} ${path}`).toEqual(theirs.match(method, path))
})
