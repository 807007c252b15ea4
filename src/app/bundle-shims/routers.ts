/**
 * Replaces the routers that Hono makes where an app names none (`[alias]` in wrangler.toml). `App` in
 * src/api/http/app-env.ts is the only app here, and it has a router of its own.
 */
function NotRoutedHere(): never {
  throw new Error('Only App routes here: see wrangler.toml.')
}

export { NotRoutedHere as RegExpRouter, NotRoutedHere as SmartRouter }
