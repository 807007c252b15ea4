import type { MappedText } from './mapped-text.ts'
import type { Part } from './part.ts'
import { readingCopy } from './readable.ts'

const SIGNS = ['%PDF-', '\u0089PNG', 'PK\u0003\u0004', 'GIF87a', 'GIF89a', '{\\rtf', '-----BEGIN ']
/** How files begin in base64. Base64 may not come before it, since some beginnings have only four letters. */
const BASE64_SIGNS = new RegExp(
  '(?<![A-Za-z\\d+/_-])(?:JVBERi|iVBORw0K|R0lGOD|(?:SUkq|TU0A)[A-Za-z\\d+/]{4}|[/_]9j[/_]|UEsDB|UEsFB|0M8R4KGx|e1xydGY|PD94bWw|' +
    'PGh0bWw|PEhUTUw|PCFET0NUWVBF|PCFkb2N0eXBl|H4sI|N3q8ry|UmFyIRo|UklGR|AAAA[A-Za-z\\d+/]{2}Z0eXB)',
)
const HEX_SIGNS = /(?<![\da-f])(?:25504446|89504e47|ffd8ff|504b0304|47494638)[\da-f]{8}/i
const MARKUP =
  /<(?:html|!doctype|\?xml|svg|head|body)\b|^content-transfer-encoding:|^begin [0-7]{3} \S/im
const DATA_URI = /data:(?:[a-z]+\/[\w.+-]+[;,]|[^,\s]{0,100};base64,)/i

const LINK = /https?:\/\/\S{1,300}/g
const PIECE = /[A-Za-z\d+/=_-]+/g
const SHORTEST_PIECE = 20
const SHORTEST_RUN = 120

/** The first content of a file: from a known beginning to the end of the text, or a long run of base64. */
export function documentPart(copy: MappedText): Part | undefined {
  const read = readingCopy(copy)
  const sign = SIGNS.map((one) => copy.text.indexOf(one)).find((at) => at >= 0)
  if (sign !== undefined) return partOf(copy, sign, copy.text.length)
  const patterns = [BASE64_SIGNS, HEX_SIGNS, MARKUP, DATA_URI]
  const beginning =
    SIGNS.map((one) => read.text.indexOf(one)).find((at) => at >= 0) ??
    patterns.flatMap((pattern) => pattern.exec(read.text)?.index ?? []).at(0)
  if (beginning !== undefined) return partOf(read, beginning, read.text.length)
  return base64(read.replace(LINK, ' '))
}

const partOf = (copy: MappedText, start: number, end: number): Part => ({
  kind: 'document',
  ...copy.source({ start, end }),
})

/** Base64 is a long run, whole or wrapped; a short word or a plain link ends the run. */
function base64(read: MappedText): Part | undefined {
  let run = ''
  let start = 0
  for (const { 0: piece, index } of read.text.matchAll(PIECE)) {
    if (piece.length < SHORTEST_PIECE) run = ''
    else {
      if (run === '') start = index
      run += piece
      if (run.length >= SHORTEST_RUN && [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(run)))
        return partOf(read, start, index + piece.length)
    }
  }
  return undefined
}
