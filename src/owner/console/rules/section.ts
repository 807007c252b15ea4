import { html } from 'hono/html'

import { type Html, hiddenFields } from '../../../api/pages/layout.ts'
import { ALL_OPERATIONS } from '../../../core/domain/rules/approval.ts'
import { EVERYBODY, NO_RULES } from '../../../core/domain/rules/house-rules.ts'
import {
  PRESETS,
  type Preset,
  RULE_TITLES,
  rulesInWords,
} from '../../../practice/operations/house-rules.ts'
import { MUTATIONS } from '../../../practice/operations/index.ts'
import {
  type Entered,
  type ShellView,
  entered,
  field,
  hidden,
  row,
  setOf,
  whenRead,
} from '../shell/shell.ts'
import {
  type FormErrors,
  type AmountNames,
  LINK_AMOUNT,
  type Who,
  amountNames,
  amountsIn,
  choiceIn,
  choicesOf,
  formOf,
  personField,
  wrongChoice,
} from './form.ts'

const TEXTS = {
  everybody: {
    title: 'Rules for all callers',
    intro:
      'They apply to every app and key together, including the key from npm run deploy. ' +
      'An app or key can have stricter rules on its own page.',
    none: 'No rules yet: agents may do all that you ticked for them.',
    change: 'Change the rules for all callers',
  },
  one: {
    title: 'Rules of its own',
    intro: 'They apply on top of the rules for all callers. A change needs both to allow it.',
    none: 'None. The rules for all callers apply.',
    change: 'Change its rules',
  },
}

/** The rules of a caller, or of all, with the form that changes them; as it was sent where it was refused. */
export function rulesSection(view: ShellView, caller: string) {
  const { rules } = setOf(view.rules, caller)
  const form = entered(view, '/owner/rules', { caller }, formOf(rules))
  const words = rulesInWords(rules, view.clock)
  const texts = caller === EVERYBODY ? TEXTS.everybody : TEXTS.one
  return html`${form.isRefused && REFUSED}
    <section aria-labelledby="rules">
      <h2 id="rules">${texts.title}</h2>
      <p class="soft">${texts.intro}</p>
      ${whenRead(
        view.rules,
        () =>
          html`${
            words.length === 0
              ? html`<p>${texts.none}</p>`
              : html`<dl class="rules">${words.map(({ title, words: text }) => row(title, text))}</dl>`
          }
            ${caller === EVERYBODY && presets(view, words.length === 0)}
            <details ${form.isRefused && 'open'}>
              <summary>${texts.change}</summary>
              ${rulesForm(view, caller, form)}
            </details>`,
      )}
    </section>`
}

/**
 * Each set to begin with, shown whole before the button that chooses it. It replaces the rules that
 * are set.
 */
const presets = (view: ShellView, isOpen: boolean) =>
  html`<details ${isOpen && 'open'}>
    <summary>Choose a set of rules to begin with</summary>
    <p class="soft" id="presets">A set replaces all rules for all callers. You can change each rule afterwards.</p>
    <ul class="list sets">
      ${PRESETS.map(
        (preset) =>
          html`<li>
            <div class="head">
              <h3>${preset.title}</h3>
              ${presetForm(view, preset, html`<button class="small" aria-label="Choose ${preset.title}">Choose</button>`)}
            </div>
            <p>${preset.text}</p>
            ${presetWords(view, preset)}
          </li>`,
      )}
    </ul>
  </details>`

/** All that a set holds. */
export const presetWords = ({ clock }: ShellView, { rules }: Preset) =>
  html`<dl class="rules">${rulesInWords(rules, clock).map(({ title, words }) => row(title, words))}</dl>`

/** Sets the rules of everybody to those of a set, with the button that is given. */
export const presetForm = (view: ShellView, { rules }: Preset, button: Html) =>
  html`<form method="post" action="/owner/rules">
    ${hidden(view, { caller: EVERYBODY })} ${hiddenFields(formOf(rules))} ${button}
  </form>`

const REFUSED = html`<p class="notice bad" role="alert">
  Nothing was saved. Correct what is marked below. Everything else is still as you typed it.
</p>`

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * The form for the rules of a caller; a field that was refused keeps what was typed and says what
 * was expected.
 */
