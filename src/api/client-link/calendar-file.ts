/** What a client puts into a calendar of their own. Times are epoch milliseconds. */
interface CalendarEntry {
  /** Names the entry, so that a second import changes the first. */
  uid: string
  start: number
  end: number
  title: string
  place: string | null
}

/** An entry as a file that every calendar reads (RFC 5545); `now` is when it was made. */
export const calendarFile = ({ uid, start, end, title, place }: CalendarEntry, now: number) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Consult connector//EN',
    'BEGIN:VEVENT',
    `UID:${textOf(uid)}`,
    `DTSTAMP:${momentOf(now)}`,
    `DTSTART:${momentOf(start)}`,
    `DTEND:${momentOf(end)}`,
    `SUMMARY:${textOf(title)}`,
    ...(place === null ? [] : [`LOCATION:${textOf(place)}`]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('')

/** `20261130T150000Z`. */
const momentOf = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Section 3.3.11: a text has these marked, and no line break of its own. */
const textOf = (text: string) => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n?|\n/g, '\\n')

const LONGEST = 73

/** Section 3.1: a line has at most 75 octets, and goes on after a space. */
function folded(line: string) {
  const lines = ['']
  let octets = 0
  for (const letter of line) {
    const size = new TextEncoder().encode(letter).length
    if (octets + size > LONGEST) {
      lines.push('')
      octets = 0
    }
    lines[lines.length - 1] += letter
    octets += size
  }
  return lines.join('\r\n ')
}
