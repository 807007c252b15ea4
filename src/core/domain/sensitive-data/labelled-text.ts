import { redactContacts } from './redact-contacts.ts'
import { freeText } from './sensitive-data.ts'

/**
 * A free text that is kept or sent with labels in place of email addresses and telephone numbers. A
 * label can be longer than what it stands for, so the limit holds with and without them.
 */
export const labelledText = (max: number) =>
  freeText(max).check((payload) => {
    if (payload.value.length > max || redactContacts(payload.value).length <= max) return
    const expected =
      `Expected at most ${max} characters, with labels in place of email addresses and phone ` +
      'numbers.'
    payload.issues.push({ code: 'custom', params: { expected }, input: payload.value })
  })
