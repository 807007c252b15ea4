import type { ApprovalView } from '../../../../src/core/ports/approvals.ts'

/** Personal data that is planted in every payload, to be found wherever it must not be. */
export const CANARIES = { local: 'quillbirdsong', name: 'stormpetrel' } as const

/** The letters of a text that its base64 surely contains, wherever in it the text begins. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + text).toString('base64')
    return encoded.slice(offset === 0 ? 0 : offset + 1, -4)
  })

const PLAIN = new RegExp(Object.values(CANARIES).join('|'), 'i')
const ENCODED = new RegExp(
  Object.values(CANARIES).flatMap(inBase64).join('|').replaceAll('+', '\\+'),
)

/** An answer or page without the one text in which a caller's words may stand: that for the client, in a preview. */
export function withoutClientText<T extends object>(said: T): T {
  if (!('preview' in said) || typeof said.preview !== 'object') return said
  return { ...said, preview: { ...said.preview, reason: null } }
}

/** The page of an approval without the names that it alone shows whole; its addresses stay, which are masked there too. */
export function withoutWholeNames<T extends Pick<ApprovalView, 'whole'>>(view: T): T {
  const whole = Object.entries(view.whole).filter(([field]) => !field.endsWith('_name'))
  return { ...view, whole: Object.fromEntries(whole) }
}

/** Whether a text gives a canary away, raw, in any case, or in base64. */
export const givesAway = (text: string): boolean => PLAIN.test(text) || ENCODED.test(text)
