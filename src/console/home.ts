import { html } from 'hono/html'
import { type Html, SCRIPT_PATH, page } from '../access/pages/layout.ts'
import { EVERYBODY, type KeptRules, NO_RULES } from '../domain/house-rules.ts'
import type { Mode } from '../domain/mode.ts'
import { SCOPES, type Scope } from '../domain/scopes.ts'
import { clockOn, dayIn } from './dates.ts'
import { rulesForm } from './rules-fields.ts'
import { type FormErrors, type RulesForm, formOf } from './rules-form.ts'
import { type Clock, rulesInWords } from './rules-words.ts'

/** A part of a page, or that it could not be read. */
export type Part<T> = T | 'unread'

/** What may use the connector, or sign in to it. */
export interface OwnerItem {
  id: string
  name: string
  /** Where it is, if it is an app. */
  host?: string
  /** Epoch milliseconds; null for what was made with the connector itself. */
  since: number | null
  /** The day of its last use, in UTC; null if it was not used yet, undefined where that is not known. */
  lastUsedOn: string | null | undefined
  /** When it ended or will end, in words. */
  end?: { word: 'revoked' | 'ended' | 'ends'; at: number }
  scopes: readonly string[]
  /** It is over: shown for memory. */
  ended: boolean
  /** Why it cannot be ended here. */
  stays?: string
  /** By which name rules hold for it. */
  caller?: string
}

/** A form that was refused, as it was sent. */
export interface RefusedForm {
  caller: string
  form: RulesForm
  errors: FormErrors
}

export interface HomeView {
  rules: Part<KeptRules[]>
  apps: Part<OwnerItem[]>
  keys: Part<OwnerItem[]>
  passkeys: Part<OwnerItem[]>
  modes: Record<'scheduling' | 'payments', Mode>
  csrf: string
  /** What an app is given to connect. */
  address: string
  /** What was done just before. */
  done: string | undefined
  refused: RefusedForm | undefined
  clock: Clock
}

/** The page of the owner: whether agents may act, by which rules, and who may use the connector. */
export const homePage = (place: string, view: HomeView): string =>
  page(
    'Owner',
    place,
    html`<h1>Owner</h1>
      ${view.done === undefined ? '' : html`<p class="notice good" role="status">${view.done}</p>`}
      ${
        view.refused === undefined
          ? ''
          : html`<p class="notice bad" role="alert">
              Nothing was saved. What is marked below is not right yet; everything else is kept as you typed
              it.
            </p>`
      }
      ${rulesOfEverybody(view)}
      <section aria-labelledby="apps">
        <h2 id="apps">Connected apps</h2>
        ${list(view, view.apps, {
          action: '/owner/apps/revoke',
          verb: 'Disconnect',
          none: html`None yet. In the app, add a connector with the address <code>${view.address}</code>`,
        })}
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">API keys</h2>
        ${list(view, view.keys, { action: '/owner/keys/revoke', verb: 'Revoke', none: html`None yet.` })}
      </section>
      <section aria-labelledby="passkeys">
        <h2 id="passkeys">Your passkeys</h2>
        ${list(view, view.passkeys, { action: '/owner/passkeys/remove', verb: 'Remove', none: html`None.` })}
        <form method="post" action="/owner/passkeys/add" class="row">
          ${hidden(view)}
          <input type="hidden" name="credential" value="" />
          <button type="button" data-passkey="add">Add a passkey</button>
        </form>
        <p role="status" aria-live="polite" class="notice" id="status"></p>
        <noscript><p class="soft">To add a passkey, allow JavaScript for this page.</p></noscript>
      </section>`,
    { head: html`<script src="${SCRIPT_PATH}" defer></script>`, top: top(view) },
  )

const UNREAD = html`<p class="notice bad">
  This could not be read just now. Load the page again in a while.
</p>`

