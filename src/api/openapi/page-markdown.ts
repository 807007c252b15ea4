import type { Sample } from './code-samples.ts'
import { type Block, type DocPage, type ShownRefusal } from './doc-page.ts'
import type { Field } from './fields.ts'

/** A page as Markdown, for agents and for people who read it in a terminal. */
export function markdownOf({ title, blocks = [], pairs = [], end = [] }: DocPage): string {
  const parts = [...blocks, ...pairs.flatMap(({ text, side }) => [...text, ...side]), ...end].map(
    blockOf,
  )
  return `# ${title}\n\n${parts.join('\n\n')}\n`
}

const fenced = (code: string, language: string): string => `\`\`\`${language}\n${code}\n\`\`\``

function blockOf(block: Block): string {
  if (typeof block === 'string') return block.replace(/^### /, '## ')
  if ('heading' in block) return `## ${block.heading}`
  if ('fields' in block) return listUnder(block.folded, block.fields.map(fieldLine))
  if ('refusals' in block) return listUnder(block.folded, block.refusals.map(refusalLine))
  if ('sample' in block) return sampleText(block.sample)
  if ('code' in block) return `${block.label}:\n\n${fenced(block.code, 'json')}`
  return block.links.map(([text, href]) => `- [${text}](${href})`).join('\n')
}

function listUnder(title: string | undefined, lines: readonly string[]): string {
  const list = lines.join('\n')
  return title === undefined ? list : `### ${title}\n\n${list}`
}

/** The same call in each language. */
function sampleText(sample: Sample): string {
  const blocks = Object.entries(sample).map(([language, code]) => {
    const marker = language === 'curl' ? 'sh' : language.toLowerCase()
    return fenced(code, marker)
  })
  return blocks.join('\n\n')
}

function fieldLine({ name, type, place, mark, notes }: Field): string {
  const about = [type, place, mark].filter((one) => one !== undefined && one !== '').join(', ')
  return `- \`${name}\` (${about})${notes === '' ? '' : `: ${notes}`}`
}

function refusalLine({ code, title, detail, nextStep, facts, marks }: ShownRefusal): string {
  const marked = marks.length > 0 ? ` (${marks.join(', ')})` : ''
  return `- \`${code}\`: ${title}${marked}. ${detail} ${nextStep} ${facts}.`
}
