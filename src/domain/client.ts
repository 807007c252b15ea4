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
