import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { parseArgs } from 'node:util'

import { emailSchema, maskEmail } from '../../../core/domain/email.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../../core/domain/providers.ts'
import { SECOND } from '../../../core/domain/time/duration.ts'
import type { Payments } from '../../../core/ports/payments.ts'
import type { Scheduling } from '../../../core/ports/scheduling.ts'
import type { Settings } from '../../../core/settings.ts'
import { PAYMENT_ADAPTERS, SCHEDULING_ADAPTERS } from '../../../practice/adapters/providers.ts'
import { CliError, cliErrorOf } from '../../command.ts'
import { type Prompts, promptsAt } from '../../prompts.ts'
import { settingsFileIn, settingsOf, validSettings } from '../../settings-file.ts'
import { pasted } from '../../setup/interview.ts'
import { fromHere } from '../../setup/providers.ts'
import { PROJECT_ROOT } from '../../wrangler.ts'
import { type Transcript, heading, line, transcript } from '../transcript.ts'
import { type Steps, checkCalendar } from './calendar.ts'
import { checkInvoices } from './invoices.ts'
import { type Ending, LEFT_FILE, type LeftOver, endLeftOver, leftOverIn } from './left-over.ts'

export const LIVE_OPTIONS = {
  address: { type: 'string' },
  'event-type': { type: 'string' },
  invoice: { type: 'string' },
  yes: { type: 'boolean' },
} as const

type LiveOptions = ReturnType<typeof parseArgs<{ options: typeof LIVE_OPTIONS }>>['values']

/**
 * The journey with real accounts. Tokens come from the environment, from the settings file as long as
 * it has them, or hidden.
 */
export async function liveCommand(options: LiveOptions) {
  const prompts = promptsAt()
  if (!prompts && options.yes !== true) throw NO_TERMINAL
  if (options.yes === true && options.address === undefined) throw YES_NEEDS_ADDRESS
  const file = settingsFileIn(PROJECT_ROOT).read()
  const given = { ...settingsOf(file.vars), ...file.secrets, ...settingsOf(process.env) }
  const settings = validSettings(given, 'Correct it; nothing was done.')
  const email = await addressFrom(options.address, prompts)
  const asking = options.yes === true ? undefined : prompts
  const calendar = SCHEDULING_PROVIDERS[settings.SCHEDULING_PROVIDER]
  const invoices = PAYMENT_PROVIDERS[settings.PAYMENT_PROVIDER]
  settings.SCHEDULING_PROVIDER_TOKEN ??= await credentialOf(asking, calendar)
  settings.PAYMENT_PROVIDER_SECRET_KEY ??= await credentialOf(asking, invoices)
  await checkLive({
    settings,
    email,
    eventType: options['event-type'],
    invoice: options.invoice,
    root: PROJECT_ROOT,
    ask: async (question) => (asking ? asking.confirm(question) : true),
  })
}

const NO_TERMINAL = new CliError(
  'npm run demo -- --target live asks before each step, and there is no terminal to ask at.',
  'Run it at a terminal, or add --yes and --address with your own address.',
)

const YES_NEEDS_ADDRESS = new CliError(
  '--yes books without asking, so it needs --address with your own address.',
  'Nothing was done.',
)

const wrongAddress = (text: string): string | undefined =>
  emailSchema.safeParse(text).success ? undefined : 'That is no email address.'

async function addressFrom(given: string | undefined, prompts: Prompts | undefined) {
  if (given === undefined && prompts)
    return prompts.text('Your own email address, to which the calendar writes:', wrongAddress)
  const wrong = wrongAddress(given ?? '')
  if (wrong === undefined) return given ?? ''
  throw new CliError('--address takes an email address.', 'Correct it; nothing was done.')
}

/** Asks for a credential; without one its provider is left out. */
async function credentialOf(
  prompts: Prompts | undefined,
  { label, credential, tokenPage }: Record<'label' | 'credential' | 'tokenPage', string>,
): Promise<string | undefined> {
  const question = `Paste the ${credential} of ${label} (${tokenPage}), or nothing to leave it out`
  const check = (text: string) => (text === '' ? undefined : pasted(text))
  return (await prompts?.secret(question, check)) || undefined
}

export interface LiveRun {
  /** A provider without a credential is left out. */
  settings: Settings
  /** The owner's own address. */
  email: string
  eventType: string | undefined
  invoice: string | undefined
  /** Keeps what is made and not ended. */
  root: string
  ask(question: string): Promise<boolean>
  /** Between two looks for something that a list may not show yet. */
  pauseMs?: number
}

/**
 * Books, moves and cancels one consult, reads an invoice, and under a test key makes and ends a
 * link: each step after a question, and undone if a later one fails. Prints what each request was
 * answered. Raises `CliError` where anything failed.
 */
export async function checkLive(run: LiveRun) {
  const shown = transcript()
  const answers = printedAnswers(shown)
  const scheduling = schedulingOf(run, answers.fetch)
  const payments = paymentsOf(run, answers.fetch)
  if (!scheduling && !payments) throw NO_CREDENTIAL
  const left = leftOverIn(run.root)
  const wait = () => setTimeout(run.pauseMs ?? 3 * SECOND)
  const ending = { scheduling, payments, zone: run.settings.practice.timezone, wait }
  await endEarlier(left, ending)
  const newMarker = () => `live-${randomBytes(12).toString('hex')}.0`
  const agreed: Steps['agreed'] = async (title, what) => {
    shown.step(title)
    shown.asked('would be sent', what)
    if (await run.ask(`${title}?`)) return true
    shown.remark('Left out.')
    return false
  }
  const steps: Steps = { shown, left, agreed, wait, newMarker }
  const failures: CliError[] = []
  let byHand: string[] = []
  for (const part of [
    scheduling && calendarPart(run, scheduling),
    payments && invoicePart(run, payments, answers.changesSent),
  ]) {
    if (!part) continue
    heading(part.label)
    line(part.about)
    try {
      await part.check(steps)
    } catch (thrown) {
      const failure = cliErrorOf(thrown)
      failures.push(failure)
      shown.remark(`Failed. ${failure.message}`)
    }
    const isLeft = left.read().length > 0
    byHand = await endLeftOver(left, ending)
    if (isLeft && byHand.length === 0) shown.remark('Undone: nothing is left behind.')
  }
  if (byHand.length > 0) throw stillLeft(byHand)
  const [failure] = failures
  if (failure)
    throw new CliError('Not all of it went well; nothing is left behind.', failure.nextStep)
  line('\nNothing failed, and nothing is left behind.')
}

