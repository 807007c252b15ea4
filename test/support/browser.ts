import type { SoftAuthenticator } from './authenticator.ts'

/** A page as a person sees it, with the fields of its forms. */
export interface Page {
  status: number
  headers: Headers
  html: string
  /** The fields of the first form with this action and this in its text: the hidden ones, and the boxes that are ticked. */
  form(action: string, having?: string): [string, string][]
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]

/** Undoes the escaping of HTML. */
export const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The headers that are sent: one that is undefined is not. */
const present = (headers: Record<string, string | undefined>): [string, string][] =>
  Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined)

/** The page of the first app that is connected, which has the button that ends it. */
export async function appPage(web: Pick<Browser, 'open'>): Promise<Page> {
  const [, address = ''] =
    /href="(\/owner\/callers\/oauth[^"]+)"/.exec((await web.open('/owner/callers')).html) ?? []
  return web.open(unescaped(address))
}

/** Failures are counted by address, so each browser has its own. */
let addresses = 0

/** A browser without scripts: it keeps cookies, sends forms, and says where requests come from as browsers do. */
export function browser(
  url: string,
  ask: (request: Request) => Promise<Response> = (one) => fetch(one),
) {
  const address = `192.0.2.${(addresses += 1)}`
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('CF-Connecting-IP', address)
    if (cookies.size > 0)
      headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await ask(
      new Request(new URL(path, url), { ...init, headers, redirect: 'manual' }),
    )
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (rest.some((one) => one.trim() === 'Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  async function page(response: Response): Promise<Page> {
    const html = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      html,
      form(action, having = '') {
        const forms = html.match(/<form.*?<\/form>/gs) ?? []
        const form =
          forms.find((one) => one.includes(`action="${action}"`) && one.includes(having)) ?? ''
        return (form.match(/<input[^>]*>/gs) ?? [])
          .filter((tag) => attribute(tag, 'type') === 'hidden' || /\bchecked\b/.test(tag))
          .map((tag) => [attribute(tag, 'name') ?? '', unescaped(attribute(tag, 'value') ?? '')])
      },
    }
  }

  return {
    cookies,
    /** The passkey of the person who uses this browser, once there is one. */
    authenticator: undefined as SoftAuthenticator | undefined,
    send,
    open: async (path: string): Promise<Page> => page(await send(path)),
    async submit(
      path: string,
      fields: [string, string][],
      headers: Record<string, string | undefined> = {},
    ): Promise<Page> {
      const response = await send(path, {
        method: 'POST',
        headers: present({ 'Sec-Fetch-Site': 'same-origin', ...headers }),
        body: new URLSearchParams(fields),
      })
      return page(response)
    },
    postJson: (
      path: string,
      body: unknown,
      headers: Record<string, string> = {},
    ): Promise<Response> =>
      send(path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Origin: url,
          'Sec-Fetch-Site': 'same-origin',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
  }
}

export type Browser = ReturnType<typeof browser>

/** Where a page of the connector sends the browser back to. */
export function returnAddress({ html, status }: Page): URL {
  const content = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(html)?.[1]
  if (content === undefined) throw new Error(`no way back on this page: ${status}\n${html}`)
  return new URL(unescaped(content))
}

/** Answers the question on a page of consent; `scopes` replaces what is ticked. */
export async function decide(
  web: Browser,
  asked: Page,
  decision: 'allow' | 'deny',
  scopes?: string[],
): Promise<Page> {
  const fields = asked.form('/authorize')
  const ticked = scopes?.map((scope): [string, string] => ['scope', scope])
  const kept = ticked ? [...fields.filter(([name]) => name !== 'scope'), ...ticked] : fields
  return confirmed(web, await web.submit('/authorize', [...kept, ['decision', decision]]))
}

/** What a page that asks for a fresh proof wants of a passkey, or undefined for any other page. */
export function proofAsked({
  html,
}: Page): { action: string; options: { challenge: string } } | undefined {
  const form = /<form[^>]*\bid="confirm"[^>]*>/s.exec(html)?.[0]
  if (form === undefined || form.includes('data-options=""')) return undefined
  const options = JSON.parse(unescaped(attribute(form, 'data-options') ?? '')) as {
    challenge: string
  }
  return { action: attribute(form, 'action') ?? '', options }
}

/** The fields that the page for a fresh proof carries on, with this proof. */
export const withProof = (page: Page, action: string, proof: unknown): [string, string][] => [
  ...page.form(action).filter(([name]) => name !== 'proof'),
  ['proof', JSON.stringify(proof)],
]

/** Uses the passkey of the browser where a page asks for it, or presses again where that is enough; any other page is given back as it is. */
export async function confirmed(web: Browser, page: Page): Promise<Page> {
  const asked = proofAsked(page)
  const again = /<form[^>]*action="([^"]+)"[^>]*\bid="confirm"/s.exec(page.html)?.[1]
  if (!asked && again !== undefined) return web.submit(again, page.form(again))
  if (!asked) return page
  if (!web.authenticator) throw new Error('this browser has no passkey to prove it with')
  return web.submit(
    asked.action,
    withProof(page, asked.action, await web.authenticator.get(asked.options)),
  )
}

/** Approves the change on this page, with the passkey of the browser. */
export async function approve(web: Browser, path: string): Promise<Page> {
  const page = await web.open(path)
  const [, options = ''] = /data-options="([^"]*)"/.exec(page.html) ?? []
  const proof = await web.authenticator!.get(
    JSON.parse(unescaped(options)) as { challenge: string },
  )
  const fields = page
    .form(path, 'value="approve"')
    .filter(([name]) => name !== 'proof' && name !== 'decision')
  return web.submit(path, [...fields, ['decision', 'approve'], ['proof', JSON.stringify(proof)]])
}
