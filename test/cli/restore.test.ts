// @module-tag slow

import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { scannerFor } from '../security/privacy/scanner.ts'
import { failed } from '../support/fakes/cloudflare-bodies.ts'
import { type FakeCloudflare, fakeCloudflare } from '../support/fakes/cloudflare.ts'
import { answerBefore, slowAfter } from '../support/fakes/http.ts'
import { type Change, asked, changed as change } from '../support/rest-changes.ts'
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
const ANSWERS = { primary_goal: 'retirement', notes: 'Ring (312) 555-0184 on Sundays.' }

describe('backups at Cloudflare, with real wrangler against an account of this machine', () => {
  let fake: FakeCloudflare
  let clone: Clone
  let served: Awaited<ReturnType<typeof servedBy>>
  let restored: Awaited<ReturnType<typeof servedBy>>
  let env: Record<string, string>
  let key = ''
  let file = ''
  const done: Change[] = []
  /** What each run of the restore has printed. */
  const said: string[] = []
  /** The namespaces that are there before it, and when its first run began. */
  let before: string[] = []
  let began: string | undefined

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
  const statusOf = async (url: string, path: string) => (await asked(url, { path }, key)).status
  const changed = (path: string, fields: object) =>
    change(served.url, path, fields, { apiKey: key })

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
    const options = ['--url', served.url, '--key', join(clone.root, 'key.txt'), '--out', clone.root]
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

  /** The restore of that file under the second name, at a terminal where its questions are answered so. */
  const restore = async (
    answers: [question: string, keys: string][] | undefined,
    cutOnce?: (close: () => void) => void,
  ) => {
    const args = [file, '--key', join(clone.root, 'key.txt'), '--name', SECOND]
    const at = { ...env, DEPLOY_CHECK_URL: restored.url }
    const run = await clone.run('restore', args, at, {
      ...(answers && { answers }),
      ...(cutOnce && { started: (interrupt) => cutOnce(() => interrupt('SIGHUP')) }),
    })
    said.push(run.output)
    return run
  }
  const keeping = (keys: string): [string, string][] => [
    ['Which of them may act again?', keys + ENTER],
    [`Restore into ${SECOND}? Type its name:`, `${SECOND}${ENTER}`],
  ]
  const ALL = keeping('a')
  const NONE = keeping('')
  const changesSince = (first: number) =>
    fake.requests.slice(first).filter(({ method }) => method !== 'GET')
  const namespacesOf = (worker: string) =>
    fake
      .worker(worker)
      .bindings.flatMap(({ type, namespace_id: id }) => (type === 'kv_namespace' ? (id ?? []) : []))

  test('a restore changes nothing without a terminal, nor under a name that is taken', async () => {
    done.push(await changed('/v1/clients', CLIENT))
    const { result } = JSON.parse(done[0]!.text) as { result: { client_id: string } }
    done.push(await changed(`/v1/clients/${result.client_id}/intake`, { answers: ANSWERS }))
    const options = ['--url', served.url, '--key', join(clone.root, 'key.txt'), '--out', clone.root]
    const got = await clone.run('backup', options, { ...env, CONNECTOR_API_KEY: key })
    expect(got.code, got.output).toBe(0)
    file = join(
      clone.root,
      readdirSync(clone.root).find((name) => name.endsWith('.age'))!,
    )

    const requestsBefore = fake.requests.length
    const unasked = await restore(undefined)
    expect([unasked.code, changesSince(requestsBefore)]).toEqual([1, []])
    expect(unasked.output).toContain('Type the name of the Worker at a terminal')
    const args = [file, '--key', join(clone.root, 'key.txt'), '--name', NAME]
    const taken = await clone.run('restore', args, env, { answers: [] })
    expect([taken.code, changesSince(requestsBefore)]).toEqual([1, []])
    expect(taken.output).toContain(`There is a Worker called ${NAME} already; nothing was changed.`)
  })

  test('a restore whose terminal is closed during the upload leaves no secret on this machine', async () => {
    before = fake.state.namespaces.map(({ id }) => id)
    fake.fault('upload', slowAfter(60_000))
    await restore(
      ALL,
      (close) => void vi.waitUntil(() => fake.state.workers.has(SECOND)).then(close),
    )
    fake.calm()
    expect(clone.read('.deploy.secrets.json')).toBe(undefined)
    expect(bindingOf(SECOND, 'RESTORE_SHA256')?.text).toMatch(/^[0-9a-f]{64}$/)
    began = bindingOf(SECOND, 'RESTORED_AT')?.text
    expect(namespacesOf(SECOND)).toHaveLength(2)
    expect(namespacesOf(SECOND).some((id) => before.includes(id))).toBe(false)
  })

  test('the same command goes on after that, and is cut while it fills the Worker: it answers no calls', async () => {
    const third = restored.hold('/v1/restore', 3)
    const { output } = await restore(NONE, (close) => void third.then(close))
    expect(output).toContain('answers no calls until the backup is restored into it')
    expect(output).not.toContain('everything in the backup is back')
    expect(await statusOf(restored.url, '/v1/me')).toBe(503)
    // The owner may answer otherwise the second time.
    expect(bindingOf(SECOND, 'OWNER_KEY_SHA256'), 'the first key was not named').toBe(undefined)
  })

  test('the same command goes on after that, and says so where its last step fails', async () => {
    fake.fault('deleteSecret', answerBefore(400, failed(400, 10000, 'no').body), 10)
    const broken = await restore(ALL)
    expect(broken.code).toBe(1)
    expect(broken.output).toMatch(
      /RESTORE_SHA256 could not be removed\.[^]*Run the same command again/,
    )
    expect(await statusOf(restored.url, '/v1/me')).toBe(503)
    fake.calm()
  })

  test('the same command ends after all these cuts with the practice that was backed up', async () => {
    const settings = clone.read('.deploy.env')
    // What the owner has set since the backup stands, in the Worker and for the next deploy.
    writeFileSync(join(clone.root, '.deploy.env'), settings!.replace('Roe', 'Poe'))
    const { code, output } = await restore(ALL)
    expect(code, output).toBe(0)
    expect(bindingOf(SECOND, 'PRACTICE_NAME')?.text).toBe('Poe')
    expect(clone.read('.deploy.env')).toMatch(/^PRACTICE_NAME='?Poe/m)
    expect(output).toContain(
      'All callers are paused, and no approver from the backup can decide anything',
    )
    expect(bindingOf(SECOND, 'RESTORE_SHA256')).toBe(undefined)
    expect(bindingOf(SECOND, 'RESTORED_AT')?.text).toBe(began)
    for (const name of ['SIGNING_SECRET', 'OWNER_KEY_SHA256'])
      expect(bindingOf(SECOND, name)?.text, name).toBe(bindingOf(NAME, name)?.text)
    expect(
      fake.state.namespaces.filter(({ id }) => !before.includes(id)).map(({ id }) => id),
      'a run that was cut has left storage that nothing uses',
    ).toEqual(namespacesOf(SECOND))
    for (const one of done) expect((await asked(restored.url, one, key)).text).toBe(one.text)
    // No one of before hands out anything, until the owner has used the link that was printed.
    expect(await statusOf(restored.url, '/v1/keys')).toBe(403)
    expect(output).toMatch(/Open this within two hours[^]*\/owner\/enrol#enr_\d{10}_/)
    expect(output.indexOf('your first key')).toBeGreaterThan(-1)
    // As if it had been cut before it wrote down where it has restored to.
    writeFileSync(join(clone.root, '.deploy.env'), settings!)
  })

  test('cut at its link, it says what comes next and changes nothing; deploy makes another link', async () => {
    const requestsBefore = fake.requests.length
    const again = await restore([])
    expect(again.code, again.output).toBe(0)
    expect(again.output).toContain(`${SECOND} was restored at 2`)
    expect(again.output).toContain('npm run deploy -- --new-link')
    expect(changesSince(requestsBefore)).toEqual([])

    const at = { ...env, DEPLOY_CHECK_URL: restored.url }
    const deployed = await clone.run('deploy', ['--new-link'], at)
    expect(deployed.code, deployed.output).toBe(0)
    expect(bindingOf(SECOND, 'RESTORED_AT')?.text).toBe(began)
    const [, address = '', token = ''] =
      /(https:\/\/\S+)\/owner\/enrol#(enr_\S+)/.exec(deployed.output) ?? []
    expect(address).toContain(SECOND)
    const sha256 = createHash('sha256').update(token).digest('hex')
    expect(bindingOf(SECOND, 'OWNER_ENROLMENT_SHA256')?.text).toBe(sha256)
  })

  test('no run of a restore prints a name, an address, an answer, a token, a key or a secret, or leaves one', async () => {
    expect(said.length).toBeGreaterThan(5)
    const keyLines = clone
      .read('key.txt')!
      .split('\n')
      .filter((line) => /^[A-Zc]\S+$/.test(line))
    expect(keyLines.length).toBeGreaterThan(0)
    const scan = scannerFor({
      name: [CLIENT.display_name, 'Zibblethwaite'],
      email: [CLIENT.contact_email, 'plumbwick'],
      answer: ['(312) 555-0184', '3125550184', 'on Sundays'],
      tokens: done.map(({ fields }) =>
        String((fields as { confirmation_token: string }).confirmation_token),
      ),
      first_key: [key],
      signing_secret: [bindingOf(NAME, 'SIGNING_SECRET')!.text!],
      backup_key: keyLines,
      cloudflare: [fake.state.token],
    })
    const outputs = said.map((text, nth) => ({
      place: `what run ${nth + 1} printed`,
      bytes: Buffer.from(stripVTControlCharacters(text)),
    }))
    const files = clone
      .leftBehind()
      .filter((path) => !path.endsWith('key.txt'))
      .map((path) => ({ place: path, bytes: readFileSync(join(clone.root, '..', path)) }))
    expect(scan([...outputs, ...files])).toEqual([])
  })
})
