import type * as z from 'zod'
import type { Refusal } from '../../../domain/problem.ts'
import type { Heard } from '../../provider-http.ts'
import { ADVICE, missingRight, type Right, type VersionSetting, wrongVersion } from './messages.ts'
import { saidIn } from './schemas.ts'
import { busy, misconfigured, waitIn } from './outcomes.ts'
import { NO_ROUTE } from './errors.ts'

/** What a read asks of the settings of the practice. */
export interface Reading {
  version: VersionSetting
  right: Right
  /** What to tell the owner when Cal.com knows the endpoint but not the thing. */
  gone?: string
}

const RETRY_READ = 5

/** The answer, if it is a success in the form that was promised. */
export function believed<T extends z.ZodType>(heard: Heard, form: T): z.output<T> | undefined {
  if (heard.status === 'no answer' || heard.status >= 300) return undefined
  const answer = form.safeParse(heard.body)
  return answer.success ? answer.data : undefined
}

/** What a read that failed means to the caller and to the owner. */
export function failedRead(heard: Heard, { version, right, gone }: Reading, now: number): Refusal {
  if (heard.status === 'no answer') return busy(RETRY_READ).refusal
  const { status, headers, body } = heard
  if (status === 401) return misconfigured(ADVICE.key).refusal
  if (status === 403) return misconfigured(missingRight(right)).refusal
  if (status === 429) return busy(waitIn(headers, now)).refusal
  if (status === 404) {
    const known = gone !== undefined && !NO_ROUTE.test(saidIn(body).words)
    return misconfigured(known ? gone : wrongVersion(version)).refusal
  }
  if (status === 400 || status === 422) return misconfigured(ADVICE.refused).refusal
  // JSON in another form is what a wrong version looks like; what is no JSON comes from something in between.
  if (status < 300 && body !== undefined) return misconfigured(ADVICE.form).refusal
  return busy(RETRY_READ).refusal
}