function rulesForm(view: ShellView, caller: string, form: Entered) {
  const group = (name: keyof FormErrors, hint: string, fields: Html) => {
    const error = form.error(name)
    return html`<fieldset
      aria-describedby="${name}-hint${error !== '' && ` ${name}-error`}"
      class="${error !== '' && 'wrong'}"
    >
      <legend>${RULE_TITLES[name]}</legend>
      <p class="soft" id="${name}-hint">${hint}</p>
      ${error} ${fields}
    </fieldset>`
  }
  const { max_link, changes_a_day, hours } = setOf(view.rules, caller).rules
  const limits = rulesInWords({ ...NO_RULES, max_link, changes_a_day, hours }, view.clock)
  return html`<form method="post" action="/owner/rules" class="rules">
    ${form.hidden}
    <fieldset>
      <legend>What agents may do, and what a person approves with a passkey first</legend>
      ${form.error('operations')} ${form.error('approval')} ${changesTable(form)}
      <p class="soft">
        Of several choices about a change, the strictest counts. A client is known once a person has approved a change with their address, or they have had a consult.
      </p>
    </fieldset>
    <details ${LIMITS.some((name) => form.error(name) !== '') && 'open'}>
      <summary>Limits: ${limits.map(({ title, words }) => `${title.toLowerCase()} ${words}`).join('; ') || 'none'}</summary>
      ${group(
        'max_link',
        'The most that one payment link may ask for. If you set an amount, links in other ' +
          'currencies are refused. Leave it empty for any amount.',
        amountFields(form, LINK_AMOUNT, form.mark('max_link')),
      )}
      ${group(
        'changes_a_day',
        'How many changes agents may begin in a day. Leave it empty for any number.',
        html`<div class="fields">
          ${form.field('At most', 'changes_a_day', html`inputmode="numeric" size="8"`)}
        </div>`,
      )}
      ${group(
        'hours',
        `When agents may make changes, in the time of ${view.clock.zone}. ` +
          'If the end is before the start, it is on the next day. ' +
          'Leave all of it empty for any time.',
        html`<div class="days">
            ${DAYS.map((day, i) => form.box('day', String(i + 1), day))}
          </div>
          <div class="fields">
            <label>From<input type="time" name="from" value="${form.text('from')}" ${form.mark('hours')} /></label>
            <label>To<input type="time" name="to" value="${form.text('to')}" /></label>
          </div>`,
      )}
    </details>
    <div class="row"><button class="main">Save rules</button></div>
    <p class="soft">Stricter rules apply at once. If you allow more, you confirm with your passkey.</p>
  </form>`
}

/** The rules below the table. */
const LIMITS = ['max_link', 'changes_a_day', 'hours'] as const

/** What a choice is called in the row of a change; a row without one of its own is decided by the first. */
const WORDS: Record<Who, string> = {
  never: 'As every change',
  always: 'Always',
  unless_known: 'Unless the client is known',
  above: 'Above the amount',
}

/** A row for each change: whether agents may make it, and when a person approves it. */
function changesTable(form: Entered) {
  const all = [ALL_OPERATIONS, ...MUTATIONS.map(({ name }) => name)]
  // An error that is about no row is marked at the first.
  const wrong = all.find((name) => wrongChoice(name, choiceIn(form.sent, name))) ?? ALL_OPERATIONS
  const approval = (name: string, title: string) =>
    approvalCell(form, name, title, name === wrong ? form.mark('approval') : '')
  return html`<table class="changes-table">
    <thead>
      <tr>
        <th scope="col">Change</th>
        <th scope="col">Allowed</th>
        <th scope="col">A person approves</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row" colspan="2">Every change, including future kinds</th>
        ${approval(ALL_OPERATIONS, 'Every change')}
      </tr>
      ${MUTATIONS.map(({ name, title }, i) => {
        const words = html`<span class="narrow" aria-hidden="true">Allowed</span>`
        const error = i === 0 ? form.mark('operations') : ''
        const attributes = html`aria-label="Allowed: ${title}" ${error}`
        return html`<tr>
            <th scope="row">${title}</th>
            <td>
              ${form.box('operation', name, words, attributes)}
            </td>
            ${approval(name, title)}
          </tr>`
      })}
    </tbody>
  </table>`
}

function approvalCell(form: Entered, operation: string, title: string, attributes: Html | '') {
  const { who } = choiceIn(form.sent, operation)
  const choices = choicesOf(operation)
  return html`<td data-label="A person approves">
    <select name="${personField(operation)}" aria-label="A person approves: ${title}" ${attributes}>
      ${choices.map(
        (one) =>
          html`<option value="${one}" ${one === who && 'selected'}>${operation === ALL_OPERATIONS && one === 'never' ? 'Never' : WORDS[one]}</option>`,
      )}
    </select>
    ${choices.includes('above') && amountFields(form, amountNames(operation), '')}
  </td>`
}

/** Fields for amounts, one more than there are; `attributes` mark the first. */
function amountFields(form: Entered, names: AmountNames, attributes: Html | '') {
  const [amountName, currencyName] = names
  const amounts = amountsIn(form.sent, names)
  const rows = [...amounts, { amount: '', currency: amounts.length === 0 ? 'USD' : '' }]
  return html`${rows.map(
    ({ amount, currency }, i) =>
      html`<div class="fields">
        ${field('Amount', html`name="${amountName}" value="${amount}" inputmode="decimal" size="8"`, i === 0 ? attributes : '')}
        ${field('Currency', html`name="${currencyName}" value="${currency}" maxlength="3" size="4" autocapitalize="characters"`)}
      </div>`,
  )}`
}
