/** From `start` up to but without `end`, in UTF-16 code units. */
export interface Span {
  start: number
  end: number
}

interface Places {
  starts: Uint32Array
  ends: Uint32Array
}

type Replacement = string | ((found: string, ...groups: (string | undefined)[]) => string)

/**
 * A copy of a text in which pieces were replaced, that still knows where in the text each of its
 * characters comes from. Rules match on the copy; labels are put into the text, and a refusal names
 * a place in it.
 */
export class MappedText {
  readonly text: string
  /** Where in the source each character of the copy begins and ends; undefined while both are the same. */
  readonly #places: Places | undefined

  private constructor(text: string, places?: Places) {
    this.text = text
    this.#places = places
  }

  static of(text: string): MappedText {
    return new MappedText(text)
  }

  /** The stretch of the source that the characters from `start` to `end` of the copy stand for. */
  source({ start, end }: Span): Span {
    if (start >= end) return { start: this.startOf(start), end: this.startOf(start) }
    return { start: this.startOf(start), end: this.endOf(end - 1) }
  }

  /** As `String.replaceAll`. What is left out belongs to the character before it. Linear time. */
  replace(pattern: RegExp, by: Replacement): MappedText {
    const pieces: string[] = []
    const starts: number[] = []
    const ends: number[] = []
    let done = 0
    const keep = (to: number) => {
      pieces.push(this.text.slice(done, to))
      for (let at = done; at < to; at += 1) {
        starts.push(this.startOf(at))
        ends.push(this.endOf(at))
      }
    }
    for (const match of this.text.matchAll(pattern)) {
      const [found, ...groups] = match
      const put = typeof by === 'string' ? by : by(found, ...groups)
      if (put === found) continue
      keep(match.index)
      done = match.index + found.length
      pieces.push(put)
      const span = this.source({ start: match.index, end: done })
      if (put === '' && ends.length > 0) ends[ends.length - 1] = span.end
      const isSameLength = put.length === found.length
      for (let at = 0; at < put.length; at += 1) {
        starts.push(isSameLength ? this.startOf(match.index + at) : span.start)
        ends.push(isSameLength ? this.endOf(match.index + at) : span.end)
      }
    }
    if (done === 0) return this
    keep(this.text.length)
    return new MappedText(pieces.join(''), {
      starts: Uint32Array.from(starts),
      ends: Uint32Array.from(ends),
    })
  }

  private startOf(at: number): number {
    return this.#places ? (this.#places.starts[at] ?? this.#places.ends.at(-1) ?? 0) : at
  }

  private endOf(at: number): number {
    return this.#places ? (this.#places.ends[at] ?? 0) : at + 1
  }
}

/** The text with a label in place of each span; the spans come in order and do not overlap. */
export function withLabels(text: string, label: string, spans: readonly Span[]): string {
  const pieces: string[] = []
  let done = 0
  for (const { start, end } of spans) {
    pieces.push(text.slice(done, start), label)
    done = end
  }
  return pieces.join('') + text.slice(done)
}
