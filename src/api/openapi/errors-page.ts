import { PROBLEM_CODES } from '../../core/domain/problem/problems.ts'
import type { Block, DocPage } from './doc-page.ts'
import { REMEDIES, REMEDY_OF, type Remedy, shownRefusal } from './refusals.ts'

/** The page that the `type` of every problem links to: what a caller can do about it, in four groups. */
export function errorsPage(): DocPage {
  const remedies = Object.keys(REMEDIES) as Remedy[]
  const codesOf = (remedy: Remedy) => PROBLEM_CODES.filter((code) => REMEDY_OF[code] === remedy)
  return {
    path: '/docs/errors',
    title: 'Errors',
    blocks: [
      'Every refusal has a `code`. Where nothing is marked, nothing was done ' +
        '(`effect: none`), and the same call is refused again (`retryable: false`). ' +
        `${PROBLEM_CODES.length} codes, four things to do:`,
      {
        links: remedies.map((one) => [`${REMEDIES[one]} (${codesOf(one).length})`, `#${one}`]),
      },
      ...remedies.flatMap((one): Block[] => [
        { heading: REMEDIES[one], id: one },
        { refusals: codesOf(one).map((code) => shownRefusal(code)), isAnchored: true },
      ]),
    ],
  }
}
