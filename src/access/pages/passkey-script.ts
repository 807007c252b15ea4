/** The script of the pages with a passkey button, served as a file of its own so that no page needs inline script. */
export const PASSKEY_SCRIPT = `'use strict'
const status = document.getElementById('status')
const fragment = location.hash.slice(1)
const token = new URLSearchParams(location.search).get('token') || (/^(enr|inv)_/.test(fragment) ? fragment : undefined)
// The page under a name is this one whole.
const named = document.getElementById('named')
if (named) named.href = named.origin + location.pathname + location.search + location.hash
// The link is not to stay in the address bar and the history.
if (token) history.replaceState(null, '', location.pathname)

const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '')

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  const wait = response.headers.get('Retry-After')
  throw new Error(wait ? 'Too many attempts. Try again in ' + wait + ' seconds.' : answer.detail || 'That did not work. Try again.')
}

async function answerTo(options) {
  const known = (options.allowCredentials || []).map((one) => ({ ...one, id: toBytes(one.id) }))
  const made = await navigator.credentials.get({ publicKey: { ...options, challenge: toBytes(options.challenge), allowCredentials: known } })
  const { clientDataJSON, authenticatorData, signature, userHandle } = made.response
  return {
    id: made.id,
    rawId: made.id,
    type: made.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle ? toText(userHandle) : undefined,
    },
  }
}

async function signIn() {
  const options = await post('/owner/passkey/options', { purpose: 'sign-in' })
  await post('/owner/passkey/sign-in', await answerTo(options))
  location.reload()
}

async function confirm(form) {
  form.elements.proof.value = JSON.stringify(await answerTo(JSON.parse(form.dataset.options)))
  form.submit()
}

async function newPasskey() {
  const options = await post('/owner/passkey/options', { purpose: 'enrol', token })
  const made = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: options.excludeCredentials.map((one) => ({ ...one, id: toBytes(one.id) })),
    },
  })
  const { clientDataJSON, attestationObject } = made.response
  return {
    id: made.id,
    rawId: made.id,
    type: made.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: toText(clientDataJSON),
      attestationObject: toText(attestationObject),
      transports: made.response.getTransports ? made.response.getTransports() : [],
    },
  }
}

async function enrol() {
  await post('/owner/passkey/enrol', { token, credential: await newPasskey() })
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
`
