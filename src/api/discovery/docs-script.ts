/** Copies code, and shows the same language everywhere. The pages work without it: tabs are radio buttons. */
export const DOCS_SCRIPT = `'use strict'
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const from = document.getElementById(button.dataset.copy)
    try {
      await navigator.clipboard.writeText(from.textContent)
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    } catch {
      getSelection().selectAllChildren(from)
    }
  })
}

function choose(language) {
  for (const tab of document.querySelectorAll('[data-lang="' + language + '"]')) tab.checked = true
}
try {
  const kept = localStorage.getItem('language')
  if (/^\\w+$/.test(kept ?? '')) choose(kept)
} catch {}
for (const tab of document.querySelectorAll('[data-lang]'))
  tab.addEventListener('change', () => {
    const { top } = tab.getBoundingClientRect()
    choose(tab.dataset.lang)
    scrollBy(0, tab.getBoundingClientRect().top - top)
    try { localStorage.setItem('language', tab.dataset.lang) } catch {}
  })
`
