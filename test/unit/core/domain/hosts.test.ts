import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { HOSTS } from '../../../../src/core/domain/hosts.ts'

/** A page as it is read, without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')

test.each(Object.entries(HOSTS))(
  'the steps for %s stand in its page, word for word',
  async (page, [, ...steps]) => {
    const path = fileURLToPath(new URL(`../../../../docs/connect/${page}.md`, import.meta.url))
    const text = plain(await readFile(path, 'utf8'))
    for (const step of steps) expect(text).toContain(plain(step).replace(/\.$/, ''))
  },
)
