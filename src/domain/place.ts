/** Where a URL leads: scheme, host and port, and the host alone. */
export interface Place {
  origin: string
  hostname: string
}

let latest: { text: string; place: Place } | undefined

/** Where an absolute URL leads, or nothing if it is none. Requests come to the same place again and again. */
export function placeOf(url: string): Place | undefined {
  const text = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url
  if (latest?.text === text) return latest.place
  if (!URL.canParse(text)) return undefined
  const { origin, hostname } = new URL(text)
  latest = { text, place: { origin, hostname } }
  return latest.place
}
