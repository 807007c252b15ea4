import type { ApprovalView } from '../../../../src/core/ports/confirmation.ts'

/** Personal data that is planted in every payload, to be found wherever it must not be. */
export const CANARIES = {
  local: 'quillbirdsong',
  name: 'stormpetrel',
  phone: '+12025550173',
} as const

/** The letters of a text that its base64 surely contains, wherever in it the text begins. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + text).toString('base64')
    return encoded.slice(offset === 0 ? 0 : offset + 1, -4)
  })

/** A number is found in every spelling, however its digits stand apart. */
const PLAIN = new RegExp(
  [
    CANARIES.local,
    CANARIES.name,
    CANARIES.phone.slice(2).replaceAll(/\d\B/g, '$&[ ().-]{0,2}'),
  ].join('|'),
  'i',
)
const ENCODED = new RegExp(
  Object.values(CANARIES).flatMap(inBase64).join('|').replaceAll('+', '\\+'),
)

/** An answer or page without the two places of a preview for a caller's words: the text for the client, and the answers. */
export function withoutClientText<T extends object>(said: T): T {
  if (!('preview' in said) || typeof said.preview !== 'object') return said
  return { ...said, preview: { ...said.preview, reason: null, answers: null } }
}

/** An answer to a read without the names in what an invitee wrote; contacts in it have labels. */
export function withoutWrittenNames(body: Record<string, unknown>): Record<string, unknown> {
  const { answers, ...rest } = body
  if (answers === undefined) return body
  const written = JSON.stringify(answers).replaceAll(CANARIES.name, '')
  return { ...rest, answers: written }
}

/** A preview as text without these two. */
export const withoutClientLines = (text: string): string =>
  text.replaceAll(/^(?:reason|answers)\b.*$/gm, '')

/** The page of an approval without what it alone shows whole; its addresses stay, which are masked there too. */
export function withoutWhole<T extends Pick<ApprovalView, 'whole'>>(view: T): T {
  const whole = Object.entries(view.whole).filter(
    ([field]) => !field.endsWith('_name') && field !== 'answers' && field !== 'phone',
  )
  return { ...view, whole: Object.fromEntries(whole) }
}

/** Whether a text gives a canary away, raw, in any case, or in base64. */
export const givesAway = (text: string): boolean => PLAIN.test(text) || ENCODED.test(text)
