/**
 * Writes shapes.txt again, with what was added since: from then on that is promised, too. It writes nothing where a
 * shape is broken or an addition is not noted. test/README.md says how it is run.
 */
import { existsSync, writeFileSync } from 'node:fs'

import { VERSION } from '../../../src/core/version.ts'
import { SHAPES, mistakes } from './promise.ts'
import { servedShapes } from './served.ts'
import { written } from './shape.ts'

const now = await servedShapes()
const wrong = existsSync(SHAPES) ? mistakes(now) : []
if (wrong.length > 0) {
  console.error(wrong.join('\n'))
  process.exitCode = 1
} else {
  writeFileSync(SHAPES, written(VERSION, now))
  console.log(`Written: the shapes of version ${VERSION}.`)
}