/**
 * A fetch that prints what each request was answered: status, method and path. A query and a body
 * may hold an address, so they are not shown.
 */
function printedAnswers(shown: Transcript) {
  let changes = 0
  const printedFetch: typeof fetch = async (input, init = {}) => {
    const { method = 'GET' } = init
    if (method !== 'GET') changes += 1
    const what = `${method} ${new URL(input instanceof Request ? input.url : input).pathname}`
    try {
      const response = await fetch(input, init)
      shown.answered(`${response.status}  ${what}`, !response.ok, [])
      return response
    } catch (thrown) {
      shown.answered(`no answer  ${what}`, true, [])
      throw thrown
    }
  }
  return {
    fetch: printedFetch,
    /** How many requests were sent that can change something. */
    changesSent: () => changes,
  }
}

/** What is tried at the calendar; `about` is for the owner, before the first question. */
function calendarPart(run: LiveRun, scheduling: Scheduling) {
  const { settings, email } = run
  const { label } = SCHEDULING_PROVIDERS[settings.SCHEDULING_PROVIDER]
  const eventType = eventTypeOf(run)
  const zone = settings.practice.timezone
  return {
    label,
    about: `It books, moves and cancels one consult, far ahead. ${label} writes to ${maskEmail(email)} each time.
Whatever happens, what was made is cancelled again. The audit log of the connector has nothing of it.`,
    check: (steps: Steps) => checkCalendar({ ...steps, scheduling, label, eventType, zone, email }),
  }
}

/** The same for invoices. */
function invoicePart(run: LiveRun, payments: Payments, changesSent: () => number) {
  const { settings, invoice: wanted } = run
  const { PAYMENT_PROVIDER: provider } = settings
  const { label } = PAYMENT_PROVIDERS[provider]
  const isHosted = settings.PAYMENT_LINK_STYLE === 'hosted_invoice'
  const link = payments.isTest
    ? 'It makes a payment link for it, and ends it.'
    : 'It makes no link.'
  return {
    label,
    about: `It reads one invoice. ${link}`,
    check: (steps: Steps) =>
      checkInvoices({ ...steps, payments, provider, label, wanted, isHosted, changesSent }),
  }
}

const NO_CREDENTIAL = new CliError(
  'No token of a calendar and no key for invoices was given.',
  'Set SCHEDULING_PROVIDER_TOKEN or PAYMENT_PROVIDER_SECRET_KEY in the environment of this command.',
)

/** Ends what an earlier run left. Raises `CliError` with what a person has to end by hand. */
async function endEarlier(left: LeftOver, ending: Ending) {
  if (left.read().length === 0) return
  line('An earlier run was cut off. What it left is ended first.')
  const byHand = await endLeftOver(left, ending)
  if (byHand.length > 0) throw stillLeft(byHand)
  line('Undone: nothing is left of it.')
}

const stillLeft = (byHand: readonly string[]) =>
  new CliError(
    `The run may have left something behind:\n${byHand.map((one) => `  ${one}`).join('\n')}`,
    `Do that, and delete ${LEFT_FILE}. Or run this again: it looks once more, and after an ` +
      'hour what no list shows was not made.',
  )

function eventTypeOf({ settings, eventType }: LiveRun) {
  const { eventTypes } = settings.practice
  const found = eventTypes.find(({ name }) => name === (eventType ?? eventTypes[0].name))
  if (found) return found
  const names = eventTypes.map(({ name }) => name).join(', ')
  throw new CliError(`--event-type takes one of: ${names}.`, 'Correct it; nothing was done.')
}

function schedulingOf(run: LiveRun, send: typeof fetch): Scheduling | undefined {
  const { settings } = run
  const { SCHEDULING_PROVIDER_TOKEN: token, SCHEDULING_PROVIDER_BASE_URL: baseUrl } = settings
  if (token === undefined) return undefined
  return SCHEDULING_ADAPTERS[settings.SCHEDULING_PROVIDER].create({
    token,
    ...fromHere(baseUrl, send),
    eventTypeIds: settings.practice.eventTypes.map(({ id }) => id),
  })
}

function paymentsOf(run: LiveRun, send: typeof fetch): Payments | undefined {
  const { settings } = run
  const { PAYMENT_PROVIDER_SECRET_KEY: secretKey, PAYMENT_PROVIDER_BASE_URL: baseUrl } = settings
  if (secretKey === undefined) return undefined
  const { create } = PAYMENT_ADAPTERS[settings.PAYMENT_PROVIDER]
  const connection = { secretKey, ...fromHere(baseUrl, send) }
  const asConfigured = create({ ...connection, style: settings.PAYMENT_LINK_STYLE })
  // A link of its own, which can be ended, is made under a test key only.
  return asConfigured.isTest ? create({ ...connection, style: 'payment_link' }) : asConfigured
}
