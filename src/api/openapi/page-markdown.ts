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
  if ('fields' in block) return underTitle(block.folded, block.fields.map(fieldLine).join('\n'))
  if ('sample' in block)
    return Object.entries(block.sample)
      .map(([language, code]) => fenced(code, language === 'curl' ? 'sh' : language.toLowerCase()))
      .join('\n\n')
  if ('code' in block) return `${block.label}:\n\n${fenced(block.code, 'json')}`
  if ('refusals' in block)
    return underTitle(block.folded, block.refusals.map(refusalLine).join('\n'))
  return block.links.map(([text, href]) => `- [${text}](${href})`).join('\n')
}

const underTitle = (title: string | undefined, list: string): string =>
  title === undefined ? list : `### ${title}\n\n${list}`

function fieldLine({ name, type, place, mark, notes }: Field): string {
  const about = [type, place, mark].filter((one) => one !== undefined && one !== '').join(', ')
  return `- \`${name}\` (${about})${notes === '' ? '' : `: ${notes}`}`
}

function refusalLine({ code, title, detail, nextStep, facts, marks }: ShownRefusal): string {
  const marked = marks.length > 0 ? ` (${marks.join(', ')})` : ''
  return `- \`${code}\`: ${title}${marked}. ${detail} ${nextStep} ${facts}.`
}
