import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../core/domain/providers.ts'
import {
  type PaymentProvider,
  type SchedulingProvider,
  docsPageOf,
} from '../../core/domain/providers.ts'
import { zoneSchema } from '../../core/domain/time/time.ts'
import type { EventTypeChoice } from '../../practice/adapters/connection.ts'
import type { FullPrompts } from '../prompts.ts'
import type { Given } from './arguments.ts'
import { type NamedEventType, named, wrongName } from './event-types.ts'

const filled = (most: number) => (text: string) =>
  text === '' ? 'Type something.' : text.length > most ? `At most ${most} characters.` : undefined
const zone = (text: string) =>
  zoneSchema.safeParse(text).success
    ? undefined
    : 'An IANA zone, such as America/New_York or Europe/Berlin.'
const isWebAddress = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const page = (text: string) =>
  text === '' || isWebAddress(text)
    ? undefined
    : 'An address that begins with https://, or nothing.'
const pasted = (text: string) =>
  text === '' ? 'Paste it; what you paste is not shown.' : undefined

type Registry = Record<string, { label: string; credential: string; tokenPage: string }>

async function chooseProvider<Name extends string>(
  prompts: FullPrompts,
  question: string,
  registry: Record<Name, { label: string }>,
): Promise<Name | 'none'> {
  const names = Object.keys(registry) as Name[]
  const options = names.map((name) => ({ value: name as string, label: registry[name].label }))
  const none = { value: 'none', label: 'Not yet: use a mock' }
  const picked = await prompts.choose(question, [...options, none])
  return names.find((name) => name === picked) ?? 'none'
}

async function askForSecret(
  prompts: FullPrompts,
  registry: Registry,
  name: SchedulingProvider | PaymentProvider,
): Promise<string> {
  const { credential, tokenPage } = registry[name]!
  return prompts.secret(
    `Paste a ${credential}. It is made in ${tokenPage} (${docsPageOf(name)})`,
    pasted,
  )
}

const PRACTICE = 'What is the practice called? Agents and pages show it.'
const PAGE = 'On which page do people book by hand? Leave it empty if there is none.'

/** Asks for the answers up to the token that are not given; offers those of an earlier setup, its `vars`. */
export async function interview(prompts: FullPrompts, given: Given, vars: Record<string, string>) {
  const about: Given = { ...given }
  about.practiceName ??= await prompts.text(PRACTICE, filled(100), vars['PRACTICE_NAME'])
  const known = vars['PRACTICE_TIMEZONE'] ?? systemZone()
  about.timezone ??= await prompts.text('Which time zone is it in?', zone, known)
  about.schedulingPage ??= await prompts.text(PAGE, page, vars['SCHEDULING_PAGE_URL'])
  about.provider ??= await chooseProvider(prompts, 'Where is your calendar?', SCHEDULING_PROVIDERS)
  if (about.provider !== 'none')
    about.token ??= await askForSecret(prompts, SCHEDULING_PROVIDERS, about.provider)
  return about
}

/** Asks which event types agents may book, the default first, and for the names of several. */
export async function interviewTypes(
  prompts: FullPrompts,
  types: readonly EventTypeChoice[],
): Promise<NamedEventType[]> {
  const picked = named(await pickedTypes(prompts, types))
  if (picked.length === 1) return picked
  const all: NamedEventType[] = []
  for (const one of picked) {
    const taken = all.map(({ name }) => name)
    const question = `What should agents call “${one.title}”?`
    const name = await prompts.text(question, (text) => wrongName(text, taken), one.name)
    all.push({ ...one, name })
  }
  return all
}

async function pickedTypes(prompts: FullPrompts, types: readonly EventTypeChoice[]) {
  const picked: EventTypeChoice[] = []
  for (;;) {
    const rest = types.filter((type) => !picked.includes(type))
    if (rest.length === 0) return picked
    const options = rest.map((one) => ({
      value: one.id,
      label: `${one.title}, ${one.minutes} minutes`,
    }))
    const question =
      picked.length === 0 ? 'Which of these is the consult?' : 'May agents book another one?'
    const none = picked.length === 0 ? [] : [{ value: '', label: 'No, that is all' }]
    const id = await prompts.choose(question, [...none, ...options])
    const one = rest.find((type) => type.id === id)
    if (!one) return picked
    picked.push(one)
  }
}

/** Asks for the payment provider and its key. A key without a provider is for the default provider. */
export async function interviewPayments(prompts: FullPrompts, given: Given): Promise<Given> {
  const about: Given = { ...given }
  if (about.paymentKey === undefined)
    about.payments ??= await chooseProvider(prompts, 'Where are your invoices?', PAYMENT_PROVIDERS)
  if (about.payments !== undefined && about.payments !== 'none')
    about.paymentKey ??= await askForSecret(prompts, PAYMENT_PROVIDERS, about.payments)
  return about
}

/** Asks for the timestamp authority of the audit log; an empty text means none. */
export const interviewTimestamps = (
  prompts: FullPrompts,
  known: string | undefined,
): Promise<string> =>
  prompts.text(
    'Which timestamp authority (RFC 3161) signs for the audit log once a day? Then a rewritten log would be noticed. It learns a hash, and nothing else. Leave it empty for none.',
    (text) =>
      text === '' || isWebAddress(text)
        ? undefined
        : 'An address that begins with https:// or http://, or nothing.',
    known,
  )

const systemZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
