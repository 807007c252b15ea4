import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { REAL } from '../../src/cli/doctor/probe.ts'
import { reportTable } from '../../src/cli/doctor/table.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { runCommand } from '../support/command.ts'
import { connectorForAll } from '../support/started.ts'

const connector = connectorForAll()

/** Runs the command as its owner does, in a shell that is no terminal. */
async function doctor(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await runCommand('doctor', args)
  return { code, text: stdout + stderr }
}

const ESCAPE = '\u001B'

describe('npm run doctor', () => {
  test('finds nothing wrong with a local trial, and prints no colours', async () => {
    const { code, text } = await doctor('--url', connector.url)
    expect([code, text.includes(ESCAPE)]).toEqual([0, false])
    expect(text).toMatch(/\nNo problems found: \d+ ok, \d+ not checked\.\n$/)
    expect(text).toMatch(/ok {4}MCP of 2026 {2,}server\/discover, tools\/list: 7 tools\./)
    expect(text).toContain('The owner has no passkey yet. Run npm run enrol.')
    expect(text).toMatch(/ok {4}Backup +None was made yet: docs\/operate\/upgrades-and-backup\.md/)
  })

  test('gives the same as JSON for programs', async () => {
    const { code, text } = await doctor('--url', connector.url, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(text)).toMatchObject({ url: connector.url, ok: true })
  })

  test('ends with 1 if no one answers, and says what to do', async () => {
    const { code, text } = await doctor('--url', 'http://127.0.0.1:9')
    expect(code).toBe(1)
    expect(text).toContain('→ Check the address')
    expect(text).toMatch(/\n1 of \d+ failed: 0 ok, \d+ not checked\.\n$/)
  })

  test('refuses an invalid address in one sentence', async () => {
    const { code, text } = await doctor('--url', 'connector.example.com')
    expect(code).toBe(1)
    expect(text).toBe('--url must be a whole address, as in --url https://connector.example.com\n')
  })
})

describe('the table of npm run doctor', () => {
  const findings = [
    { id: 'a', what: 'One', state: 'ok', found: 'Fine.' },
    { id: 'b', what: 'Another', state: 'failed', found: 'Broken.', fix: 'Mend it.' },
  ] as const
  const report = {
    url: 'https://x.example',
    ok: false,
    sections: [{ title: 'Part', findings: [...findings] }],
  }

  test('puts the fix under a failed row, and uses colours only if they are asked for', () => {
    expect(reportTable(report, false).split('\n')).toEqual([
      'Consult connector at https://x.example',
      '',
      'Part',
      '  ok    One      Fine.',
      '  FAIL  Another  Broken.',
      '                 → Mend it.',
      '',
      '1 of 2 failed: 1 ok.',
    ])
    const [shortened] = reportTable(
      {
        ...report,
        sections: [
          { title: 'Part', findings: ['c', 'd', 'e'].map((id) => ({ ...findings[0], id })) },
        ],
      },
      false,
    )
      .split('\n')
      .slice(3)
    expect(shortened).toBe('  ok    One, 2 more  Fine.')
    expect(reportTable(report, true)).toContain(`${ESCAPE}[31mFAIL${ESCAPE}[39m`)
  })
})

describe('the check of a certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'consult-connector-tls-'))
  const file = (name: string): string => join(folder, name)
  let made = true
  try {
    const subject = ['-subj', '/CN=localhost', '-days', '3']
    const files = ['-keyout', file('key.pem'), '-out', file('cert.pem')]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files],
      {
        stdio: 'ignore',
      },
    )
  } catch {
    made = false
    console.log('openssl is not here: certificates are not looked at.')
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.skipIf(!made)(
    'notices over real TLS that no authority signed it, and when it ends',
    async () => {
      const server = createServer({
        key: readFileSync(file('key.pem')),
        cert: readFileSync(file('cert.pem')),
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const seen = await REAL.certificate('localhost', (server.address() as AddressInfo).port)
      server.close()
      expect(seen.distrusted).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
      const days = (seen.validTo.getTime() - Date.now()) / DAY
      expect(days).toBeGreaterThan(2.9)
      expect(days).toBeLessThan(3.1)
    },
  )
})
