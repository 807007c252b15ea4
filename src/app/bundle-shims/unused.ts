/*
 * What libraries bring along and nothing runs here (`[alias]` in wrangler.toml). Hono makes these routers
 * where an app names none, and `App` in src/api/http/app-env.ts has one of its own.
 */
function NotRoutedHere(): never {
  throw new Error('Only App routes here: see wrangler.toml.')
}

export { NotRoutedHere as RegExpRouter, NotRoutedHere as SmartRouter }

/** With this the MCP SDK checks the answers to forms, and this service sends no forms. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('no form is asked for here')
  }
}
