/** The start of the guides, by what a reader came for. */
export const DOORS: readonly { title: string; text: string; href: string }[] = [
  {
    title: 'Connect an agent',
    text: 'Claude, ChatGPT, Cursor, VS Code and other assistants, step by step.',
    href: '/docs/guides/connect/README',
  },
  {
    title: 'Connect an automation',
    text: 'Zapier, Make, n8n and programs of your own, over REST.',
    href: '/docs/guides/connect/rest',
  },
  {
    title: 'Deploy',
    text: 'From a clone to your own address at Cloudflare.',
    href: '/docs/guides/operate/first-hour',
  },
  {
    title: 'The owner’s day',
    text: 'What to look at, what to approve, and what to do each week.',
    href: '/docs/guides/operate/day-to-day',
  },
  {
    title: 'When something is wrong',
    text: 'What you see, why, and what to do. Every refusal is on the page Errors.',
    href: '/docs/guides/operate/troubleshooting',
  },
  {
    title: 'API reference',
    text: 'Every call with its fields, answers and refusals.',
    href: '/docs/api',
  },
]
