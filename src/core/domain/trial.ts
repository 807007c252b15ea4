import { READ_SCOPES, type Scope } from './scopes.ts'

/** The caller that brings no credential, in a local trial. */
export const ANONYMOUS_CALLER = 'anonymous'

/** The caller that brings the key which `npm start` prints. */
export const TRIAL_CALLER = 'trial'

/** What the key of a trial is granted by name: the reads, and client links, so that an owner can try both. */
export const TRIAL_GRANTS: readonly Scope[] = [...READ_SCOPES, 'client_links:write']

/** Whether a caller exists in a local trial only. */
export const isOfTrial = (caller: string): boolean =>
  [ANONYMOUS_CALLER, TRIAL_CALLER].includes(caller)
