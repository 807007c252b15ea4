import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, onTestFinished } from 'vitest'

import { type Browser, browser } from './browser.ts'
import { type Connector, type ConnectorOptions, startConnector } from './connector.ts'
import {
  type Practice,
  type PracticeOptions,
  ownerBrowser,
  startPractice,
} from './owner-connector.ts'
import { signIn } from './passkeys.ts'

/** What `start` gives, for all tests of the file or group that calls this: started before the first, stopped after the last. */
export function startedForAll<Started extends { stop(): unknown }>(
  start: () => Promise<Started>,
): Started {
  const started = {} as Started
  beforeAll(async () => void Object.assign(started, await start()))
  afterAll(() => started.stop())
  return started
}

/** A connector for all tests of the file or group that calls this. */
export const connectorForAll = (options?: ConnectorOptions): Connector =>
  startedForAll(() => startConnector(options))

/** One for all files of this process with these settings, once a file has asked for it; the process ends it. */
const common = new Map<ConnectorOptions['vars'], Promise<Connector>>()

/** A connector that other files act on, too: for tests that find their own bookings and clients among those of others. */
export function sharedConnector(vars: ConnectorOptions['vars'] = MOCKED): Connector {
  const started = {} as Connector
  beforeAll(async () => {
    if (!common.has(vars)) common.set(vars, startConnector({ vars: { ...vars } }))
    Object.assign(started, await common.get(vars))
  })
  return started
}
const MOCKED = {}

/** The same for practices: started, and its owner enrolled. */
let commonPractice: ReturnType<typeof startWithOwner> | undefined
async function startWithOwner() {
  const practice = await startPractice()
  const { authenticator } = await ownerBrowser(practice)
  return { practice, authenticator }
}

/** A practice that other files act on, too, with a browser of its own in which the owner is signed in. */
export function sharedPractice(): Practice & { web: Browser } {
  const started = {} as Practice & { web: Browser }
  beforeAll(async () => {
    const { practice, authenticator } = await (commonPractice ??= startWithOwner())
    const web = browser(practice.url)
    await signIn(web, authenticator)
    Object.assign(started, practice, { web })
  })
  return started
}

/** A connector with an owner, for all tests of the file or group that calls this. */
export const practiceForAll = (options?: PracticeOptions): Practice =>
  startedForAll(() => startPractice(options))

/** Acts on a connector that stops once that is done, as one does between two restarts. */
export async function withConnector<T>(
  options: ConnectorOptions,
  act: (connector: Connector) => Promise<T>,
): Promise<T> {
  const connector = await startConnector(options)
  try {
    return await act(connector)
  } finally {
    await connector.stop()
  }
}

/** A folder for the storage of connectors, which is gone with the test that calls this. */
export async function storageForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'consult-connector-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A connector that stops with the test that calls this. */
export async function connectorForTest(options?: ConnectorOptions): Promise<Connector> {
  const connector = await startConnector(options)
  onTestFinished(() => connector.stop())
  return connector
}

/** A connector with an owner, which stops with the test that calls this. */
export async function practiceForTest(options?: PracticeOptions): Promise<Practice> {
  const practice = await startPractice(options)
  onTestFinished(() => practice.stop())
  return practice
}
