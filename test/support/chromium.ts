import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type BrowserContext, type CDPSession, type Page, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where the system keeps a Chromium, if it has one; CHROMIUM_PATH names another. */
export async function findChromium(): Promise<string | undefined> {
  for (const place of [process.env['CHROMIUM_PATH'] ?? '', ...PLACES]) {
    const found = await access(place).then(
      () => true,
      () => false,
    )
    if (found && place !== '') return place
  }
  console.log('No Chromium on this machine: the tests of this file in a real browser are left out.')
  return undefined
}

export interface Window {
  context: BrowserContext
  close(): Promise<void>
}

/** A real browser with an empty profile, that talks to no one but the connector. */
export async function openChromium(
  executablePath: string,
  look: {
    colorScheme?: 'light' | 'dark'
    viewport?: { width: number; height: number }
    javaScriptEnabled?: boolean
    /** What the browser asks pages for, as `es-MX`. */
    locale?: string
  } = {},
): Promise<Window> {
  const profile = await mkdtemp(join(tmpdir(), 'consult-connector-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    ...look,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  return {
    context,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Does what leads to another page, and waits until that page is there. */
export async function arrive(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), act()])
  await page.waitForLoadState('domcontentloaded')
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** One session for each page: what enables virtual authenticators again forgets those that were there. */
async function devtoolsOf(page: Page): Promise<CDPSession> {
  const opening = async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    return devtools
  }
  const known = sessions.get(page) ?? opening()
  sessions.set(page, known)
  return known
}

/** Gives a page a virtual authenticator, which always says yes. */
export async function addAuthenticator(page: Page, transport: 'internal' | 'usb' = 'internal') {
  const devtools = await devtoolsOf(page)
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    remove: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    /** The passkeys in it. */
    async passkeys() {
      return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
    },
  }
}
