import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { ICON } from '../../api/http/html.ts'
import { RETENTION_DAYS } from '../../core/domain/audit/leaf.ts'
import { minified } from '../static-files.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The path of the generated page. */
export const VERIFY_PAGE = `${root}docs/verify.html`

/** Its look: that of the public pages, and what only this page has. */
const STYLE = `${root}src/cli/verify-page/page.css`

/** The page that checks a pack: one file, whose policy allows no requests. */
export async function verifyPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/cli/verify-page/page.ts'],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2024',
    charset: 'utf8',
    // The bundle names files the same way wherever the dependencies are.
    preserveSymlinks: true,
  })
  const style = Buffer.from(await minified(STYLE)).toString()
  const script = `\n${outputFiles[0]!.text}`
  const allowed =
    `default-src 'none'; script-src '${hashOf(script)}'; ` +
    `style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Check a pack of the audit log</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${style}</style>
</head>
<body>
<!-- Made by npm run docs from src/cli/verify-page and src/cli/verify. -->
<main>
<h1>Check a pack of the audit log</h1>
<p class="lead">Everything is computed here. This page sends nothing and asks nothing: it works without a network.</p>
<form id="ask">
<label for="pack">The pack</label>
<input id="pack" type="file" accept=".jsonl" required>
<label for="key">The key of the log, if you have it</label>
<input id="key" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="key-hint">
<p class="soft" id="key-hint">From the engagement letter, or from the owner by another way than the pack. It looks like name+id+key.</p>
<label for="held">Checkpoints and receipts that you kept, if you have any</label>
<input id="held" type="file" multiple>
<label for="retention-days">For how many days the log has to keep its entries</label>
<input id="retention-days" type="number" min="1" max="36500" step="1" required value="${RETENTION_DAYS}" aria-describedby="retention-hint">
<p class="soft" id="retention-hint">${RETENTION_DAYS} days are six years. Change the number only if you agreed on another one with the owner.</p>
<button class="main" id="check">Check</button>
</form>
<section id="result" aria-live="polite"></section>
<noscript><p class="notice">This page computes, so it needs scripts to be allowed.</p></noscript>
</main>
<footer>What each answer means: docs/audit.md, beside this page.</footer>
<script>${script}</script>
</body>
</html>
`
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
