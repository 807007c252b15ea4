import { readFileSync } from 'node:fs'

/** A note, what is to become of it, and the heading that it stands under. */
export interface Note {
  heading: string
  text: string
  /** The kind that it tells; undefined where it is to be accepted. */
  kind?: string
  /** The part that tells. */
  telling?: string
  /** The text as it is to be kept, for a note that is accepted. */
  kept: string
}

const SPAN = /⟦(.*?)⟧/su
const CONTACT = /⟦(e|p) (.*?)⟧/gsu

function noteOf(heading: string, line: string): Note {
  const written = line.replaceAll('⏎', '\n')
  if (heading.startsWith('telling')) {
    const [kind = '', rest = ''] = written.split(/ \| (.*)/su)
    const text = rest.replace(SPAN, '$1')
    return { heading, text, kind, telling: SPAN.exec(rest)?.[1] ?? '', kept: text }
  }
  const label = (_found: string, what: string) => (what === 'e' ? '[email]' : '[phone]')
  const text = written.replace(CONTACT, '$2')
  return { heading, text, kept: written.replace(CONTACT, label) }
}

/** The notes of a file beside this one; the head of `notes.txt` says how they are written. */
export function notesIn(file: string): { source: string; notes: Note[] } {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  const notes: Note[] = []
  let heading = ''
  for (const line of source.split('\n')) {
    if (line.startsWith('== ')) heading = line.slice(3)
    else if (line !== '' && heading !== '') notes.push(noteOf(heading, line))
  }
  return { source, notes }
}

export const isHarmless = ({ heading }: Note): boolean => heading.startsWith('harmless')
export const isTelling = ({ kind }: Note): boolean => kind !== undefined
export const isContact = ({ heading }: Note): boolean => heading.startsWith('contact')
