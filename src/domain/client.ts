import * as z from 'zod'

export const entityTypeSchema = z.enum([
  'individual',
  'joint',
  'trust',
  'llc',
  's_corp',
  'c_corp',
  'partnership',
  'estate',
])

/** The key of the record of a client. */
export const clientKey = (clientId: string): string => `client:${clientId}`

/** What the keys of all intake records of a client begin with. */
export const intakePrefix = (clientId: string): string => `intake:${clientId}:`

/** The client whose data a record is, by its key; undefined for a record of anything else. */
export const clientOfKey = (key: string): string | undefined => /^(?:client|intake):(cl_[^:]+)/.exec(key)?.[1]

/** What stands in place of the record of a deleted client. */
export const TOMBSTONE = { deleted: true } as const
