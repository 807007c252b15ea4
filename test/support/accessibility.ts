import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
}

/**
 * What is wrong with a page by WCAG 2.2 AA, light and dark, on a phone and on a desktop; and whether it has to be scrolled
 * sideways at 320 px. None where it is accessible.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1100]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const { violations } = await page.evaluate(async (values) => {
        const { axe: loaded } = globalThis as unknown as { axe: { run(options: object): Promise<Found> } }
        return loaded.run({ runOnly: { type: 'tag', values } })
      }, TAGS)
      for (const { id, nodes } of violations)
        for (const { html, failureSummary } of nodes)
          faults.push(`${colorScheme}, ${width} px: ${id}: ${html} ${failureSummary}`)
    }
  }
  await page.setViewportSize({ width: 320, height: 800 })
  if ((await page.evaluate(() => document.documentElement.scrollWidth)) > 320)
    faults.push('320 px: it has to be scrolled sideways')
  await page.setViewportSize({ width: 1100, height: 800 })
  return faults
}
