import { expect, test } from 'vitest'

import { withArticle } from '../../../../../src/practice/operations/booking/event-type.ts'

test.each([
  [
    'a',
    'consult user-call one-on-one once european-tax ewe unit union utility 110-minute 30-minute',
  ],
  [
    'a',
    'UK us-tax USA uhnw u-turn W-2 k-1 C-corp c_corp 401k cpa medicare follow-up home health mcdonald',
  ],
  [
    'a',
    'full retirement rhode-island sep-ira section lloyds nguyen snapshot strategy long new hybrid',
  ],
  [
    'an',
    'intro urgent hour-call honest honorary heir unincorporated unimportant up-front un-named open owner',
  ],
  [
    'an',
    '80-minute 11-minute 8 18 irs-letter EIN audit FBAR MBA LLC lp S-corp s_corp X-ray h-1b f1',
  ],
  ['an', 'rmd HSA SBA fha SSN RSU NOL hoa-audit smb xml'],
])('%s: %s', (article, kinds) => {
  for (const kind of kinds.split(' ')) expect(withArticle(kind)).toBe(`${article} ${kind}`)
})
