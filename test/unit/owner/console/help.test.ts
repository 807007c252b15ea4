import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { PROJECT_ROOT } from '../../../../src/cli/wrangler.ts'
import { GUIDES } from '../../../../src/owner/console/shell/shell.ts'
import { EVERY_PAGE } from './views.ts'

test('each page of the console leads to a guide, and each guide is there', () => {
  for (const [name, { html }] of Object.entries(EVERY_PAGE)) {
    const [, guide] = /href="\/docs\/guides\/([\w/-]+)">Help with this page/.exec(html()) ?? []
    expect([name, Object.values(GUIDES).includes(guide ?? '')]).toEqual([name, true])
  }
  for (const guide of Object.values(GUIDES))
    expect([guide, existsSync(join(PROJECT_ROOT, 'docs', `${guide}.md`))]).toEqual([guide, true])
})
