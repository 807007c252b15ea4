import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { failed } from '../support/fakes/cloudflare-bodies.ts'
import { type FakeCloudflare, fakeCloudflare } from '../support/fakes/cloudflare.ts'
import { answerBefore } from '../support/fakes/http.ts'
import { type Clone, freshClone } from './clone.ts'
import { servedBy } from './served.ts'

const NAME = 'consult-connector'
const SECOND = 'consult-second'
const BUCKET = `${NAME}-backups`
const ENTER = '\r'
const DOWN = '\u001B[B'
const QUESTION = 'Keep a backup in this account each night'

const CLIENT = {
  entity_type: 'individual',
  display_name: 'Jordan Zibblethwaite',
  contact_email: 'jordan@plumbwick.example',
}

describe(
  'backups at Cloudflare, with real wrangler against an account of this machine',
  { tags: 'slow' },
  () => {
    let fake: FakeCloudflare
    let clone: Clone
    let served: Awaited<ReturnType<typeof servedBy>>
    let restored: Awaited<ReturnType<typeof servedBy>>
    let env: Record<string, string>
    let key = ''
    let file = ''
    let done: { key: string; text: string; fields: object }

    beforeAll(async () => {
      fake = await fakeCloudflare()
      clone = freshClone()
      served = await servedBy(fake, NAME)
      restored = await servedBy(fake, SECOND)
      env = {
        CLOUDFLARE_API_BASE_URL: fake.url,
        CLOUDFLARE_API_TOKEN: fake.state.token,
        DEPLOY_CHECK_URL: served.url,
      }
    })
    afterAll(async () => {
      await served.stop()
      await restored.stop()
      await fake.stop()
      clone.remove()
    })

    const bindingOf = (worker: string, name: string) =>
      fake.worker(worker).bindings.find((binding) => binding.name === name)
    const bucketOf = (worker: string) => bindingOf(worker, 'BACKUPS')?.bucket_name
    const setting = (text: string) =>
      writeFileSync(join(clone.root, '.deploy.env'), `${clone.read('.deploy.env')}${text}\n`)
    const client = async (url: string, idempotencyKey: string, fields: object) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      }
      return (
        await fetch(`${url}/v1/clients`, { method: 'POST', headers, body: JSON.stringify(fields) })
      ).text()
    }

    test('deploy asks about a backup each night once there is a key, and only at a terminal', async () => {
      const first = await clone.run('deploy', [], env, { answers: [] })
      expect(first.code, first.output).toBe(0)
      expect(first.output).not.toContain(QUESTION)
      key = /\bccn_[0-9A-Za-z]{49}\b/.exec(first.output)![0]
      const made = await clone.run(
        'backup',
        ['--new-key', '--url', served.url, '--key', join(clone.root, 'key.txt')],
        env,
      )
      expect(made.code, made.output).toBe(0)
      expect(clone.read('.deploy.env')).toContain('BACKUP_RECIPIENT=age1')
      const unasked = await clone.run('deploy', [], env)
      expect(unasked.code, unasked.output).toBe(0)
      expect(unasked.output).not.toContain(QUESTION)
      expect(bindingOf(NAME, 'BACKUP_RECIPIENT')?.text).toMatch(/^age1/)
      expect(bucketOf(NAME)).toBe(undefined)
    })

    test('without R2 a yes is not remembered, and deploys without a bucket', async () => {
      const { code, output } = await clone.run('deploy', [], env, { answers: [[QUESTION, ENTER]] })
      expect(code, output).toBe(0)
      expect(output).toContain('Enable R2 in the dashboard; npm run deploy asks again')
      expect(clone.read('.deploy.env')).not.toContain('BACKUP_BUCKET')
    })

    test('a no is remembered', async () => {
      const { code, output } = await clone.run('deploy', [], env, {
        answers: [[QUESTION, DOWN + ENTER]],
      })
      expect(code, output).toBe(0)
      expect(clone.read('.deploy.env')).toContain('BACKUP_BUCKET=no\n')
      const again = await clone.run('deploy', [], env, { answers: [] })
      expect(again.output).not.toContain(QUESTION)
      expect(again.output).toContain('unchanged since the last upload')
      writeFileSync(
        join(clone.root, '.deploy.env'),
        clone.read('.deploy.env')!.replace('BACKUP_BUCKET=no\n', ''),
      )
    })

    test('a yes makes a bucket that drops each file after 35 days, and it is bound two deploys later, too', async () => {
      fake.state.buckets = new Map()
      const { code, output } = await clone.run('deploy', [], env, { answers: [[QUESTION, ENTER]] })
      expect(code, output).toBe(0)
      expect(output).toContain(
        '35 nights of 3 MB are 0.1 GB; 10 GB a month are free, then $0.015 each',
      )
      expect(bucketOf(NAME)).toBe(BUCKET)
      expect(fake.state.buckets.get(BUCKET)).toMatchObject([
        {
          enabled: true,
          conditions: { prefix: '' },
          deleteObjectsTransition: { condition: { type: 'Age', maxAge: 35 * 86_400 } },
        },
      ])
      expect(clone.read('wrangler.toml')).not.toContain('r2')
      setting("PRACTICE_NAME='Doe'")
      expect((await clone.run('deploy', [], env, { answers: [] })).output).not.toContain(QUESTION)
      expect(bucketOf(NAME)).toBe(BUCKET)
      // From another machine, which only knows what is deployed.
      writeFileSync(join(clone.root, '.deploy.env'), "PRACTICE_NAME='Roe'\n")
      const other = await clone.run('deploy', [], env)
      expect(other.code, other.output).toBe(0)
      expect([bindingOf(NAME, 'PRACTICE_NAME')?.text, bucketOf(NAME)]).toEqual(['Roe', BUCKET])
    })

    test('without a file it lists what is in the bucket, gets the newest, and a drill tries that', async () => {
      const options = [
        '--url',
        served.url,
        '--key',
        join(clone.root, 'key.txt'),
        '--out',
        clone.root,
      ]
      const got = await clone.run('backup', options, { ...env, CONNECTOR_API_KEY: key })
      expect(got.code, got.output).toBe(0)
      const made = readdirSync(clone.root).find((name) => name.endsWith('.age'))!
      const bytes = new Uint8Array(readFileSync(join(clone.root, made)))
      rmSync(join(clone.root, made))
      fake.state.objects.set('consult-2025-01-01T031742Z-0123abcd.age', Uint8Array.of(1))
      fake.state.objects.set(made, bytes)
      fake.state.objects.set('consult-notes.txt', Uint8Array.of(1))
      const args = ['--drill', '--key', join(clone.root, 'key.txt')]
      const drill = await clone.run('restore', args, env)
      expect(drill.code, drill.output).toBe(0)
      expect(drill.output).toMatch(new RegExp(`2 backups in ${BUCKET}[^]*${made}[^]*consult-2025`))
      expect(drill.output).toContain('This backup can be restored.')
      rmSync(join(clone.root, made))
    })

    test('a restore makes a new Worker at a terminal, with storage of its own, and goes on where it broke off', async () => {
      const fields = { ...CLIENT, confirm: false }
      const { confirmation_token } = JSON.parse(await client(served.url, 'key-of-one', fields)) as {
        confirmation_token: string
      }
      const commit = { ...CLIENT, confirm: true, confirmation_token }
      done = {
        key: 'key-of-one',
        fields: commit,
        text: await client(served.url, 'key-of-one', commit),
      }
      expect(done.text).toContain('"committed"')
      const options = [
        '--url',
        served.url,
        '--key',
        join(clone.root, 'key.txt'),
        '--out',
        clone.root,
      ]
      const got = await clone.run('backup', options, { ...env, CONNECTOR_API_KEY: key })
      expect(got.code, got.output).toBe(0)
      file = join(
        clone.root,
        readdirSync(clone.root).find((name) => name.endsWith('.age'))!,
      )

      const there = new Set(fake.state.namespaces.map(({ id }) => id))
      const secrets = ['SIGNING_SECRET', 'OWNER_KEY_SHA256'].map(
        (name) => bindingOf(NAME, name)?.text,
      )
      const args = [file, '--key', join(clone.root, 'key.txt'), '--name', SECOND]
      const at = { ...env, DEPLOY_CHECK_URL: restored.url }
      const before = fake.requests.length
      const changed = () => fake.requests.slice(before).filter(({ method }) => method !== 'GET')
      const unasked = await clone.run('restore', args, at)
      expect([unasked.code, changed()]).toEqual([1, []])
      expect(unasked.output).toContain('Type the name of the Worker at a terminal')
      // The owner keeps them all.
      const named: [string, string][] = [
        ['Which of them may act again?', `a${ENTER}`],
        [`Restore into ${SECOND}? Type its name:`, `${SECOND}${ENTER}`],
      ]
      const taken = await clone.run('restore', args.with(-1, NAME), at, { answers: [] })
      expect([taken.code, changed()]).toEqual([1, []])
      expect(taken.output).toContain(
        `There is a Worker called ${NAME} already; nothing was changed.`,
      )

      fake.fault('deleteSecret', answerBefore(400, failed(400, 10000, 'no').body), 10)
      const broken = await clone.run('restore', args, at, { answers: named })
      expect(broken.code).toBe(1)
      expect(broken.output).toMatch(
        /RESTORE_SHA256 could not be removed\.[^]*Run the same command again/,
      )
      expect((await fetch(`${restored.url}/v1/me`)).status).toBe(503)
      fake.calm()
      const { code, output } = await clone.run('restore', args, at, { answers: named })
      expect(code, output).toBe(0)
      expect(output).toContain(
        'All callers are paused, and no approver from the backup can decide anything',
      )

      expect(bindingOf(SECOND, 'RESTORE_SHA256')).toBe(undefined)
      expect(bindingOf(SECOND, 'RESTORED_AT')?.text).toMatch(/^2/)
      expect(
        ['SIGNING_SECRET', 'OWNER_KEY_SHA256'].map((name) => bindingOf(SECOND, name)?.text),
      ).toEqual(secrets)
      const ids = fake
        .worker(SECOND)
        .bindings.flatMap(({ type, namespace_id: id }) =>
          type === 'kv_namespace' ? (id ?? []) : [],
        )
      expect(ids).toHaveLength(2)
      expect(ids.some((id) => there.has(id))).toBe(false)
      expect(await client(restored.url, done.key, done.fields)).toBe(done.text)
      // No one of before hands out anything, until the owner has used the link that was printed.
      const listed = await fetch(`${restored.url}/v1/keys`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      expect(listed.status).toBe(403)
      expect(output).toMatch(/Open this within two hours[^]*\/owner\/enrol#enr_\d{10}_/)
      expect(output.indexOf('your first key')).toBeGreaterThan(-1)

      // Cut just before its last words, it says what comes next, and changes nothing.
      const requestsBefore = fake.requests.length
      const again = await clone.run('restore', args, at, { answers: [] })
      expect(again.code, again.output).toBe(0)
      expect(again.output).toContain(`${SECOND} was restored at 2`)
      expect(again.output).toContain('npm run deploy -- --new-link')
      expect(fake.requests.slice(requestsBefore).filter(({ method }) => method !== 'GET')).toEqual(
        [],
      )
      const deployed = await clone.run('deploy', [], at)
      expect(deployed.code, deployed.output).toBe(0)
      expect(bindingOf(SECOND, 'RESTORED_AT')?.text).toMatch(/^2/)
    })
  },
)
