import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'

import { SECRET_NAMES, SETTING_NAMES } from '../../../src/core/settings.ts'

const read = (path: string) => readFileSync(path, 'utf8')

interface Manifest {
  scripts: Record<string, string>
  cloudflare: { bindings: Record<string, { description: string }> }
}

interface Wrangler {
  name: string
  kv_namespaces: { binding: string; id?: string }[]
  durable_objects: { bindings: { name: string; class_name: string }[] }
  migrations: { tag: string; new_sqlite_classes?: string[] }[]
  vars?: Record<string, unknown>
}

// The button reads wrangler.toml for what to provision, .dev.vars.example for what to ask, package.json for what to say
// about it and which command deploys.
describe('the files that the button "Deploy to Cloudflare" reads', () => {
  const example = read('.dev.vars.example')
  const manifest = JSON.parse(read('package.json')) as Manifest
  const wrangler = parse(read('wrangler.toml')) as unknown as Wrangler

  test('ask for nothing: the deploy command makes what is required, and the rest is optional', () => {
    expect(parseEnv(example)).toEqual({})
  })

  test('list each secret as a comment with a line on its meaning, and with no value', () => {
    const lines = example.split('\n')
    for (const name of SECRET_NAMES) {
      const at = lines.indexOf(`# ${name}=`)
      expect(at, name).toBeGreaterThan(0)
      expect(lines[at - 1], name).toMatch(/^# .{20,}/)
    }
    expect(lines.filter((line) => line.endsWith('=')).length).toBe(SECRET_NAMES.length)
  })

  test('describe every binding and secret, and nothing else', () => {
    const bindings = [
      ...wrangler.kv_namespaces.map(({ binding }) => binding),
      ...wrangler.durable_objects.bindings.map(({ name }) => name),
      ...SECRET_NAMES,
    ]
    expect(Object.keys(manifest.cloudflare.bindings).sort()).toEqual(bindings.sort())
    for (const { description } of Object.values(manifest.cloudflare.bindings))
      expect(description).toMatch(/.{10,}\.$/)
  })

  test('hold nothing of one account, and have a migration for every class', () => {
    expect(wrangler.kv_namespaces.filter(({ id }) => id !== undefined)).toEqual([])
    expect(Object.keys(wrangler.vars ?? {}).filter((name) => SECRET_NAMES.includes(name))).toEqual(
      [],
    )
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(Object.keys(wrangler.vars ?? {})))
    const classes = wrangler.migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes)
    expect(wrangler.durable_objects.bindings.map(({ class_name }) => class_name).sort()).toEqual(
      classes.sort(),
    )
  })

  test('run our deploy command, and git keeps the example but no secret', () => {
    expect(manifest.scripts['deploy']).toContain('src/cli/deploy.ts')
    const ignored = (path: string) => {
      try {
        execFileSync('git', ['check-ignore', '--no-index', '-q', path])
        return true
      } catch {
        return false
      }
    }
    expect(ignored('.dev.vars.example')).toBe(false)
    for (const path of [
      '.dev.vars',
      '.deploy.env',
      '.deploy.secrets.json',
      '.deploy.wrangler.json',
    ])
      expect(ignored(path), path).toBe(true)
  })
})
