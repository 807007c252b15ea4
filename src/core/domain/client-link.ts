/** The id of a client link, with `mock_` where it is one; opaque, and it opens nothing. */
export const CLIENT_LINK_ID = /^cil_((?:mock_)?)([\w-]{22}[0-9a-f]{8})$/

/**
 * The marker of a step of a client's act, `….0`, that also says under which link. After a loss,
 * nothing else does.
 */
export function markerUnderLink(linkId: string, marker: string): string {
  const [act, step] = marker.split('.')
  return `${act}.${linkId}.${step}`
}

/**
 * The client link that a marker names; undefined for every other marker. Anyone can write one on a
 * booking page.
 */
export function linkOfMarker(marker: string | null | undefined): string | undefined {
  const [, linkId = ''] = marker?.split('.') ?? []
  return CLIENT_LINK_ID.test(linkId) ? linkId : undefined
}

/**
 * The last signs of the id that tell one link from another: its end names the secret that made it,
 * and is the same for all.
 */
export const shortLinkId = (linkId: string) => `…${linkId.slice(-(4 + KEY_ID), -KEY_ID)}`
const KEY_ID = 8
