import { zoneSchema } from '../../domain/time.ts'
import type { FullAsker } from '../prompts.ts'
import type { Given } from './arguments.ts'
import type { EventTypeChoice, SchedulingProvider } from './providers.ts'

/** What is known from an earlier setup, offered as the answer. */
export interface Known {
  practiceName?: string | undefined
  timezone?: string | undefined
  schedulingPage?: string | undefined
}

const filled = (most: number) => (text: string) =>
  text === '' ? 'Type something.' : text.length > most ? `At most ${most} characters.` : undefined
const zone = (text: string) =>
  zoneSchema.safeParse(text).success ? undefined : 'An IANA zone, such as America/New_York or Europe/Berlin.'
const page = (text: string) =>
  text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    ? undefined
    : 'An address that begins with https://, or nothing.'
const pasted = (text: string) => (text === '' ? 'Paste it; what you paste is not shown.' : undefined)

const WHERE: Record<SchedulingProvider, string> = {
  calendly: 'Calendly > Integrations > API & Webhooks (docs/providers/calendly.md)',
  calcom: 'Cal.com > Settings > Developer > API keys (docs/providers/calcom.md)',
}

/** Asks for all that was not given beforehand, up to the token. */
export async function interview(asker: FullAsker, given: Given, known: Known): Promise<Given> {
  const practiceName =
    given.practiceName ??
    (await asker.text(
      'What is the practice called? Agents and pages show it.',
      filled(100),
      known.practiceName,
    ))
  const timezone =
    given.timezone ?? (await asker.text('Which time zone is it in?', zone, known.timezone ?? systemZone()))
  const schedulingPage =
    given.schedulingPage ??
    (await asker.text(
      'On which page do people book by hand? Leave it empty if there is none.',
      page,
      known.schedulingPage,
    ))
  const provider =
    given.provider ??
    (await asker.choose('Where is your calendar?', [
      { value: 'calendly', label: 'Calendly' },
      { value: 'calcom', label: 'Cal.com' },
      { value: 'none', label: 'Not yet: go on with the rehearsal' },
    ]))
  const token =
    given.token ??
    (isScheduling(provider)
      ? await asker.secret(`Paste a token. It is made in ${WHERE[provider]}`, pasted)
      : undefined)
  return {
    ...given,
    practiceName,
    timezone,
    schedulingPage,
    provider: isScheduling(provider) ? provider : 'none',
    ...(token === undefined ? {} : { token }),
  }
}

/** Asks which event types agents may book, the default first. */
export async function interviewTypes(
  asker: FullAsker,
  types: readonly EventTypeChoice[],
): Promise<EventTypeChoice[]> {
  const picked: EventTypeChoice[] = []
  for (;;) {
    const rest = types.filter((type) => !picked.includes(type))
    if (rest.length === 0) return picked
    const options = rest.map(({ id, title, minutes }) => ({
      value: id,
      label: `${title}, ${minutes} minutes`,
    }))
    const question = picked.length === 0 ? 'Which of these is the consult?' : 'May agents book another one?'
    const none = picked.length === 0 ? [] : [{ value: '', label: 'No, that is all' }]
    const id = await asker.choose(question, [...none, ...options])
    const one = rest.find((type) => type.id === id)
    if (!one) return picked
    picked.push(one)
  }
}

/** Asks for the payments. */
export async function interviewPayments(asker: FullAsker, given: Given): Promise<Given> {
  const payments =
    given.payments ??
    (given.paymentKey === undefined
      ? await asker.choose('Where are your invoices?', [
          { value: 'stripe', label: 'Stripe' },
          { value: 'none', label: 'Not yet: go on with the rehearsal' },
        ])
      : 'stripe')
  if (payments !== 'stripe') return { ...given, payments: 'none' }
  const where = 'Stripe > Developers > API keys, best a restricted one (docs/providers/stripe.md)'
  const paymentKey = given.paymentKey ?? (await asker.secret(`Paste a key. It is made in ${where}`, pasted))
  return { ...given, payments, paymentKey }
}

const isScheduling = (text: string): text is SchedulingProvider => text === 'calendly' || text === 'calcom'

const systemZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
