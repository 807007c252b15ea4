import type { Locator, Page } from 'playwright-core'

/** More presses than any page has stops. */
const MOST_PRESSES = 200

interface Focus {
  /** The number of the stop that has the focus; -1 for anything else. */
  stop: number
  /** What is wrong with it: it has no ring, or it lies under something or outside the window. */
  fault: string | undefined
}

/** What has the focus now. */
const focusIn = (page: Page): Promise<Focus> =>
  page.evaluate(() => {
    const one = document.activeElement
    const stop = Number(one?.getAttribute('data-stop') ?? -1)
    if (!one || one === document.body) return { stop, fault: 'nothing has the focus' }
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    const { x, y, width, height } = one.getClientRects()[0] ?? new DOMRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    const said = one.outerHTML.slice(0, 160)
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2)
      return { stop, fault: `no ring: ${said}` }
    const isSeen = top && (one.contains(top) || top.contains(one))
    return { stop, fault: isSeen ? undefined : `not to be seen: ${said}` }
  })

/** What Tab stops at, as far as it is shown; of a group of radio buttons, the one that is chosen. */
const STOPS =
  'a[href], button:enabled, input:enabled:not([type=hidden], [type=radio]:not(:checked)), select:enabled, summary'

/** Goes on with Tab until this has the focus, and there is seen to have it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // So many presses by the order of the page; more where a field has several stops, or where it begins again from the top.
  const least = await target.evaluate((one, stops) => {
    const all = [...document.querySelectorAll(stops)].filter((stop) => stop.checkVisibility())
    return Math.max(0, all.indexOf(one) - all.indexOf(document.activeElement!))
  }, STOPS)
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    if (presses >= least && (await target.evaluate((one) => one === document.activeElement))) {
      const { fault } = await focusIn(page)
      if (fault !== undefined) throw new Error(fault)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way to ${String(target)} with the keyboard`)
}

/**
 * What is wrong with a page for a person with a keyboard alone: Tab does not come to each link, button and field in the order in
 * which the page has them, or what has the focus is not seen to have it.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const stops = await page.evaluate((selector) => {
    const isStop = (one: Element) => {
      if (!one.matches('[type=radio]:not(:checked)')) return one.matches(selector)
      // Of a group without a choice, the first one.
      const group = [
        ...document.querySelectorAll(`[type=radio][name="${one.getAttribute('name')}"]`),
      ]
      return group[0] === one && !group.some((other) => other.matches(':checked'))
    }
    const all = document.querySelectorAll(`${selector}, [type=radio]:enabled`)
    const seen = [...all].filter((one) => one.checkVisibility() && isStop(one))
    seen.forEach((one, i) => one.setAttribute('data-stop', String(i)))
    return seen.length
  }, STOPS)
  const reached: number[] = []
  const faults: string[] = []
  for (let presses = 0; presses < MOST_PRESSES && reached.length < stops; presses++) {
    await page.keyboard.press('Tab')
    const { stop, fault } = await focusIn(page)
    // A date has a stop for each of its parts; after the last one the browser itself has the focus once.
    if (stop === reached.at(-1) || (stop === -1 && reached.at(-1) === stops - 1)) continue
    if (fault !== undefined) faults.push(fault)
    reached.push(stop)
  }
  const first = reached[0] ?? 0
  const order = Array.from({ length: stops }, (_, i) => (first + i) % stops)
  if (reached.join() !== order.join())
    faults.push(`Tab goes ${reached.join()} through ${stops} stops`)
  return faults
}
