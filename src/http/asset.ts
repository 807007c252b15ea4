import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Answers with a script or a style sheet of our pages. */
export const asset = (text: string, type: string) => (c: Context<AppEnv>) =>
  c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'public, max-age=300' })
