/** A script as it is sent: its comments are for those who read it here. */
const sentAs = (script: string): string => script.replaceAll(/^ *\/\/ .*\n/gm, '')

/** The script of the pages with a passkey button, served as a file of its own so that no page needs inline script. */
export const PASSKEY_SCRIPT = sentAs(`'use strict'
const status = document.getElementById('status')
const token = /^#((?:enr|inv)_.*)/.exec(location.hash)?.[1]
// The page under a name is this one whole.
const named = document.getElementById('named')
if (named) named.href = named.origin + location.pathname + location.search + location.hash
// The link is not to stay in the address bar and the history.
if (token) history.replaceState(null, '', location.pathname)

const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '')

async function post(what, body) {
  const response = await fetch('/owner/passkey/' + what, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.ok) return answer
  const wait = response.headers.get('Retry-After')
  throw new Error(wait ? 'Too many attempts. Try again in ' + wait + ' seconds.' : answer.detail)
}

const known = (all = []) => all.map((one) => ({ ...one, id: toBytes(one.id) }))
// By hand, since older browsers do not read options as JSON, and password managers answer with objects of their own.
const decoded = ({ challenge, user, allowCredentials, excludeCredentials, ...more }) => ({
  ...more,
  challenge: toBytes(challenge),
  user: user && { ...user, id: toBytes(user.id) },
  allowCredentials: known(allowCredentials),
  excludeCredentials: known(excludeCredentials),
})
const sent = ({ id, type, response }) => ({
  id,
  rawId: id,
  type,
  clientExtensionResults: {},
  response: {
    ...Object.fromEntries(
      ['clientDataJSON', 'authenticatorData', 'signature', 'attestationObject']
        .filter((name) => response[name])
        .map((name) => [name, toText(response[name])]),
    ),
    transports: response.getTransports?.(),
  },
})

const answerTo = async (options) => sent(await navigator.credentials.get({ publicKey: decoded(options) }))

const newPasskey = async () =>
  sent(await navigator.credentials.create({ publicKey: decoded(await post('options', { purpose: 'enrol', token })) }))

async function signIn() {
  await post('sign-in', await answerTo(await post('options', { purpose: 'sign-in' })))
  location.reload()
}

async function confirm(form) {
  form.elements.proof.value = JSON.stringify(await answerTo(JSON.parse(form.dataset.options)))
  form.submit()
}

async function enrol() {
  await post('enrol', { token, credential: await newPasskey() })
  location.replace('/owner')
}

async function add(form) {
  form.elements.credential.value = JSON.stringify(await newPasskey())
  form.submit()
}

const acts = { 'sign-in': signIn, enrol, add, confirm }

const said = (error) =>
  error.name === 'NotAllowedError' ? 'It was cancelled, or took too long. Try again.'
  : error.name === 'InvalidStateError' ? 'This device already has a passkey for this connector. Sign in with it.'
  : error.name === 'SecurityError' ? 'This address cannot have passkeys.'
  : error.message

for (const button of document.querySelectorAll('[data-passkey]')) {
  // Until now a press would have been lost.
  button.disabled = false
  button.addEventListener('click', async () => {
    button.disabled = true
    status.textContent = ''
    try {
      await acts[button.dataset.passkey](button.form)
    } catch (error) {
      status.textContent = said(error)
      button.disabled = false
      button.focus()
    }
  })
}
`)

/** Renews what waits every half a minute while the page is looked at, says what changed, and copies texts. */
export const CONSOLE_SCRIPT = sentAs(`'use strict'
const now = document.getElementById('now')
const news = document.getElementById('news')
const count = document.getElementById('count')
const title = document.title

// What has the focus, was typed, or says what was wrong is not taken away.
const isUsed = () =>
  now.querySelector(':focus, [role=alert]') ||
  [...now.querySelectorAll('input:not([type=hidden])')].some((field) => field.value)

function retitle() {
  const { waiting } = now.querySelector('h1').dataset
  count.textContent = waiting
  document.title = waiting ? '(' + waiting + ') ' + title : title
}

async function renew() {
  if (document.hidden || isUsed()) return
  const answer = await fetch(now.dataset.from).catch(() => undefined)
  // A person who is signed out meanwhile learns it from the next page.
  if (!answer?.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('now')
  if (!fresh || isUsed() || fresh.innerHTML === now.innerHTML) return
  now.replaceChildren(...fresh.childNodes)
  retitle()
  news.textContent = now.querySelector('h1').textContent
}

if (now) {
  retitle()
  setInterval(renew, 30_000)
  document.addEventListener('visibilitychange', renew)
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent)
    button.textContent = 'Copied'
  })
}
`)
