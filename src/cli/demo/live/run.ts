import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

import { maskEmail } from '../../../core/domain/email.ts'
import { Problem } from '../../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../../core/domain/problem/problems.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../../core/domain/providers.ts'
import { SECOND } from '../../../core/domain/time/duration.ts'
import type { Payments } from '../../../core/ports/payments.ts'
import type { Scheduling } from '../../../core/ports/scheduling.ts'
import type { Settings } from '../../../core/settings.ts'
import { PAYMENT_ADAPTERS, SCHEDULING_ADAPTERS } from '../../../practice/adapters/providers.ts'
import { CliError, cliErrorOf } from '../../command.ts'
import { type ProviderAddresses, TIMEOUT_MS } from '../../setup/providers.ts'
import { type Transcript, heading, line, transcript } from '../transcript.ts'
import { type Steps, checkCalendar } from './calendar.ts'
import { checkInvoices } from './invoices.ts'
import { type Ending, LEFT_FILE, endLeftOver, leftOverIn } from './left-over.ts'

export interface LiveRun {
  settings: Settings
  /** Undefined where the provider is left out. */
  token: string | undefined
  paymentKey: string | undefined
  addresses: ProviderAddresses
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
export async function checkLive(run: LiveRun): Promise<void> {
  const shown = transcript()
  const answers = printedAnswers(shown)
  const scheduling = schedulingOf(run, answers.fetch)
  const payments = paymentsOf(run, answers.fetch)
  if (!scheduling && !payments) throw NO_CREDENTIAL
  const left = leftOverIn(run.root)
  const wait = () => setTimeout(run.pauseMs ?? 3 * SECOND)
  const ending = { scheduling, payments, zone: run.settings.practice.timezone, wait }
  await endEarlier(run, ending)
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
      const failure = inWords(thrown)
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

/** What is tried at one provider. */
interface Part {
  label: string
  /** For the owner, before the first question. */
  about: string
  check(steps: Steps): Promise<void>
}

function calendarPart(run: LiveRun, scheduling: Scheduling): Part {
  const { settings, email } = run
  const { label } = SCHEDULING_PROVIDERS[settings.SCHEDULING_PROVIDER]
  const eventType = eventTypeOf(run)
  const zone = settings.practice.timezone
  return {
    label,
    about: `It books, moves and cancels one consult, far ahead. ${label} writes to ${maskEmail(email)} each time.
Whatever happens, what was made is cancelled again. The audit log of the connector has nothing of it.`,
    check: (steps) => checkCalendar({ ...steps, scheduling, label, eventType, zone, email }),
  }
}

function invoicePart(run: LiveRun, payments: Payments, changesSent: () => number): Part {
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
    check: (steps) =>
      checkInvoices({ ...steps, payments, provider, label, wanted, isHosted, changesSent }),
  }
}

/** A refusal of a provider as its detail says it. */
const inWords = (thrown: unknown): CliError =>
  thrown instanceof Problem
    ? new CliError(thrown.refusal.detail ?? PROBLEMS[thrown.refusal.code].detail)
    : cliErrorOf(thrown)

const NO_CREDENTIAL = new CliError(
  'No token of a calendar and no key for invoices was given.',
  'Set SCHEDULING_PROVIDER_TOKEN or PAYMENT_PROVIDER_SECRET_KEY in the environment of this command.',
)

/** Ends what an earlier run left. Raises `CliError` with what a person has to end by hand. */
async function endEarlier({ root }: LiveRun, ending: Ending): Promise<void> {
  const left = leftOverIn(root)
  if (left.read().length === 0) return
  line('An earlier run was cut off. What it left is ended first.')
  const byHand = await endLeftOver(left, ending)
  if (byHand.length > 0) throw stillLeft(byHand)
  line('Undone: nothing is left of it.')
}

const stillLeft = (byHand: readonly string[]): CliError =>
  new CliError(
    `The run may have left something behind:\n${byHand.map((one) => `  ${one}`).join('\n')}`,
    `Do that, and delete ${LEFT_FILE}. Or run this again: it looks once more, and after an ` +
      'hour what no list shows was not made.',
  )

function eventTypeOf({ settings, eventType }: LiveRun) {
  const { eventTypes } = settings.practice
  const found = eventType === undefined ? eventTypes[0] : eventTypes.find(isNamed(eventType))
  if (found) return found
  const names = eventTypes.map(({ name }) => name).join(', ')
  throw new CliError(`--event-type takes one of: ${names}.`, 'Correct it; nothing was done.')
}

const isNamed =
  (wanted: string) =>
  ({ name }: { name: string }): boolean =>
    name === wanted

function schedulingOf(run: LiveRun, send: typeof fetch): Scheduling | undefined {
  const { settings, token, addresses } = run
  if (token === undefined) return undefined
  return SCHEDULING_ADAPTERS[settings.SCHEDULING_PROVIDER].create({
    token,
    baseUrl: addresses.scheduling,
    timeoutMs: TIMEOUT_MS,
    fetch: send,
    now: Date.now,
    eventTypeIds: settings.practice.eventTypes.map(({ id }) => id),
  })
}

function paymentsOf(run: LiveRun, send: typeof fetch): Payments | undefined {
  const { settings, paymentKey, addresses } = run
  if (paymentKey === undefined) return undefined
  const { create } = PAYMENT_ADAPTERS[settings.PAYMENT_PROVIDER]
  const connection = {
    secretKey: paymentKey,
    baseUrl: addresses.payments,
    timeoutMs: TIMEOUT_MS,
    fetch: send,
  }
  const asConfigured = create({ ...connection, style: settings.PAYMENT_LINK_STYLE })
  // A link of its own, which can be ended, is made under a test key only.
  return asConfigured.isTest ? create({ ...connection, style: 'payment_link' }) : asConfigured
}
