import { fileURLToPath } from 'node:url'

import { staticFiles } from '../../../src/cli/static-files.ts'
import { homePage } from '../../../src/owner/console/home/page.ts'
import { findChromium, openChromium } from '../../support/chromium.ts'
import {
  FIRST_STEPS,
  PROVIDER_PAGES,
  fullHome,
  homeAfter,
  fullShell,
  waitingChange,
} from '../../unit/owner/console/views.ts'

/*
 * Makes docs/console.png, the picture of Home in the README:
 * node --experimental-strip-types test/security/console/picture.ts
 */

const WIDTH = 1100
const PICTURE = fileURLToPath(new URL('../../../docs/console.png', import.meta.url))

const executable = await findChromium()
if (executable === undefined) throw new Error('There is no Chromium on this machine to draw with.')

const style = Buffer.from((await staticFiles())['console.css']!.body).toString()
const healthy = { issues: [], alertedReasons: [], checkedAt: 0, unresolved: 0 }
const html = homePage(
  fullHome({
    shell: fullShell('/owner', {
      modes: { scheduling: 'live', payments: 'live' },
      providers: PROVIDER_PAGES,
      waiting: [
        waitingChange(),
        waitingChange({
          flow: 'link',
          operation: 'create_payment_link',
          code: 'A1B2',
          summary: 'Create a payment link of $750.00 for invoice A-1042, J. D.',
        }),
      ],
    }),
    needs: { unresolved: [], refused: [], health: healthy, unreviewed: [] },
    first: homeAfter(FIRST_STEPS.at(-1)!).first,
  }),
)

const chromium = await openChromium(executable)
const page = await chromium.context.newPage()
await page.emulateMedia({ colorScheme: 'light' })
await page.setViewportSize({ width: WIDTH, height: 700 })
await page.setContent(
  html
    .replace(/<link[^>]*stylesheet[^>]*>/, `<style>${style}</style>`)
    .replaceAll(/<script[^>]*><\/script>/g, ''),
)
await page.screenshot({ path: PICTURE, fullPage: true })
await chromium.close()
