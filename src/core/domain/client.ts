import * as z from 'zod'

const ENTITY_TYPES = [
  'individual',
  'joint',
  'trust',
  'llc',
  's_corp',
  'c_corp',
  'partnership',
  'estate',
] as const

export const entityTypeSchema = z.enum(ENTITY_TYPES)