const hidden = ({ csrf }: HomeView, id?: string): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}" />${
      id === undefined ? '' : html`<input type="hidden" name="id" value="${id}" />`
    }`

const setOf = (rules: Part<KeptRules[]>, caller: string): KeptRules =>
  (rules === 'unread' ? undefined : rules.find((set) => set.caller === caller)) ?? {
    caller,
    rules: NO_RULES,
    pausedSince: null,
  }

/** First on the page: whether agents may act, and the button that changes it. */
function top(view: HomeView): Html {
  const { rules, pausedSince } = setOf(view.rules, EVERYBODY)
  const signOut = html`<form method="post" action="/owner/sign-out">
    ${hidden(view)}<button class="small">Sign out</button>
  </form>`
  const state =
    view.rules === 'unread'
      ? html`<div class="state">
          <p>Whether agents are paused could not be read just now.</p>
          ${pauseButton(view, EVERYBODY, 'Pause all agents')}
        </div>`
      : rules.paused
        ? html`<div class="state paused">
            <p>
              <strong
                >Paused${pausedSince === null ? '' : html` since ${clockOn(pausedSince, view.clock)}`}.</strong
              >
              No app and no key can do anything.
            </p>
            ${resumeButton(view, EVERYBODY, 'Resume')}
          </div>`
        : html`<div class="state">
            <p><strong>Running.</strong> Agents act within their scopes and the rules below.</p>
            ${pauseButton(view, EVERYBODY, 'Pause all agents')}
          </div>`
  return html`${state}
    <div class="bar">
      <p class="soft">Scheduling: ${view.modes.scheduling} · Payments: ${view.modes.payments}</p>
      ${signOut}
    </div>`
}

const pauseForm = (view: HomeView, action: string, caller: string, button: Html): Html =>
  html`<form method="post" action="${action}">
    ${hidden(view)}<input type="hidden" name="caller" value="${caller}" />${button}
  </form>`

const pauseButton = (view: HomeView, caller: string, verb: string, name?: string): Html =>
  pauseForm(
    view,
    '/owner/pause',
    caller,
    html`<button
      class="${caller === EVERYBODY ? 'stop' : 'small'}"
      ${name === undefined ? '' : html`aria-label="${verb}: ${name}"`}
    >
      ${verb}
    </button>`,
  )

const resumeButton = (view: HomeView, caller: string, verb: string, name?: string): Html =>
  pauseForm(
    view,
    '/owner/resume',
    caller,
    html`<button
      class="${caller === EVERYBODY ? '' : 'small'}"
      ${name === undefined ? '' : html`aria-label="${verb}: ${name}"`}
    >
      ${verb}
    </button>`,
  )

const rulesOfEverybody = (view: HomeView): Html =>
  html`<section aria-labelledby="rules">
    <h2 id="rules">Rules for everybody</h2>
    <p class="soft">
      They hold for all apps and keys together, yours too. A rule of one app or key, below, makes it stricter
      for that one.
    </p>
    ${
      view.rules === 'unread'
        ? UNREAD
        : html`${ruleList(view, EVERYBODY, html`<p>No rules: agents may do all that their scopes allow.</p>`)}
          ${rulesDetails(view, EVERYBODY, 'Change the rules for everybody', 'r')}`
    }
  </section>`

function ruleList(view: HomeView, caller: string, none: Html | ''): Html | '' {
  const words = rulesInWords(setOf(view.rules, caller).rules, view.clock)
  if (words.length === 0) return none
  return html`<dl class="rules">
    ${words.map(
      ({ title, words: text }) =>
        html`<div>
          <dt>${title}</dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`
}

function rulesDetails(view: HomeView, caller: string, title: string, prefix: string): Html {
  const refused = view.refused?.caller === caller ? view.refused : undefined
  return html`<details ${refused ? 'open' : ''}>
    <summary>${title}</summary>
    ${rulesForm({
      caller,
      form: refused?.form ?? formOf(setOf(view.rules, caller).rules),
      errors: refused?.errors ?? {},
      prefix,
      csrf: view.csrf,
      zone: view.clock.zone,
    })}
  </details>`
}

interface ListTexts {
  action: string
  verb: string
  none: Html
}

const list = (view: HomeView, items: Part<OwnerItem[]>, texts: ListTexts): Html =>
  items === 'unread'
    ? UNREAD
    : items.length === 0
      ? html`<p class="soft">${texts.none}</p>`
      : html`<ul class="list">
          ${items.map((item, i) => listItem(view, item, texts, `${texts.verb.toLowerCase()}${i}`))}
        </ul>`

function listItem(view: HomeView, item: OwnerItem, { action, verb }: ListTexts, prefix: string): Html {
  const { caller } = item
  const hasRules = caller !== undefined && !item.ended && view.rules !== 'unread'
  const { paused } = setOf(view.rules, caller ?? '').rules
  return html`<li class="${item.ended ? 'ended' : ''}">
    <div class="item">
      <div>
        <p>
          <strong><bdi>${item.name}</bdi></strong>
          ${hasRules && paused ? html`<span class="tag">Paused</span>` : ''}
        </p>
        ${item.host === undefined ? '' : html`<p class="soft">${item.host}</p>`}
        <p class="soft">${factsOf(item, view.clock)}</p>
        ${item.stays === undefined ? '' : html`<p class="soft">${item.stays}</p>`}
        ${item.scopes.length > 0 ? html`<p class="soft">${scopesOf(item.scopes)}</p>` : ''}
      </div>
      <div class="buttons">
        ${
          hasRules
            ? paused
              ? resumeButton(view, caller, 'Resume', item.name)
              : pauseButton(view, caller, 'Pause', item.name)
            : ''
        }
        ${
          item.ended || item.stays !== undefined
            ? ''
            : html`<form method="post" action="${action}">
                ${hidden(view, item.id)}
                <button class="small danger" aria-label="${verb}: ${item.name}">${verb}</button>
              </form>`
        }
      </div>
    </div>
    ${
      hasRules
        ? html`${ruleList(view, caller, '')} ${rulesDetails(view, caller, 'Rules of its own', prefix)}`
        : ''
    }
  </li>`
}

const scopesOf = (scopes: readonly string[]): string =>
  scopes.length === Object.keys(SCOPES).length ? 'Everything a key can do' : scopes.map(sentence).join(' · ')

const sentence = (scope: string): string => (scope in SCOPES ? SCOPES[scope as Scope] : scope)

function factsOf({ since, lastUsedOn, end }: OwnerItem, { zone }: Clock): Html {
  if (since === null) return html`Made when the connector was deployed`
  const use =
    lastUsedOn === null
      ? html` · not used yet`
      : lastUsedOn === undefined
        ? ''
        : html` · last used ${dayIn(Date.parse(lastUsedOn), 'UTC')}`
  return html`Since
  ${dayIn(since, zone)}${use}${end === undefined ? '' : html` · ${end.word} ${dayIn(end.at, zone)}`}`
}
