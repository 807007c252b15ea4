import { randomBytes } from 'node:crypto'

import { ENGLISH_ZONES } from '../../api/client-link/words-en.ts'
import { pluralOf } from '../../core/domain/plural.ts'
import {
  PAYMENT_PROVIDERS,
  type Provider,
  SCHEDULING_PROVIDERS,
  docsPageOf,
} from '../../core/domain/providers.ts'
import { zoneSchema } from '../../core/domain/time/time.ts'
import { US_ZONES } from '../../core/domain/time/us-zones.ts'
import { credential, practicePhone } from '../../core/settings-schema.ts'
import type { EventTypeChoice } from '../../practice/adapters/connection.ts'
import type { Prompts } from '../prompts.ts'
import type { Given, Texts } from './arguments.ts'
import { type NamedEventType, named, wrongName } from './event-types.ts'

const KEPT = { value: 'kept', label: 'Leave it as it is' }

const filled = (most: number) => (text: string) => {
  if (text === '') return 'Type something.'
  return text.length > most ? `At most ${most} characters.` : undefined
}
const zone = (text: string) => zoneSchema.safeParse(text).error?.issues[0]?.message
const isWebAddress = (text: string) => URL.canParse(text) && text.startsWith('https:')
const page = (text: string) =>
  text === '' || isWebAddress(text)
    ? undefined
    : 'An address that begins with https://, or nothing.'
/** What is wrong with a pasted credential. */
export const pasted = (text: string) =>
  credential.safeParse(text).success
    ? undefined
    : 'Paste it in one piece, without blanks; what you paste is not shown.'

/** Undefined where what an earlier setup has chosen, `known`, is to stay. */
async function chooseProvider<Name extends string>(
  prompts: Prompts,
  question: string,
  registry: Record<Name, { label: string }>,
  known: string | undefined,
): Promise<Name | 'none' | undefined> {
  const names = Object.keys(registry) as Name[]
  const options = names.map((name) => ({ value: name as string, label: registry[name].label }))
  const none = { value: 'none', label: 'Not yet: use a mock' }
  // Not first: after a restore the tokens are asked for again.
  const kept = known === undefined ? [] : [KEPT]
  const picked = await prompts.choose(question, [...options, ...kept, none])
  return picked === none.value ? 'none' : names.find((name) => name === picked)
}

/** Asks for a credential, which is not shown. */
export async function askForSecret(
  prompts: Prompts,
  name: Provider,
  which: 'a' | 'another' = 'a',
): Promise<string> {
  const { credential, tokenPage } = { ...SCHEDULING_PROVIDERS, ...PAYMENT_PROVIDERS }[name]
  return prompts.secret(
    `Paste ${which} ${credential}. It is made in ${tokenPage} (${docsPageOf(name)})`,
    pasted,
  )
}

const phone = (text: string) =>
  text === '' || practicePhone.safeParse(text).success
    ? undefined
    : 'A telephone number, such as 555-0142, or nothing.'

const PRACTICE = 'What is the practice called? Agents and pages show it.'

/** Asks for the answers up to the token that are not given; offers those of an earlier setup, its `vars`. */
export async function interview(prompts: Prompts, given: Given, vars: Record<string, string>) {
  const texts = { ...given.texts }
  texts.PRACTICE_NAME ??= await prompts.text(PRACTICE, filled(100), vars['PRACTICE_NAME'])
  texts.PRACTICE_TIMEZONE ??= await interviewZone(prompts, vars['PRACTICE_TIMEZONE'])
  const about: Given = { ...given, texts }
  const known = vars['SCHEDULING_PROVIDER']
  about.provider ??= await chooseProvider(
    prompts,
    'Where is your calendar?',
    SCHEDULING_PROVIDERS,
    known,
  )
  if (about.provider !== undefined && about.provider !== 'none')
    about.token ??= await askForSecret(prompts, about.provider)
  return about
}

