import { html } from 'hono/html'

import { type Html, ifDefined } from '../http/html.ts'
import type { TriedField, TryForm } from '../openapi/doc-page.ts'

/** The field of a form into which an API key is typed. */
export const KEY_FIELD = 'api_key'

/** A form that sends an operation to the mock. */
export function formHtml({ path, kind, fields, needsKey }: TryForm): Html {
  const folded = fields.filter(({ isUsual }) => !isUsual)
  const [note, button] =
    kind === 'mutation'
      ? ['It makes only a preview, so nothing is changed. Use invented people.', 'Send the preview']
      : ['It reads the mock data of this connector.', 'Send the call']
  return html`<h2 id="try">Try it on the mock</h2>
    <form class="try" method="post" action="${path}" autocomplete="off">
      ${needsKey ? controlHtml('API key', KEY_FIELD, (own) => html`<input type="password" ${own} value="" />`) : ''}
      ${fields.filter(({ isUsual }) => isUsual).map(fieldHtml)}
      ${
        folded.length === 0
          ? ''
          : html`<details>
              <summary>Optional fields</summary>
              ${folded.map(fieldHtml)}
            </details>`
      }
      <button>${button}</button>
      <p class="soft">${note}</p>
    </form>`
}

/** A control under its label; `control` is given its name and its id. */
const controlHtml = (label: string, name: string, control: (own: Html) => Html): Html =>
  html`<label for="try-${name}">${label}</label>
    ${control(html`name="${name}" id="try-${name}"`)}`

function fieldHtml({ name, value, choices, hint }: TriedField): Html {
  const words = name.replaceAll('_', ' ')
  const label = words.charAt(0).toUpperCase() + words.slice(1)
  const hintId = `try-${name}-hint`
  const described = hint === undefined ? '' : html`aria-describedby="${hintId}"`
  return html`${controlHtml(label, name, (own) => {
    if (choices)
      return html`<select ${own}>
          ${(value === '' ? ['', ...choices] : choices).map(
            (one) => html`<option ${one === value ? 'selected' : ''}>${one}</option>`,
          )}
        </select>`
    return value.includes('\n')
      ? html`<textarea ${own} rows="6" spellcheck="false">${value}</textarea>`
      : html`<input ${own} value="${value}" spellcheck="false" ${described} />`
  })}
    ${ifDefined(hint, (text) => html`<p class="soft" id="${hintId}">${text}</p>`)}`
}
