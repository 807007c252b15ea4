import { NOTES_NOTICE } from '../../core/domain/intake.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import { VERSION } from '../../core/version.ts'
import { TWO_CALLS } from './tools.ts'

/** What a host may show to the model beside the tools. */
export const INSTRUCTIONS =
  'Consults, client intake and payment links of one financial practice. ' +
  `Every change takes two calls. ${TWO_CALLS} Send times back exactly as they were returned, ` +
  'with their offset. Personal data is returned masked. ' +
  `${NOTES_NOTICE} What is booked, who the clients are and whether a link is paid is read ` +
  'with the tools for it, where they are listed, or as resources such as consult://today, ' +
  'where the host has them.'

export const CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} }

/** How long a host may keep a list, in milliseconds, and for whom: for this caller alone. */
export const KEPT_BY_HOSTS = { ttlMs: HOUR, cacheScope: 'private' } as const

/** Who we are, with what a host shows beside the name where the connector has an address. */
export const serverInfo = (origin: string) => ({
  name: 'consult-connector',
  title: 'Consult connector',
  version: VERSION,
  ...(origin === ''
    ? {}
    : {
        websiteUrl: origin,
        icons: [{ src: `${origin}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
      }),
})
