import * as z from 'zod'
import { CliError } from '../cli-error.ts'
import { runWrangler, runWranglerInTerminal } from '../wrangler.ts'
import { type CloudflareConnection, apiBaseUrl } from './cloudflare.ts'

const tokenSchema = z.object({ type: z.enum(['api_token', 'oauth']), token: z.string().min(1) })

/** Nobody is signed in to Cloudflare on this machine. */
export class NotSignedIn extends CliError {
  constructor() {
    super(
      'You are not signed in to Cloudflare.',
      'Run npx wrangler login (it opens the browser), or set CLOUDFLARE_API_TOKEN; then npm run deploy again.',
    )
  }
}

/**
 * The credential of this machine: CLOUDFLARE_API_TOKEN, or the one of `wrangler login`. At a terminal it starts that
 * sign-in if there is none. Raises `NotSignedIn`.
 */
export async function connectionFrom(
  environment: Record<string, string | undefined>,
  { root, say }: { root: string; say: ((line: string) => void) | undefined },
): Promise<CloudflareConnection> {
  const baseUrl = apiBaseUrl(environment['CLOUDFLARE_API_BASE_URL'])
  const token = environment['CLOUDFLARE_API_TOKEN']
  if (token) return { token, baseUrl, credential: 'api_token' }
  const known = await tokenOfWrangler(root)
  if (known) return { token: known, baseUrl, credential: 'oauth' }
  if (!say) throw new NotSignedIn()
  say(
    'You are not signed in to Cloudflare yet. Its page opens in the browser: sign in there, and allow wrangler.',
  )
  if (!(await runWranglerInTerminal(['login']))) throw new NotSignedIn()
  const signedIn = await tokenOfWrangler(root)
  if (!signedIn) throw new NotSignedIn()
  return { token: signedIn, baseUrl, credential: 'oauth' }
}

async function tokenOfWrangler(root: string): Promise<string | undefined> {
  const { code, stdout } = await runWrangler(['auth', 'token', '--json'], { cwd: root })
  if (code !== 0) return undefined
  try {
    return tokenSchema.parse(JSON.parse(stdout)).token
  } catch {
    return undefined
  }
}
