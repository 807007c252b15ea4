import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import type { CheckedBackup } from '../../../src/cli/backup/file.ts'
import { fillConnector } from '../../../src/cli/backup/fill.ts'

test('a page that answers in place of a connector is no answer: the line is sent again', async () => {
  const answers = ['<html>soon</html>', '{}', '{}', '{"rows":{"RECORDS.records":1}}']
  const server = createServer((_request, response) => response.end(answers.shift()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const checked = { lines: [['the head'], ['a line']] } as unknown as CheckedBackup
  const rows = fillConnector(`http://127.0.0.1:${port}`, 'rst_token', checked)
  expect(await rows.finally(() => server.close())).toEqual({ 'RECORDS.records': 1 })
})
