import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { maskEmail } from '../../core/domain/email.ts'
import { Problem } from '../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../core/domain/problem/problems.ts'
import {
  PAYMENT_PROVIDERS,
  SCHEDULING_PROVIDERS,
  isPaymentProvider,
} from '../../core/domain/providers.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { isoUtc } from '../../core/domain/time/time.ts'
import type { Payments } from '../../core/ports/payments.ts'
import type { Scheduling } from '../../core/ports/scheduling.ts'
import type { Settings } from '../../core/settings.ts'
import { PAYMENT_ADAPTERS, SCHEDULING_ADAPTERS } from '../../practice/adapters/providers.ts'
import { CliError, cliErrorOf } from '../cli-error.ts'
import { type ProviderAddresses, TIMEOUT_MS } from '../setup/providers.ts'
import type { Terminal } from '../terminal.ts'
import { INVITEE_NAME, type Steps, checkCalendar } from './calendar.ts'
import { checkInvoices } from './invoices.ts'
import { type Ending, LEFT_FILE, REASON, endLeftOver, leftOverIn } from './left-over.ts'
import { recorderOf } from './recorder.ts'
import { type Exchange, type Recording, UNREDACTED } from './recording.ts'
import { redacted } from './redaction.ts'
import { differences, differencesShown, shapesOfFakes } from './shapes.ts'

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
  /** Where the recordings go. */
  out: string
  terminal: Terminal
  ask(question: string): Promise<boolean>
  /** Between two looks for something that a list may not show yet. */
  pauseMs?: number
}

type Recorder = ReturnType<typeof recorderOf>

/**
 * Books, moves and cancels one consult, reads an invoice, and under a test key makes and ends a
 * link: each step after a question, and undone if a later one fails. Writes the exchange, redacted.
 * Raises `CliError` where anything failed.
 */
export async function checkLive(run: LiveRun): Promise<void> {
  const { settings, terminal, ask } = run
  const scheduling = schedulingOf(run)
  const payments = paymentsOf(run)
  if (!scheduling && !payments) throw NO_CREDENTIAL
  const left = leftOverIn(run.root)
  const wait = () => setTimeout(run.pauseMs ?? 3 * SECOND)
  const zone = settings.practice.timezone
  const ending = { scheduling: scheduling?.port, payments: payments?.port, zone, wait }
  await endEarlier(run, ending)
  const markers: string[] = []
  const newMarker = () => {
    const marker = `live-${randomBytes(12).toString('hex')}.${markers.length}`
    markers.push(marker)
    return marker
  }
  const steps: Steps = { terminal, left, ask, wait, newMarker }
  const failures: CliError[] = []
  let byHand: string[] = []
  for (const part of [
    scheduling && calendarPart(run, scheduling),
    payments && invoicePart(run, payments),
  ]) {
    if (!part) continue
    const began = Date.now()
    terminal.heading(part.label)
    terminal.line(part.about)
    try {
      await part.check(steps)
    } catch (thrown) {
      const failure = inWords(thrown)
      failures.push(failure)
      terminal.warn(part.label, failure.message)
    }
    const isLeft = left.read().length > 0
    byHand = await endLeftOver(left, ending)
    if (isLeft && byHand.length === 0) terminal.done('Undone', 'nothing is left behind')
    write(run, { ...part, markers, began })
  }
  if (byHand.length > 0) throw stillLeft(byHand)
  const [failure] = failures
  if (failure)
    throw new CliError('Not all of it went well; nothing is left behind.', failure.nextStep)
  terminal.line('\nNothing failed, and nothing is left behind.')
}

/** What is tried at one provider. */
interface Part {
  label: string
  /** For the owner, before the first question. */
  about: string
  provider: Recording['provider']
  style: Recording['style']
  recorder: Recorder
  check(steps: Steps): Promise<void>
}

function calendarPart(run: LiveRun, { port, recorder }: Recorded<Scheduling>): Part {
  const { settings, email } = run
  const { SCHEDULING_PROVIDER: provider, PAYMENT_LINK_STYLE: style } = settings
  const { label } = SCHEDULING_PROVIDERS[provider]
  const eventType = eventTypeOf(run)
  const zone = settings.practice.timezone
  const check = (steps: Steps) =>
    checkCalendar({ ...steps, scheduling: port, label, eventType, zone, email })
  return { label, about: aboutCalendar(label, email), provider, style, recorder, check }
}

