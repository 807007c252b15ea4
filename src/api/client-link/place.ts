import { LOCATIONS } from '../../core/domain/location.ts'
import type { LinkPage } from './link-page.ts'

const VIDEO = /^video(?: (\(.+\)))?$/
const IN_PERSON = /^in person(: .+)?$/

/** Where a consult takes place, for a client; in the words of the provider where we have none. */
export function placeOf(text: string, view: LinkPage & { provider: string }): string {
  const { words, practice, phone, provider } = view
  const { places } = words
  const video = VIDEO.exec(text)
  if (video) return [places.video, video[1] ?? ''].join(' ').trim()
  const inPerson = IN_PERSON.exec(text)
  if (inPerson) return `${places.inPerson}${inPerson[1] ?? ''}`
  switch (text) {
    case LOCATIONS.practiceCalls.text:
      return places.practiceCalls(practice)
    case LOCATIONS.inviteeCalls.text:
      return places.inviteeCalls(practice, phone)
    case LOCATIONS.link.text:
      return places.link(provider)
    case LOCATIONS.byInvitee.text:
      return places.byInvitee
    case LOCATIONS.arranged.text:
      return places.arranged(practice)
    default:
      return text
  }
}
