import type { Refusal } from '../domain/problem.ts'

/** A refusal that the owner can fix; `detail` says how. */
export const misconfigured = (detail: string): Refusal => ({
  code: 'provider_misconfigured',
  effect: 'none',
  detail,
})

/** A refusal that may be temporary. */
export const busyFor = (seconds: number): Refusal => ({
  code: 'provider_busy',
  effect: 'none',
  retry_after_seconds: seconds,
})

/** A time zone that the caller named and the provider does not know. */
export const UNKNOWN_ZONE: Refusal = {
  code: 'validation_failed',
  effect: 'none',
  errors: [{ pointer: '/timezone', detail: 'Expected a time zone that the scheduling provider knows.' }],
}

/** What the owner can do about a response that is JSON, but not in the form this adapter was written for. */
export const unknownForm = (label: string): string =>
  `${label} answered in a form that this version of the connector does not know. Update the connector; if there is no newer version, tell whoever maintains it.`