/** Asks which event types agents may book, the default first, and for the names of several. */
export async function interviewTypes(
  prompts: Prompts,
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

async function pickedTypes(prompts: Prompts, types: readonly EventTypeChoice[]) {
  const picked: EventTypeChoice[] = []
  for (;;) {
    const rest = types.filter((type) => !picked.includes(type))
    if (rest.length === 0) return picked
    const options = rest.map((one) => ({
      value: one.id,
      label: `${one.title}, ${pluralOf(one.minutes, 'minute')}`,
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
export async function interviewPayments(
  prompts: Prompts,
  given: Given,
  vars: Record<string, string>,
): Promise<Given> {
  const about: Given = { ...given }
  if (about.paymentKey === undefined)
    about.payments ??= await chooseProvider(
      prompts,
      'Where are your invoices?',
      PAYMENT_PROVIDERS,
      vars['PAYMENT_PROVIDER'],
    )
  if (about.payments !== undefined && about.payments !== 'none')
    about.paymentKey ??= await askForSecret(prompts, about.payments)
  return about
}

const PAGE = "What's your public booking page? (optional)"
const NUMBER = 'Which number do clients call? (optional) Their pages show it.'

/** Asks for what is asked after the providers and not given; offers the answers of an earlier setup. */
export async function interviewOthers(
  prompts: Prompts,
  given: Texts,
  vars: Record<string, string>,
): Promise<Texts> {
  const texts = { ...given }
  texts.ALERT_WEBHOOK_URL ??= await interviewAlerts(prompts, vars['ALERT_WEBHOOK_URL'])
  texts.SCHEDULING_PAGE_URL ??= await prompts.text(PAGE, page, vars['SCHEDULING_PAGE_URL'])
  texts.PRACTICE_PHONE ??= await prompts.text(NUMBER, phone, vars['PRACTICE_PHONE'])
  return texts
}

/** The app ntfy brings alerts to a phone. */
export const NTFY = 'https://ntfy.sh/'

/** Asks where alerts go; an empty text means nowhere. */
async function interviewAlerts(prompts: Prompts, known: string | undefined) {
  const picked = await prompts.choose('Where should alerts go, when a change waits for you?', [
    ...(known === undefined ? [] : [KEPT]),
    { value: 'phone', label: 'To my phone, with the app ntfy' },
    { value: 'address', label: 'To Slack, Teams, or a bridge to mail: paste an address' },
    { value: 'nowhere', label: 'Nowhere yet' },
  ])
  switch (picked) {
    case 'kept':
      return known ?? ''
    case 'phone':
      return known?.startsWith(NTFY) === true
        ? known
        : `${NTFY}consult-${randomBytes(12).toString('hex')}`
    case 'address':
      return prompts.text('Paste the address of the incoming webhook', alertAddress)
    default:
      return ''
  }
}

const alertAddress = (text: string) =>
  isWebAddress(text)
    ? undefined
    : 'An address that begins with https://. The console says how to get one, under Health.'

/** Whether a zone is none that people live by: a server or a container has it. */
export const isUniversal = (timezone: string) => /^(Etc\/|UTC$|GMT$|UCT$|Zulu$)/i.test(timezone)

/**
 * Asks for the zone: that of an earlier answer or of this computer first, then those of the United
 * States.
 */
async function interviewZone(prompts: Prompts, earlier: string | undefined) {
  const known = earlier ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const first = isUniversal(known) ? [] : [known]
  const zones = [...new Set([...first, ...US_ZONES])]
  const names: Partial<Record<string, readonly [place: string, name: string]>> = ENGLISH_ZONES
  const options = zones.map((value) => {
    const [, name] = names[value] ?? []
    return { value, label: name === undefined ? value : `${name} (${value})` }
  })
  const other = { value: '', label: 'Another one' }
  const picked = await prompts.choose('Which time zone is the practice in?', [...options, other])
  return picked === '' ? prompts.text('Type its name, such as Europe/Berlin', zone) : picked
}
