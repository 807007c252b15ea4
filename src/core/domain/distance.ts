/**
 * How many letters lie between two texts, where one that is wrong, missing or too many counts once
 * (Levenshtein).
 */
export function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = above[j - 1]! + Number(one[i - 1] !== other[j - 1])
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1))
    }
    above = row
  }
  return above[other.length]!
}
