import { html } from 'hono/html'
import { itemList } from './item-list.ts'
import type { CallerItems } from './items.ts'
import { type ShellView, consolePage } from './shell.ts'

export interface CallersView {
  shell: ShellView
  items: CallerItems
  /** What an app is given to connect. */
  address: string
}

/** How the button that ends an item is called, and where it goes. */
export const ENDS = {
  app: { action: '/owner/apps/revoke', verb: 'Disconnect' },
  key: { action: '/owner/keys/revoke', verb: 'Revoke' },
} as const

/** Who may use the connector: apps and keys, each with the way to its own page. */
export const callersPage = ({ shell, items, address }: CallersView): string =>
  consolePage(
    shell,
    { title: 'Callers' },
    html`<h1>Who may use the connector</h1>
      <section aria-labelledby="apps">
        <h2 id="apps">Connected apps</h2>
        ${itemList(shell, items.apps, {
          ...ENDS.app,
          none: html`None yet. In the app, add a connector with the address <code>${address}</code>`,
        })}
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">API keys</h2>
        ${itemList(shell, items.keys, {
          ...ENDS.key,
          none: html`None yet. <code>npm run keys</code> makes them.`,
        })}
      </section>`,
  )
