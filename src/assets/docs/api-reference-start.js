'use strict'
// A sandboxed page has no storage, and the reference asks for both kinds: what it keeps lasts for the page.
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const storage = {
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size
    },
  }
  Object.defineProperty(window, name, { value: storage })
}

document.addEventListener('DOMContentLoaded', () => {
  window.Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    // It shows how a call is made, and sends nothing itself.
    hideTestRequestButton: true,
    hideClientButton: true,
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
    documentDownloadType: 'direct',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    generateOperationSlug: ({ operationId, path }) => operationId ?? path,
    // Some colors of the package have too little contrast.
    customCss:
      '.light-mode { --scalar-color-accent: #0f5c4c; --scalar-color-3: #5c5c5c; ' +
      '--scalar-color-orange: #a33a00; --scalar-color-green: #00663f } ' +
      '.dark-mode { --scalar-color-3: #9a9a9a }',
  })
})
