import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { rulesForm } from './rules-fields.ts'
import { type FormErrors, type RulesForm, formOf } from './rules-form.ts'
import { rulesInWords } from './rules-words.ts'
import { type ShellView, UNREAD, setOf } from './shell.ts'

/** A form that was refused, as it was sent. */
export interface RefusedForm {
  form: RulesForm
  errors: FormErrors
}

interface RulesTexts {
  title: string
  intro: string
  none: string
  /** What opens the form. */
  change: string
}

/** The rules of a caller in words, and the form that changes them. */
export function rulesSection(
  view: ShellView,
  caller: string,
  texts: RulesTexts,
  refused: RefusedForm | undefined,
): Html {
  const { rules } = setOf(view.rules, caller)
  const words = rulesInWords(rules, view.clock)
  return html`<section aria-labelledby="rules">
    <h2 id="rules">${texts.title}</h2>
    <p class="soft">${texts.intro}</p>
    ${
      view.rules === 'unread'
        ? UNREAD
        : html`${
              words.length === 0
                ? html`<p>${texts.none}</p>`
                : html`<dl class="rules">
                    ${words.map(
                      ({ title, words: text }) =>
                        html`<div>
                          <dt>${title}</dt>
                          <dd>${text}</dd>
                        </div>`,
                    )}
                  </dl>`
            }
            <details ${refused ? 'open' : ''}>
              <summary>${texts.change}</summary>
              ${rulesForm({
                caller,
                form: refused?.form ?? formOf(rules),
                errors: refused?.errors ?? {},
                csrf: view.csrf,
                zone: view.clock.zone,
              })}
            </details>`
    }
  </section>`
}

/** Says above a page that its form was refused. */
export const refusedNotice = (refused: RefusedForm | undefined): Html | '' =>
  refused === undefined
    ? ''
    : html`<p class="notice bad" role="alert">
        Nothing was saved. What is marked below is not right yet; everything else is kept as you typed it.
      </p>`
