import { isLoopback } from '../domain/origin.ts'
import { CliError } from './cli-error.ts'

/** Parses the address of a connector. Raises `CliError` unless it is an http address. */
export function connectorAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new CliError('--url must be a whole address, as in --url https://connector.example.com')
  return url
}

/**
 * The API key that may be sent to this address: the one in CONNECTOR_API_KEY, undefined where there is none. Throws where
 * others could read it on its way; a connection within this machine needs no https.
 */
export function apiKeyFor(url: URL): string | undefined {
  const key = process.env['CONNECTOR_API_KEY'] || undefined
  if (key === undefined || url.protocol === 'https:' || isLoopback(url.origin)) return key
  throw new CliError(
    'CONNECTOR_API_KEY is sent only over https, or to a connector on this machine; nothing was sent. ' +
      'Give the address of the connector with https://, or unset CONNECTOR_API_KEY.',
  )
}
