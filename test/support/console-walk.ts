import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

import { NO_RULES, type Rules } from '../../src/core/domain/rules/house-rules.ts'
import { faultsAsItStands, sideways } from './accessibility.ts'
import { arrive } from './chromium.ts'
import { tabTo } from './keyboard.ts'

/** On what someone goes through the console, and with what. */
export interface Look {
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
  /** With Tab, Enter and Space alone; otherwise by pressing what is there. */
  keyboard: boolean
}

export const ON_A_PHONE: Look = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  keyboard: false,
}
export const ON_A_DESKTOP: Look = {
  viewport: { width: 1180, height: 800 },
  colorScheme: 'light',
  keyboard: true,
}

/** How many radio buttons of its group come after the chosen one, with this one. */
const leftTo = (one: Element): number => {
  const all = [...document.querySelectorAll('[type=radio]')]
  return all.indexOf(one) - all.findIndex((radio) => (radio as HTMLInputElement).checked)
}

/** Opens a page whose parts were all read: on a busy machine one can take longer than the page waits for it. */
export async function openWhole(page: Page, address: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto(address)
      return page.getByText('could not be read just now').count()
    })
    .toBe(0)
}

export type Walker = Awaited<ReturnType<typeof walkerOn>>

/** Someone who goes through the console on this page, as the look says. What is pressed is named by what it does, not by its words. */
export async function walkerOn(page: Page, url: string, look: Look) {
  await page.setViewportSize(look.viewport)
  await page.emulateMedia({ colorScheme: look.colorScheme })
  const found = (what: string | Locator): Locator =>
    typeof what === 'string' ? page.locator(what).filter({ visible: true }).first() : what

  async function press(what: string | Locator): Promise<void> {
    const target = found(what)
    // Links and forms lead to another page; a button for a passkey, or for copying, does by its script what it does.
    const leads = await target.evaluate((one) =>
      one.matches('a[href], form button:not([type=button])'),
    )
    const act = async (): Promise<void> => {
      if (!look.keyboard) return target.click()
      // A button for a passkey is off until its script is there.
      await expect.poll(() => target.isEnabled()).toBe(true)
      await tabTo(page, target)
      const isBox = await target.evaluate((one) => one.matches('[type=checkbox]'))
      await page.keyboard.press(isBox ? 'Space' : 'Enter')
    }
    await (leads ? arrive(page, act) : act())
  }

  return {
    page,
    press,
    found,
    /** Chooses one of a group of radio buttons; with the keyboard by the arrows, from the one that is chosen. */
    async choose(what: string): Promise<void> {
      const target = page.locator(what)
      if (!look.keyboard) return target.check()
      const name = await target.getAttribute('name')
      await tabTo(page, page.locator(`[type=radio][name="${name}"]:checked`))
      for (let left = await target.evaluate(leftTo); left > 0; left--)
        await page.keyboard.press('ArrowDown')
      expect(await target.isChecked()).toBe(true)
    },
    open: (path: string): Promise<void> => openWhole(page, url + path),
    async type(what: string, text: string): Promise<void> {
      if (!look.keyboard) return found(what).fill(text)
      await tabTo(page, found(what))
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    },
    /** The words of a part of the page, once it is there. */
    text: async (what: string | Locator): Promise<string> =>
      (await found(what).innerText()).replaceAll(/\s+/g, ' '),
    /** What was copied last. */
    copied: (): Promise<string> => page.evaluate(() => navigator.clipboard.readText()),
    /** Says yes with the passkey, on the page that asks for it. */
    confirm: (): Promise<void> => press('#confirm [data-passkey=confirm]'),
    /** Waits for the page that says that this was done. */
    async done(what: string): Promise<void> {
      await page.waitForURL((address) => address.searchParams.get('done') === what)
      await found('.notice.good[role=status]').waitFor()
    },
    /** The page as it stands fits the screen, and meets WCAG 2.2 AA. */
    async fits(): Promise<void> {
      expect(await sideways(page), page.url()).toBeLessThanOrEqual(0)
      expect(await faultsAsItStands(page), page.url()).toEqual([])
    },
  }
}

interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** A change that was asked for, and how it is committed. */
export interface Asked {
  preview: Answer
  code: string
  /** The path of the page on which a person decides about it. */
  path: string
  commit(): Promise<Answer>
}

/** A program that calls the connector over REST with a key. */
export function programWith(url: string, key: string) {
  async function send(
    path: string,
    {
      body,
      method,
      idempotencyKey,
    }: { body?: object; method?: string; idempotencyKey?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'X-API-Key': key,
        'Content-Type': 'application/json',
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    return { status, headers, body: (await response.json()) as Record<string, unknown> }
  }
  async function asks(path: string, fields: object): Promise<Asked> {
    const idempotencyKey = crypto.randomUUID()
    const call = (more: object) => send(path, { body: { ...fields, ...more }, idempotencyKey })
    const preview = await call({ confirm: false })
    const { confirmation_token, approval } = preview.body as {
      confirmation_token?: string
      approval?: { code: string; url: string }
    }
    return {
      preview,
      code: approval?.code ?? '',
      path: approval ? new URL(approval.url).pathname : '',
      commit: () => call({ confirm: true, confirmation_token }),
    }
  }
  return {
    send,
    asks,
    /** Asks for a payment link of $250.00. */
    asksForPayment: (): Promise<Asked> => asks('/v1/payment-links', { invoice_id: 'in_mock_open' }),
    /** Creates a client; its id. */
    async createsClient(contact_email: string): Promise<string> {
      const fields = {
        entity_type: 'individual',
        display_name: 'Jordan Zibblethwaite',
        contact_email,
      }
      const { body } = await (await asks('/v1/clients', fields)).commit()
      return (body['result'] as { client_id: string }).client_id
    },
    /** Makes a key for another program; its id, and the program. */
    async makesKey(name: string, scopes: string[]) {
      const { body } = await send('/v1/keys', { body: { name, scopes } })
      const made = body as { id: string; key: string }
      return { id: made.id, program: programWith(url, made.key) }
    },
    /** Sets stricter rules for all callers, or for one. */
    async tightens(rules: Partial<Rules>, caller = '*'): Promise<void> {
      const path = `/v1/rules/${encodeURIComponent(caller)}`
      const { status, body } = await send(path, { method: 'PUT', body: { ...NO_RULES, ...rules } })
      expect(status, JSON.stringify(body)).toBe(200)
    },
  }
}

export type Program = ReturnType<typeof programWith>
