import { CliError, optionsIn } from '../cli-error.ts'

export const DEPLOY_USAGE = `npm run deploy puts the connector on Cloudflare, and brings a deployed one up to date.

  --dry-run          check everything and show what would be done, without doing it;
                     works without a sign-in to Cloudflare, too
  --name <name>      a name other than consult-connector; it becomes part of the address
  --domain <host>    a domain of yours that Cloudflare serves, such as connector.example.com
  --account <id>     the Cloudflare account, if you have several
  --subdomain <name> the workers.dev name to take, if the account has none
  --new-key          replace the owner's API key; the old one stops working
  --new-link         make a new enrolment link
  --connect          show again what to paste into each agent

Name, domain and account are remembered in .deploy.env. Settings: npm run setup. All of it: docs/operate/first-hour.md.`

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  'dry-run': { type: 'boolean' },
  'new-key': { type: 'boolean' },
  'new-link': { type: 'boolean' },
  connect: { type: 'boolean' },
  name: { type: 'string' },
  domain: { type: 'string' },
  account: { type: 'string' },
  subdomain: { type: 'string' },
} as const

export type DeployOptions = ReturnType<typeof deployOptions>

const NAME = /^[a-z0-9]([a-z0-9-]{0,52}[a-z0-9])?$/
const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** The options of the command line. Raises `CliError` for an unknown one. */
export function deployOptions(args: string[]) {
  const values = optionsIn(args, OPTIONS, 'npm run deploy -- --help lists it all.')
  const { name, domain, account, subdomain } = values
  if (name !== undefined) checkName(name)
  const wrong = '--domain takes a host name in small letters, such as connector.example.com.'
  if (domain !== undefined && !HOST.test(domain)) throw new CliError(wrong, 'Correct it.')
  return {
    help: values.help === true,
    dryRun: values['dry-run'] === true,
    newKey: values['new-key'] === true,
    newLink: values['new-link'] === true,
    connect: values.connect === true,
    name,
    domain,
    account,
    subdomain,
  }
}

/** Raises `CliError` for a name that a Worker cannot have. */
export function checkName(name: string): void {
  const rule = 'A name has small letters, digits and hyphens, at most 54.'
  if (!NAME.test(name)) throw new CliError(rule, 'Choose another with --name.')
}
