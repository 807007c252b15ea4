// @module-tag slow

import { expect, test } from 'vitest'

import { runCommand } from '../support/command.ts'
import { sharedConnector } from '../support/started.ts'
import { done } from '../support/transports.ts'

const connector = sharedConnector()

/** `npm run forget` as it is run, with no terminal. */
async function forget(...given: string[]): Promise<{ code: number; said: string }> {
  const { code, stdout, stderr } = await runCommand('forget', ['--url', connector.url, ...given])
  return { code, said: code === 0 ? stdout : stdout + stderr }
}

test('npm run forget shows what it would delete, deletes only after a yes, and says so when it is done', async () => {
  const profile = { display_name: 'Robin Castle', contact_email: 'robin@castle.example' }
  const made = await done(connector, 'REST', 'create_client_profile', {
    entity_type: 'individual',
    ...profile,
  })
  const client_id = String(made.result['client_id'])
  await done(connector, 'REST', 'submit_intake_answers', {
    client_id,
    answers: { primary_goal: 'other' },
  })
  const held = async () => (await connector.rest(`/v1/clients/${client_id}/deletion`)).text

  const unsure = await forget(client_id)
  expect(unsure.code).toBe(1)
  expect(unsure.said).toMatch(/r\*\*\*@\*\*\*\.example[\s\S]*1 submission[\s\S]*--yes/)
  expect(await held()).toContain('"deleted":false')

  expect(await forget(client_id, '--yes')).toMatchObject({
    code: 0,
    said: expect.stringContaining('Deleted.'),
  })
  expect(await held()).toContain('"deleted":true')
  expect(await forget(client_id, '--yes')).toMatchObject({
    code: 0,
    said: expect.stringContaining('already deleted'),
  })

  const unknown = await forget('cl_nobody', '--yes')
  expect(unknown).toMatchObject({ code: 1, said: expect.stringContaining('There is no client') })
})
