import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What people read it on: a small phone, a phone, a desktop at 200 %, a tablet or half a screen, and a desktop. */
const WIDTHS = [320, 390, 590, 700, 1180]

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** All rules of WCAG 2.2 AA, or those that a page can meet in one width or color scheme and break in another. */
type Rules = 'all' | 'of looks'
const RULES = {
  all: { type: 'tag', values: TAGS },
  'of looks': {
    type: 'rule',
    values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
  },
}

/** What is wrong with a page by WCAG 2.2 AA as it stands there now. */
export async function faultsAsItStands(page: Page, rules: Rules = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const { violations } = await page.evaluate(async (runOnly) => {
    const { axe: loaded } = globalThis as unknown as {
      axe: { run(options: object): Promise<Found> }
    }
    return loaded.run({ runOnly, resultTypes: ['violations'] })
  }, RULES[rules])
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** By how many pixels a page has to be scrolled sideways. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * What is wrong with a page by WCAG 2.2 AA, light and dark, on a phone and on a desktop; and at which widths it has to be
 * scrolled sideways. None where it is accessible. `look` is called in each of the four looks.
 */
export async function accessibilityFaults(
  page: Page,
  look: (name: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const faults: string[] = []
  let rules: Rules = 'all'
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [360, 1100]) {
      await page.setViewportSize({ width, height: 800 })
      await look(`${width}-${colorScheme}`)
      const found = await faultsAsItStands(page, rules)
      rules = 'of looks'
      faults.push(...found.map((fault) => `${colorScheme}, ${width} px: ${fault}`))
    }
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    if ((await sideways(page)) > 0) faults.push(`${width} px: it has to be scrolled sideways`)
  }
  await page.setViewportSize({ width: 1100, height: 800 })
  return faults
}
