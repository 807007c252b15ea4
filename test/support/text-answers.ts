/** The free times in the text of an answer, as a reader puts them together: date, clock and offset. */
export const startsInText = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const [, date, offset, clocks = ''] =
      /^\w+day (\d{4}-\d\d-\d\d) ([+-]\d\d:\d\d): ([\d: ]+)$/.exec(line) ?? []
    return clocks
      .split(' ')
      .filter((clock) => clock !== '')
      .map((clock) => `${date}T${clock.length === 5 ? `${clock}:00` : clock}${offset}`)
  })
