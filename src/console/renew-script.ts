/** Where what needs the owner is asked for again, and the script that does so. */
export const NOW_PATH = '/owner/now'
export const RENEW_SCRIPT_PATH = '/owner/console.js'

/** Renews what needs the owner every half a minute while the page is looked at, and says what changed. */
export const RENEW_SCRIPT = `'use strict'
const now = document.getElementById('now')
const news = document.getElementById('news')

// What has the focus, was typed, or says what was wrong is not taken away.
const isUsed = () =>
  now.contains(document.activeElement) ||
  now.querySelector('[role=alert]') !== null ||
  [...now.querySelectorAll('input:not([type=hidden])')].some((field) => field.value !== '')

async function renew() {
  if (document.hidden || isUsed()) return
  const answer = await fetch('${NOW_PATH}').catch(() => undefined)
  // Whoever is signed out meanwhile learns it from the next page.
  if (!answer || !answer.ok) return
  const fresh = document.createElement('template')
  fresh.innerHTML = await answer.text()
  if (isUsed() || fresh.innerHTML.trim() === now.innerHTML.trim()) return
  now.replaceChildren(fresh.content)
  news.textContent = now.querySelector('h1').textContent
}

setInterval(renew, 30_000)
document.addEventListener('visibilitychange', renew)
`
