/** The groups of routes, with the paths of each; an event has its name in place of a path. */
export const TAGS: readonly [name: string, description: string, paths: RegExp][] = [
  [
    'Availability',
    'When a consult is free, and which kinds there are.',
    /^\/v1\/(availability|event-types)/,
  ],
  ['Bookings', 'Book, move, cancel and read consults.', /^\/v1\/bookings/],
  ['Clients', 'Create, read and delete clients, and submit intake answers.', /^\/v1\/clients/],
  ['Payment links', 'Create a payment page for an invoice, and read its state.', /^\/v1\/payment/],
  ['Invoices', 'Find an invoice by its number or its payer.', /^\/v1\/invoices/],
  [
    'Client links',
    'A link with which a client fills in details and picks a time.',
    /^\/v1\/client-links/,
  ],
  ['Changes', 'The outcome of a change, by its idempotency key.', /^\/v1\/operations/],
  ['Events', 'A list of what happened.', /^\/v1\/events/],
  ['Webhooks', 'Have events sent to an address as they happen.', /^\/v1\/webhooks/],
  ['Events sent to webhooks', 'The body of each event.', /^[a-z]/],
  ['Access', 'Who is calling, and the API keys.', /^\/v1\/(me|keys|admin\/access-review)/],
  ['House rules', 'Limits that the owner sets in addition to scopes.', /^\/v1\/rules/],
  ['Audit log', 'Who did what, with proofs.', /^(\/v1)?\/audit/],
  ['Upkeep', 'Checks, and changes whose outcome is not known.', /^\/v1\/(doctor|unresolved|admin)/],
  ['Backup', 'An encrypted copy of everything.', /^\/v1\/backup/],
  ['MCP', 'The same operations as tools, for agents.', /^\/mcp$/],
  [
    'Public documents',
    'Documents about the connector. They need no credential.',
    /^\/(health|openapi\.json|llms\.txt|docs\/.+)?$/,
  ],
]

/**
 * The group of a route or event. Raises an error for one that no group names, so that none gets
 * into a wrong one.
 */
export function groupOf(path: string): string {
  const [name] = TAGS.find(([, , paths]) => paths.test(path)) ?? []
  if (name === undefined)
    throw new Error(
      `No group names the route ${path}: add it to TAGS in src/api/openapi/groups.ts.`,
    )
  return name
}
