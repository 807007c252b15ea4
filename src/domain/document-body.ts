import { forReading } from './normalise.ts'

/** The first bytes of files. */
const SIGNS = ['%PDF-', '\u0089PNG', 'PK\u0003\u0004', 'GIF87a', 'GIF89a', '{\\rtf', '-----BEGIN ']
/** The same in base64, not preceded by base64: some are only four letters long. */
const BASE64_SIGNS = new RegExp(
  '(?<![A-Za-z\\d+/_-])(?:JVBERi|iVBORw0K|R0lGOD|(?:SUkq|TU0A)[A-Za-z\\d+/]{4}|[/_]9j[/_]|UEsDB|UEsFB|0M8R4KGx|e1xydGY|PD94bWw|' +
    'PGh0bWw|PEhUTUw|PCFET0NUWVBF|PCFkb2N0eXBl|H4sI|N3q8ry|UmFyIRo|UklGR|AAAA[A-Za-z\\d+/]{2}Z0eXB)',
)
const HEX_SIGNS = /(?<![\da-f])(?:25504446|89504e47|ffd8ff|504b0304|47494638)[\da-f]{8}/i
const MARKUP = /<(?:html|!doctype|\?xml|svg|head|body)\b|^content-transfer-encoding:|^begin [0-7]{3} \S/im
const DATA_URI = /data:(?:[a-z]+\/[\w.+-]+[;,]|[^,\s]{0,100};base64,)/i

/** Whether the text holds the body of a file: by how files begin, or as a long run of base64. */
export function isDocument(text: string): boolean {
  const read = forReading(text)
  if (SIGNS.some((sign) => text.includes(sign) || read.includes(sign))) return true
  if ([BASE64_SIGNS, HEX_SIGNS, MARKUP, DATA_URI].some((sign) => sign.test(read))) return true
  // Long runs of base64, whole or wrapped; a short word between them, or a plain link, is prose.
  let length = 0
  let upper = false
  let lower = false
  let digit = false
  for (const piece of read.replace(/https?:\/\/\S{1,300}/g, ' ').split(/[^A-Za-z\d+/=_-]+/)) {
    const goesOn = piece.length >= 20
    length = goesOn ? length + piece.length : 0
    upper = goesOn && (upper || /[A-Z]/.test(piece))
    lower = goesOn && (lower || /[a-z]/.test(piece))
    digit = goesOn && (digit || /\d/.test(piece))
    if (length >= 120 && upper && lower && digit) return true
  }
  return false
}
