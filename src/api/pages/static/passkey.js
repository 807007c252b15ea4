// The script of the pages with a passkey button.
'use strict'
const status = document.getElementById('status')
const token = /^#((?:enr|inv)_.*)/.exec(location.hash)?.[1]
// The page under a name is this one whole.
const named = document.getElementById('named')
if (named) named.href = named.origin + location.pathname + location.search + location.hash
// The link is not to stay in the address bar and the history.
if (token) history.replaceState(null, '', location.pathname)

const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

async function post(what, body) {
  const response = await fetch('/owner/passkey/' + what, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  // What stands before a connector answers with a page.
  const answer = await response?.json().catch(() => undefined)
  if (!answer) throw new Error('The connector did not answer. Try again.')
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

const answerTo = async (options) =>
  sent(await navigator.credentials.get({ publicKey: decoded(options) }))

const newPasskey = async (purpose) =>
  sent(
    await navigator.credentials.create({
      publicKey: decoded(await post('options', { purpose, token })),
    }),
  )

async function signIn(form) {
  await post('sign-in', await answerTo(await post('options', { purpose: 'sign-in' })))
  if (form) form.submit()
  else location.reload()
}

async function confirm(form) {
  form.elements.proof.value = JSON.stringify(await answerTo(JSON.parse(form.dataset.options)))
  form.submit()
}

async function enrol() {
  await post('enrol', { token, credential: await newPasskey('enrol') })
  location.replace('/owner')
}

async function add(form) {
  form.elements.credential.value = JSON.stringify(await newPasskey('add'))
  form.submit()
}

const acts = { 'sign-in': signIn, enrol, add, confirm }

/** What is said of a failure of the browser, by its name. */
const FAILURES = {
  NotAllowedError: 'It was cancelled, or took too long. Try again.',
  InvalidStateError: 'This device already has a passkey for this connector. Sign in with it.',
  SecurityError: 'This address cannot have passkeys.',
}

async function press(button) {
  button.disabled = true
  status.textContent = ''
  try {
    await acts[button.dataset.passkey](button.form)
  } catch (error) {
    status.textContent = FAILURES[error.name] ?? error.message
    button.disabled = false
    button.focus()
  }
}

for (const button of document.querySelectorAll('[data-passkey]')) {
  // Until now a press would have been lost.
  button.disabled = false
  button.addEventListener('click', () => void press(button))
}
