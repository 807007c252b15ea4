import { expect, test, vi } from 'vitest'

import { appPage, browser, confirmed } from '../../support/browser.ts'
import { OWNED, OWNER_KEY } from '../../support/connector.ts'
import { ownerBrowser } from '../../support/owner-connector.ts'
import { signIn } from '../../support/passkeys.ts'
import { practiceForAll } from '../../support/started.ts'
import { app, callTool } from './app.ts'

const practice = practiceForAll({ vars: OWNED })

test('the audit log has who signed in, which apps were allowed or refused, what they did, and their end', async () => {
  const web = await ownerBrowser(practice)
  await signIn(browser(practice.url), web.authenticator)
  const one = app(practice.url)
  await one.askOwner(web, await one.registered(), { decision: 'deny' })
  const name = 'Jordan Zibblethwaite'
  const { tokens } = await one.connected(web, { metadata: { client_name: name } })
  await callTool(practice.url, tokens.access_token, 'create_payment_link', {})
  const page = await appPage(web)
  await confirmed(web, await web.submit('/owner/apps/revoke', page.form('/owner/apps/revoke')))

  const read = async () => {
    const response = await fetch(new URL('/v1/audit', practice.url), {
      headers: { Authorization: `Bearer ${OWNER_KEY}` },
    })
    const text = await response.text()
    expect(text).not.toContain('Zibblethwaite')
    return (JSON.parse(text) as { entries: Record<string, string | null>[] }).entries
  }
  await vi.waitFor(async () =>
    expect(
      (await read()).map(
        ({ event, operation, code, app: host }) => `${event} ${operation} ${code} ${host}`,
      ),
    ).toEqual([
      'consent owner_revoke_app disconnected null',
      'refusal create_payment_link insufficient_scope localhost',
      'consent oauth_consent allowed localhost',
      'consent oauth_consent denied localhost',
      'sign_in owner_sign_in ok null',
      'enrolment owner_enrol added null',
    ]),
  )
  const callers = (await read()).map(({ caller }) => caller)
  expect(callers[1]).toMatch(/^oauth:owner:app_/)
  expect(new Set(callers.toSpliced(1, 1))).toEqual(new Set(['owner']))
})
