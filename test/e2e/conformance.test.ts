// @module-tag slow

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

import { describe, expect, test } from 'vitest'

import { sharedConnector } from '../support/started.ts'

/*
 * The official conformance suite (`@modelcontextprotocol/conformance`, a server driven over loopback), as far as it can be
 * run without adding anything to the service. Left out are the scenarios that call for a fixture, by its name:
 * - tools: tools-call-simple-text, -image, -audio, -embedded-resource, -mixed-content, -with-logging, -error,
 *   -with-progress, -sampling, -elicitation; elicitation-sep1034-defaults, elicitation-sep1330-enums;
 *   json-schema-2020-12; http-custom-header-server-validation; server-sse-polling
 * - resources: resources-read-text, -read-binary, -templates-read, -subscribe, -unsubscribe
 * - prompts: prompts-get-simple, -with-args, -embedded-resource, -with-image
 * - a capability that we have no use for: logging-set-level
 * - 2026-07-28: input-required-result-*, tasks-*, sep-2640-skills-*
 * - sessions, which a stateless server has none of: server-session-lifecycle
 */

const CLI = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

const connector = sharedConnector()

async function conformance(
  scenario: string,
  revision: string,
): Promise<{ exit: number | null; output: string }> {
  const target = ['--url', `${connector.url}/mcp`]
  const child = spawn(
    process.execPath,
    [CLI, 'server', ...target, '--scenario', scenario, '--spec-version', revision],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk))
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { exit, output: stripVTControlCharacters(Buffer.concat(output).toString()) }
}

/** What a run says of its single checks, by what became of them. */
function checksIn(output: string): Record<string, string[]> {
  const checks: Record<string, string[]> = {}
  for (const [, id, verdict] of output.matchAll(/ \[(\S+) *\] ([A-Z]+) /g))
    (checks[verdict!] ??= []).push(id!)
  return checks
}

describe('the conformance suite passes', () => {
  test.each([
    ['2025-11-25', 'server-initialize', []],
    ['2025-11-25', 'ping', []],
    ['2025-11-25', 'tools-list', []],
    ['2025-11-25', 'prompts-list', []],
    ['2025-11-25', 'resources-list', []],
    ['2025-11-25', 'completion-complete', []],
    ['2025-11-25', 'dns-rebinding-protection', []],
    ['2026-07-28', 'tools-list', []],
    ['2026-07-28', 'prompts-list', []],
    ['2026-07-28', 'resources-list', []],
    ['2026-07-28', 'completion-complete', []],
    ['2026-07-28', 'caching', []],
    ['2026-07-28', 'http-header-validation', []],
    ['2026-07-28', 'dns-rebinding-protection', []],
    ['2026-07-28', 'server-sse-multiple-streams', []],
  ])('in the revision %s: %s', async (revision, scenario, skipped) => {
    const { exit, output } = await conformance(scenario, revision)
    expect(output).not.toContain('SKIPPED: scenario')
    expect(output).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
    expect(exit).toBe(0)
    const { SUCCESS, SKIPPED = [], INFO: _info, ...others } = checksIn(output)
    expect(SUCCESS?.length).toBeGreaterThan(0)
    expect(SKIPPED).toEqual(skipped)
    expect(others).toEqual({})
  })

  test('in the revision 2026-07-28: a resource that is not there, whose address is not repeated', async () => {
    const { output } = await conformance('sep-2164-resource-not-found', '2026-07-28')
    const { FAILURE, WARNING } = checksIn(output)
    expect(output).toMatch(/Passed: 3\/3, 0 failed/)
    expect(FAILURE).toBeUndefined()
    expect(WARNING).toEqual(['sep-2164-data-uri'])
  })

  test('in the revision 2026-07-28: server-stateless, but for what needs a fixture tool to be tested', async () => {
    const { output } = await conformance('server-stateless', '2026-07-28')
    const { SUCCESS, FAILURE, SKIPPED, ...others } = checksIn(output)
    expect(FAILURE).toEqual([
      'sep-2575-server-rejects-undeclared-capability', // test_missing_capability
      'sep-2575-missing-capability-http-400', // test_missing_capability
      'sep-2575-http-server-no-independent-requests-on-stream', // test_streaming_elicitation
      'sep-2575-server-no-log-without-loglevel', // test_logging_tool
    ])
    expect(
      output.match(/Error: Not testable: server does not list the diagnostic tool/g),
    ).toHaveLength(4)
    // Lists that never change announce no change.
    expect(SKIPPED).toEqual([
      'sep-2575-server-sends-prompts-list-changed-on-subscription',
      'sep-2575-server-sends-tools-list-changed-on-subscription',
    ])
    expect(SUCCESS!.length).toBeGreaterThanOrEqual(24)
    expect(others).toEqual({})
  })
})
