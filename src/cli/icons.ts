import { writeFile } from 'node:fs/promises'

import { ICON_SIZES, type IconSize, iconPng } from './reference/icon-png.ts'

const made = ICON_SIZES.map((size: IconSize) => {
  const lines = (
    iconPng(size)
      .toString('base64url')
      .match(/.{1,92}/g) ?? []
  ).map((line) => `'${line}'`)
  return `  ${size}: [\n    ${lines.join(',\n    ')},\n  ].join(''),\n`
})

const text = `/** The mark as PNG files, in base64url, by their width in pixels; \`npm run icons\` draws them from the SVG. */
export const ICON_PNGS = {
${made.join('')}} as const
`

await writeFile(new URL('../api/pages/icon-pngs.ts', import.meta.url), text)
