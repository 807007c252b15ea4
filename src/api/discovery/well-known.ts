import { DAY } from '../../core/domain/time/duration.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import type { Site } from '../http/app-env.ts'

export const API_CATALOG = '/.well-known/api-catalog'
export const SECURITY_TXT = '/.well-known/security.txt'

/** The media type of the catalog, with the profile that RFC 9727 asks for. */
export const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** Where programs find the catalog (RFC 9727, section 3). */
export const CATALOG_LINK = { Link: `<${API_CATALOG}>; rel="api-catalog"` }

/** The APIs of this service and what describes them, as a link set (RFC 9264). */
export function apiCatalog({ origin }: Site): string {
  const link = (path: string, type: string) => ({ href: origin + path, type })
  const health = [link('/health', 'application/json')]
  return JSON.stringify({
    linkset: [
      { anchor: origin + API_CATALOG, item: [{ href: `${origin}/v1` }, { href: `${origin}/mcp` }] },
      {
        anchor: `${origin}/v1`,
        'service-desc': [link('/openapi.json', 'application/json')],
        'service-doc': [link('/docs/api', 'text/html')],
        status: health,
      },
      { anchor: `${origin}/mcp`, 'service-doc': [link('/llms.txt', 'text/plain')], status: health },
    ],
  })
}

/** Keeps search engines out of a private service (RFC 9309). */
export const ROBOTS = 'User-agent: *\nDisallow: /\n'

/** The contact comes from the settings of the running service, so clients may keep it for a month. */
const CONTACT_HOLDS = 30 * DAY

/** Where to report a weakness (RFC 9116). */
export const securityTxt = ({ origin }: Site, contact: string, now: number) =>
  [
    `Contact: ${contact}`,
    `Expires: ${isoSeconds(now + CONTACT_HOLDS)}`,
    'Preferred-Languages: en',
    ...(origin === '' ? [] : [`Canonical: ${origin}${SECURITY_TXT}`]),
    '',
  ].join('\n')
