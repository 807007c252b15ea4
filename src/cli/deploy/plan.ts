import { createHash, randomBytes } from 'node:crypto'

import { newApiKey } from '../../core/crypto/api-key.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import { SOURCE_VAR, signingSecretNumber } from '../../core/settings.ts'
import { newEnrolmentToken } from '../../owner/access/passkey-enrolment.ts'
import { CliError } from '../command.ts'
import { SETTINGS_FILE } from '../settings-file.ts'
import type { RemoteState } from './remote-state.ts'

/** The secrets that the deploy command makes. */
type MadeSecret = 'SIGNING_SECRET' | 'OWNER_KEY_SHA256' | 'OWNER_ENROLMENT_SHA256'

export interface Wanted {
  name: string
  /** All vars, with PUBLIC_URL. */
  vars: Record<string, string>
  source: string
  secrets: Record<string, string>
  /** The names of the KV bindings, with the id where wrangler.toml has one. */
  namespaces: { binding: string; id?: string }[]
  newKey: boolean
  newLink: boolean
  withoutKey: boolean
  /** Any Worker under this name may be replaced. */
  mayReplace: boolean
}

export interface DeployPlan {
  isFirst: boolean
  /** One without an id is missing; a `reused` one existed, but did not belong to the Worker. */
  namespaces: { binding: string; title: string; id?: string; reused: boolean }[]
  vars: string[]
  make: MadeSecret[]
  give: string[]
  sourceChanged: boolean
  upload: boolean
}

/** The changes of a deployment. Raises `CliError` if it would destroy something. */
export function deployPlan(
  wanted: Wanted,
  found: RemoteState | undefined,
  titles: Map<string, string>,
): DeployPlan {
  if (found && !found.isConnector && !wanted.mayReplace)
    throw new CliError(
      `There is a Worker called ${wanted.name} already, and it is not a consult connector.`,
      `Choose another name: npm run deploy -- --name ${wanted.name}-2`,
    )
  const has = (name: string) => found?.secrets.includes(name) === true
  refuseOverwrite(wanted, has)
  const namespaces = wanted.namespaces.map(({ binding, id: configured }) => {
    // Wrangler's own name, so that a namespace of the deploy button is found again.
    const title = `${wanted.name}-${binding.toLowerCase().replaceAll('_', '-')}`
    const bound = configured ?? found?.namespaces[binding]
    const id = bound ?? titles.get(title)
    return {
      binding,
      title,
      ...(id !== undefined && { id }),
      reused: bound === undefined && id !== undefined,
    }
  })
  const vars = Object.keys(wanted.vars).filter(
    (name) => (found?.vars[name] ?? '') !== wanted.vars[name],
  )
  const missing: [MadeSecret, boolean][] = [
    [
      'SIGNING_SECRET',
      ![...(found?.secrets ?? []), ...Object.keys(wanted.secrets)].some(isSigning),
    ],
    ['OWNER_KEY_SHA256', wanted.newKey || !(wanted.withoutKey || has('OWNER_KEY_SHA256'))],
    ['OWNER_ENROLMENT_SHA256', wanted.newLink || !has('OWNER_ENROLMENT_SHA256')],
  ]
  const make = missing.filter(([, is]) => is).map(([name]) => name)
  const give = Object.keys(wanted.secrets)
  const unbound = namespaces.some(
    ({ binding, id }) => id === undefined || found?.namespaces[binding] !== id,
  )
  const sourceChanged = found?.vars[SOURCE_VAR]?.split('.')[0] !== wanted.source
  return {
    isFirst: found === undefined,
    namespaces,
    vars,
    make,
    give,
    sourceChanged,
    upload: sourceChanged || unbound || vars.length > 0 || make.length > 0 || give.length > 0,
  }
}

const isSigning = (name: string): boolean => signingSecretNumber(name) !== undefined

/** Raises `CliError` for another value of a signing secret, which would void everything that it signed. */
function refuseOverwrite({ secrets }: Wanted, has: (name: string) => boolean): void {
  const again = Object.keys(secrets).find((name) => isSigning(name) && has(name))
  if (again !== undefined)
    throw new CliError(
      `${SETTINGS_FILE} holds ${again}, and the Worker has one already; ` +
        'another one would void everything it signed.',
      'Delete that line; npm run rotate-secret adds a new one (docs/operate/upgrades-and-backup.md).',
    )
}

/** Whether an address is on workers.dev, not on the owner's domain. */
export const isWorkersDev = (url: string): boolean => new URL(url).hostname.endsWith('.workers.dev')

/** The public address: the one set, the owner's domain, or workers.dev. `domain` has to be attached. */
export function publicUrl(
  name: string,
  set: string | undefined,
  current: string | undefined,
  subdomain: string | undefined,
): { url: string; domain?: string } | undefined {
  if (set !== undefined && !isWorkersDev(set))
    return { url: new URL(set).origin, domain: new URL(set).hostname }
  if (current !== undefined && !isWorkersDev(current)) return { url: current }
  return subdomain === undefined ? undefined : { url: `https://${name}.${subdomain}.workers.dev` }
}

/** New secrets: what Cloudflare stores, and what the owner sees once. */
export type NewSecrets = {
  stored: Partial<Record<MadeSecret, string>>
  key?: string
  enrolmentToken?: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Makes these secrets. Of the key and the enrolment token only the hash is stored. */
export function newSecrets(names: readonly MadeSecret[], now: number): NewSecrets {
  const made: NewSecrets = { stored: {} }
  if (names.includes('SIGNING_SECRET'))
    made.stored.SIGNING_SECRET = randomBytes(32).toString('base64url')
  if (names.includes('OWNER_KEY_SHA256')) {
    made.key = newApiKey(randomBytes(32))
    made.stored.OWNER_KEY_SHA256 = sha256(made.key)
  }
  if (names.includes('OWNER_ENROLMENT_SHA256')) {
    made.enrolmentToken = newEnrolmentToken(now + HOUR, randomBytes(32))
    made.stored.OWNER_ENROLMENT_SHA256 = sha256(made.enrolmentToken)
  }
  return made
}
