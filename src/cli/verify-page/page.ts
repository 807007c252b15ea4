import type { PackFinding, PackReport } from '../verify/report.ts'
import { verifyPack } from '../verify/verify.ts'

/** The sign before a finding, and a word for readers who do not see it. */
const MARKS = { good: ['✓', 'Good'], bad: ['✗', 'Wrong'], remark: ['·', 'Note'] } as const

const form = found('ask', HTMLFormElement)
const result = found('result', HTMLElement)

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void check()
})

function found<T extends HTMLElement>(id: string, kind: new () => T): T {
  const one = document.getElementById(id)
  if (!(one instanceof kind)) throw new TypeError('this page is not whole')
  return one
}

const filesOf = (id: string): File[] => [...(found(id, HTMLInputElement).files ?? [])]

async function check() {
  const [pack] = filesOf('pack')
  if (!pack) return
  const button = found('check', HTMLButtonElement)
  button.disabled = true
  result.replaceChildren(part('p', {}, 'Checking…'))
  try {
    const held = await Promise.all(
      filesOf('held').map(async (file) => ({ name: file.name, text: await file.text() })),
    )
    const key = found('key', HTMLInputElement).value
    const retentionDays = found('retention-days', HTMLInputElement).valueAsNumber
    show(await verifyPack(new Uint8Array(await pack.arrayBuffer()), { key, held, retentionDays }))
  } catch {
    const why =
      'This browser cannot check signatures in a page that was opened from disk. ' +
      'Open it in a current Chrome, Edge or Chromium, or use the command npm run verify.'
    result.replaceChildren(part('h2', { tabIndex: -1 }, 'Nothing was checked'), part('p', {}, why))
  } finally {
    button.disabled = false
    result.querySelector('h2')?.focus()
  }
}

function show({ about, headline, isGood, findings, counts, csv, notProved }: PackReport) {
  result.replaceChildren(
    part(
      'h2',
      { tabIndex: -1, className: isGood ? 'good' : 'bad' },
      `${isGood ? '✓' : '✗'} ${headline}`,
    ),
    part('p', { className: 'soft' }, about),
    part('ul', { className: 'findings' }, ...findings.map(item)),
    ...counts.map(({ title, rows }) =>
      part(
        'details',
        {},
        part('summary', {}, title),
        ...rows.map(([name, times]) =>
          part('p', { className: 'count' }, part('span', {}, name), part('b', {}, String(times))),
        ),
      ),
    ),
    ...(csv === ''
      ? []
      : [download(csv, 'changes.csv', 'Save the changes that were made, as CSV')]),
    part('h2', {}, 'What this does not prove'),
    part('ul', {}, ...notProved.map((one) => part('li', {}, one))),
  )
}

const item = ({ verdict, check: name, text }: PackFinding): HTMLElement =>
  part(
    'li',
    { className: verdict },
    part('span', { className: 'mark', ariaHidden: 'true' }, MARKS[verdict][0]),
    part('div', {}, part('b', {}, `${MARKS[verdict][1]}: ${name}`), part('p', {}, text)),
  )

function download(content: string, name: string, text: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([content]))
  return part('p', {}, part('a', { href, download: name }, text))
}

/** An element with these properties; its content is text, never markup. */
function part<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...inner: (HTMLElement | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...inner)
  return made
}
