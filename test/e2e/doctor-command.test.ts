// @module-tag slow

import { describe, expect, test } from 'vitest'

import { type Report, reportTable } from '../../src/cli/doctor/run.ts'
import { runCommand } from '../support/command.ts'
import { sharedConnector } from '../support/started.ts'

const connector = sharedConnector()

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
    expect(text).toMatch(/\nNothing needs you; \d+ of \d+ are in order\.\n$/)
    expect(text).toContain('They are offered 7 tools')
    expect(text).toContain('The owner has no passkey yet. Run npm run enrol.')
    expect(text).toContain('Not checked: Alerts, Backup. Not in a local trial.')
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
    expect(text).toMatch(/\n1 needs you; 0 of \d+ are in order\.\n$/)
  })

  test('refuses an invalid address in one sentence', async () => {
    const { code, text } = await doctor('--url', 'connector.example.com')
    expect(code).toBe(1)
    expect(text).toBe(
      '\n✗ --url must be a whole address, as in --url https://connector.example.com\n',
    )
  })
})

describe('the table of npm run doctor', () => {
  const report: Report = {
    url: 'https://x.example',
    ok: false,
    findings: [
      { id: 'a', what: 'One', state: 'ok', found: 'Fine.' },
      { id: 'b', what: 'Backup', state: 'missing', found: 'None.', fix: 'Make one.' },
      { id: 'c', what: 'Third', state: 'not_checked', found: 'Not set.' },
      { id: 'd', what: 'Another', state: 'failed', found: 'Broken.', fix: 'Mend it.' },
      { id: 'e', what: 'Fifth', state: 'not_checked', found: 'Not set.' },
      { id: 'backup_key', what: 'Key of the backups', state: 'ok', found: 'It is abc.' },
    ],
  }

  test('has what needs the owner first, with what to do, and counts the rest', () => {
    expect(reportTable(report, false).split('\n')).toEqual([
      'Consult connector at https://x.example',
      'Key of the backups: It is abc.',
      '',
      'Needs you',
      '  FAIL     Another  Broken.',
      '                    → Mend it.',
      '  missing  Backup   None.',
      '                    → Make one.',
      '',
      'Not checked: Third, Fifth. Not set.',
      '2 need you; 2 of 6 are in order.',
    ])
  })

  test('uses colours only if they are asked for', () => {
    expect(reportTable(report, false)).not.toContain(ESCAPE)
    expect(reportTable(report, true)).toContain(`${ESCAPE}[31mFAIL   ${ESCAPE}[39m`)
  })
})
