import { factLines } from '../domain/fact-lines.ts'
import type { Mode } from '../domain/mode.ts'
import type { PreviewApproval } from '../ports/index.ts'

const mockMark = (mode: Mode): string => (mode === 'mock' ? ' (mock: nothing real happens)' : '')

interface Previewed {
  mode: Mode
  preview: object
  summary: string
  warnings: string[]
  confirmation_token: string
  next_step: string
  approval?: PreviewApproval | undefined
}

/** A preview as text alone; `until` is the end of its token, in words. */
export const previewText = (
  { mode, preview, summary, warnings, confirmation_token, next_step, approval }: Previewed,
  until: string,
): string =>
  [
    `Preview, nothing is changed yet${mockMark(mode)}: ${summary}`,
    ...warnings.map((warning) => `Note: ${warning}`),
    ...factLines(preview),
    `Valid until ${until}.`,
    `confirmation_token: ${confirmation_token}`,
    ...(approval
      ? [`approval: ${approval.status}`, `approval_code: ${approval.code}`, `approval_url: ${approval.url}`]
      : []),
    next_step,
  ].join('\n')

/** A commit as text alone, with every fact of the result: the next call needs its ids. */
export const committedText = ({
  mode,
  result,
  summary,
}: {
  mode: Mode
  result: object
  summary: string
}): string => [`Done${mockMark(mode)}: ${summary}`, ...factLines(result)].join('\n')
