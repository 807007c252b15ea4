// While a person looks at the page, it reads the waiting changes again every half minute, says what changed, and copies texts.
'use strict'
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
  if (!answer?.ok && answer?.status !== 401) return
  const fresh = new DOMParser()
    .parseFromString(await answer.text(), 'text/html')
    .getElementById('now')
  if (isUsed() || fresh?.innerHTML === now.innerHTML) return
  // Nothing can be renewed for a person who is signed out: the page would say for ever what it said last.
  if (!fresh) return location.reload()
  now.replaceChildren(...fresh.childNodes)
  retitle()
  news.textContent = now.querySelector('h1').textContent
}

if (now) {
  retitle()
  setInterval(() => void renew(), 30_000)
  document.addEventListener('visibilitychange', () => void renew())
}

async function copy(button) {
  const { textContent } = document.getElementById(button.dataset.copy)
  // A browser may refuse it.
  button.textContent = await navigator.clipboard.writeText(textContent).then(
    () => 'Copied',
    () => 'Select it, and copy it by hand',
  )
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', () => void copy(button))
}