function invoicePart(run: LiveRun, payments: RecordedPayments): Part {
  const { settings, invoice: wanted } = run
  const { port, search, recorder, style } = payments
  const { PAYMENT_PROVIDER: provider } = settings
  const { label } = PAYMENT_PROVIDERS[provider]
  const isHosted = settings.PAYMENT_LINK_STYLE === 'hosted_invoice'
  const isChange = ({ request }: Exchange) => request.method !== 'GET'
  const changesSent = () => recorder.exchanges.filter(isChange).length
  const check = (steps: Steps) =>
    checkInvoices({
      ...steps,
      payments: port,
      provider,
      search,
      label,
      wanted,
      isHosted,
      changesSent,
    })
  const link = port.isTest ? 'It makes a payment link for it, and ends it.' : 'It makes no link.'
  const about = `It reads one invoice. ${link}`
  return { label, about, provider, style, recorder, check }
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

const aboutCalendar = (label: string, email: string): string =>
  `It books, moves and cancels one consult, far ahead. ${label} writes to ${maskEmail(email)} each time.
Whatever happens, what was made is cancelled again. The audit log of the connector has nothing of it.`

/** Ends what an earlier run left. Raises `CliError` with what a person has to end by hand. */
async function endEarlier({ root, terminal }: LiveRun, ending: Ending): Promise<void> {
  const left = leftOverIn(root)
  if (left.read().length === 0) return
  terminal.line('An earlier check was cut off. What it left is ended first.')
  const byHand = await endLeftOver(left, ending)
  if (byHand.length > 0) throw stillLeft(byHand)
  terminal.done('Undone', 'nothing is left of it')
}

const stillLeft = (byHand: readonly string[]): CliError =>
  new CliError(
    `The check may have left something behind:\n${byHand.map((one) => `  ${one}`).join('\n')}`,
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

interface Recorded<Port> {
  port: Port
  recorder: Recorder
}

interface RecordedPayments extends Recorded<Payments> {
  /** Searches without being recorded. */
  search: Payments
  style: Recording['style']
}

function schedulingOf(run: LiveRun): Recorded<Scheduling> | undefined {
  const { settings, token, addresses } = run
  if (token === undefined) return undefined
  const recorder = recorderOf(fetch)
  const port = SCHEDULING_ADAPTERS[settings.SCHEDULING_PROVIDER].create({
    token,
    baseUrl: addresses.scheduling,
    timeoutMs: TIMEOUT_MS,
    fetch: recorder.fetch,
    now: Date.now,
    eventTypeIds: settings.practice.eventTypes.map(({ id }) => id),
  })
  return { recorder, port: recorder.listening(port) }
}

function paymentsOf({ settings, paymentKey, addresses }: LiveRun): RecordedPayments | undefined {
  if (paymentKey === undefined) return undefined
  const recorder = recorderOf(fetch)
  const { create } = PAYMENT_ADAPTERS[settings.PAYMENT_PROVIDER]
  const connection = {
    secretKey: paymentKey,
    baseUrl: addresses.payments,
    timeoutMs: TIMEOUT_MS,
  }
  const search = create({ ...connection, fetch, style: settings.PAYMENT_LINK_STYLE })
  // A link of its own, which can be ended, is made under a test key only.
  const style = search.isTest ? 'payment_link' : settings.PAYMENT_LINK_STYLE
  const port = create({ ...connection, fetch: recorder.fetch, style })
  return { recorder, search, style, port: recorder.listening(port) }
}

interface Written extends Pick<Part, 'recorder' | 'provider' | 'style'> {
  markers: readonly string[]
  began: number
}

/** Writes what was said, redacted, and prints how it differs from the fakes. */
function write(run: LiveRun, { recorder, provider, style, markers, began }: Written): void {
  const { settings, terminal, email, token, paymentKey } = run
  if (recorder.calls.length === 0 || recorder.exchanges.length === 0) return
  const reasons = ['Rescheduled.', REASON].flatMap((reason) =>
    markers.map((marker) => `(ref ${marker}) ${reason}`),
  )
  const eventTypeIds = isPaymentProvider(provider)
    ? []
    : settings.practice.eventTypes.map(({ id }) => id)
  const ours = [INVITEE_NAME, REASON, ...markers, ...reasons]
  const recording: Recording = {
    provider,
    source: `npm run doctor -- --live, on ${isoUtc(began).slice(0, 10)}; redacted by it.`,
    now: isoUtc(began),
    style,
    ...redacted(recorder, { provider, ours, eventTypeIds }),
  }
  const text = `${JSON.stringify(recording, null, 2)}\n`
  const secrets = [token, paymentKey, email].filter((one) => one !== undefined)
  if (UNREDACTED.test(text) || secrets.some((one) => text.includes(one))) {
    terminal.warn('Recording', 'not written: something in it could not be redacted')
    return
  }
  const path = freeName(join(run.out, `live-${provider}-${isoUtc(began).slice(0, 10)}`))
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  terminal.done('Recording', `${path}, redacted; in test/support/recordings/ it becomes a test`)
  const found = differencesShown(differences(recording, shapesOfFakes()[provider] ?? {}))
  if (found.length === 0) terminal.done('Fakes', 'answer in the same shapes')
  else terminal.warn('Fakes', 'of this repository answer otherwise:')
  for (const one of found) terminal.line(`    ${one}`)
}

function freeName(base: string): string {
  for (let nth = 1; ; nth += 1) {
    const path = nth === 1 ? `${base}.json` : `${base}-${nth}.json`
    if (!existsSync(path)) return path
  }
}
