import { LONGEST_NOTES, MOST_HOUSEHOLD_MEMBERS } from '../../core/domain/intake.ts'
import { LONGEST_OUTGOING_NAME } from '../../core/domain/name.ts'
import { pluralOf, withCommas } from '../../core/domain/plural.ts'
import { nameFirst, nameLast } from '../../core/domain/practice.ts'
import type { UsZone } from '../../core/domain/time/us-zones.ts'
import { LONGEST_ANSWER } from '../../practice/operations/booking/questions.ts'
import type { Clock } from './clock.ts'
import type { FieldName, OptionWords } from './fields.ts'

/** How long a text can be, as both languages write the number in the United States. */
export const MOST_CHARACTERS = {
  name: withCommas(LONGEST_OUTGOING_NAME),
  answer: withCommas(LONGEST_ANSWER),
  notes: withCommas(LONGEST_NOTES),
}

type ZoneWords = Readonly<Record<UsZone, readonly [place: string, name: string]>>

const CHOOSE_ONE = 'Choose one of them.'

/** Of whom the pages speak. */
export interface Named {
  /** What the practice is called in the middle of a sentence. */
  practice: string
  /** What people call the calendar of the practice; undefined for the mock. */
  provider: string | undefined
  /** The number of the practice; null where the settings do not say. */
  phone: string | null
}

/** What people call each zone: a place in it, and its name. */
export const ENGLISH_ZONES: ZoneWords = {
  'America/New_York': ['New York', 'Eastern'],
  'America/Chicago': ['Chicago', 'Central'],
  'America/Denver': ['Denver', 'Mountain'],
  'America/Phoenix': ['Phoenix', 'Arizona'],
  'America/Los_Angeles': ['Los Angeles', 'Pacific'],
  'America/Anchorage': ['Anchorage', 'Alaska'],
  'Pacific/Honolulu': ['Honolulu', 'Hawaii'],
  'America/Puerto_Rico': ['San Juan', 'Puerto Rico'],
}

/** What the pages of a client link say. The table of each other language has the same keys. */
export const english = ({ practice, provider = 'the calendar', phone }: Named) => ({
  locale: 'en-US',
  trial: 'A trial: nothing real is booked, and no mail is sent.',
  error: 'Error',
  lookAgain: 'Look again',
  tryAgain: 'Try again',
  call: phone && `Questions? Call ${phone}.`,
  useButtons: 'To go back, use the buttons of this page.',

  day: ({ weekday, month, day }: Clock) => `${weekday}, ${month} ${day}`,
  time: ({ hour, minute }: Clock) => `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`,
  endedOn: (day: string) => `This link ended on ${day}.`,
  zoneTime: (place: string) => `${place} time`,
  minutes: (count: number) => pluralOf(count, 'minute'),
  zones: ENGLISH_ZONES,
  places: {
    video: 'by video',
    inPerson: 'in person',
    practiceCalls: `by telephone: ${practice} calls you`,
    inviteeCalls: `by telephone: you call ${practice}${phone === null ? '' : ` at ${phone}`}`,
    link: `online: ${provider} sends you the link`,
    byInvitee: 'at a place that you name',
    arranged: `as ${practice} arranges with you`,
  },

  times: {
    title: 'Choose a time',
    who: `${nameFirst(practice)} asks you to choose a time for this:`,
    zone: 'Times are',
    zoneOf: (place: string) => `${place} time.`,
    dayAndTime: 'Day and time',
    other: 'Show times of another place',
    yourZone: 'Your time zone',
    show: 'Show',
    notYet: 'Nothing is booked yet. You check everything on the next page.',
    noneFits: phone && `Does no time suit you? Call ${phone}.`,
    worksUntil: (until: string) => `This link works once, until ${until}.`,
  },

  details: {
    title: 'Your details',
    who: `${nameFirst(practice)} asks you for this.`,
    notYet: 'Nothing is sent yet. You check everything on the next page.',
    changeTime: 'Change the time',
    change: 'Change',
    more: (count: number) => `${count} more questions (optional)`,
    optional: 'optional',
    choose: 'Choose…',
    noAnswer: 'No answer',
    never: 'Never type Social Security, account or card numbers.',
    review: 'Review',
    terms: `Terms of ${practice}`,
    notice: `Notice of ${practice}`,
    haveRead: 'I have read this',
    whoSees: 'Who sees this',
    toCalendar: `Your name and email address go to ${provider} for the booking.`,
    noAddress: 'After that, no one can read your email address here.',
    kept: 'This service keeps your initials and a masked email address.',
    answers: `${nameFirst(practice)} keeps your answers here and decides who can read them.`,
    toldDone: 'The assistant that sent this link learns that you’re done, but not what you typed.',
    readsClient:
      'The assistant that sent this link learns that you’re done, and can read your ' +
      'initials and your masked email address.',
    readsAnswers:
      'The assistant that sent this link learns that you’re done, and can read your ' +
      'initials, your masked email address and your answers.',
  },

  /** What the kind of consult asks; its questions are in the words of the practice. */
  asked: {
    title: 'For this consult',
    place: 'Where',
    phone: 'Your telephone number',
    ifCalled: `Only if ${practice} should call you.`,
    several: 'You can choose several.',
    perLine: 'Each on a line of its own.',
    other: 'Another answer',
    toCalendar:
      'What you answer for this consult, and your telephone number if it is asked, go to ' +
      `${provider}. They are kept nowhere else.`,
    /** What is expected of an answer. */
    wanted: {
      text: `Enter an answer, in at most ${MOST_CHARACTERS.answer} characters.`,
      choice: CHOOSE_ONE,
      choiceOrOther: 'Choose one of them, or enter another answer.',
      choices: 'Choose at least one of them.',
      number: 'Enter a number, such as 3.',
      phone:
        'Enter a telephone number, such as (202) 555-0147; from another country, with + and its code.',
      email: 'Enter an email address, such as name@example.com.',
      emails: 'Enter email addresses, each on a line of its own.',
    },
  },

  review: {
    title: 'Is this right?',
    name: 'Name',
    email: 'Email address',
    kept: (name: string, email: string) =>
      `This service does not keep your name and email address. It keeps only ${name} and ${email}.`,
    labelled: 'Phone numbers and email addresses in your notes are left out.',
    mail: (email: string) => `After you book, ${provider} writes to ${email}.`,
    book: 'Book it',
    send: 'Send',
    change: 'Change something',
    anotherTime: 'Another time',
    notYet: (button: string) => `Nothing is sent before you press “${button}”.`,
  },

  done: {
    booked: 'Booked',
    asked: 'Requested',
    accepts: `${nameFirst(practice)} still has to accept it.`,
    next: 'What comes next',
    mail: `A mail from ${provider} comes within a few minutes.`,
    mailWhenAccepted: `As soon as ${practice} accepts it, a mail from ${provider} tells you.`,
    toChange: `To change or cancel it, use the mail from ${provider}.`,
    noMail: phone && `No mail after an hour? Call ${phone}.`,
    trial: '(trial)',
    toCalendar: 'Add it to your calendar',
    consultWith: `Consult with ${practice}`,
    close: 'You can close this page.',
    received: 'Received',
    changed: 'Changed since',
    changedText: `This consult was moved or cancelled after you booked it. The newest mail from ${provider} says what holds now.`,
    isInCalendar: `Your consult is in the calendar: do not book it again. Your mail from ${provider} says when it is.`,
    askedAgain: `${nameFirst(practice)} may ask you once more for your details.`,
    hasIt: `${nameFirst(practice)} has what you sent. You can close this page.`,
  },

  states: {
    noLink: 'This link does not work',
    copyAll: 'Check that you copied all of it, or ask for a new one.',
    isNew: 'One moment',
    isNewText: 'This link was made a moment ago and is not ready yet.',
    checking: 'We are still checking',
    inDoubt:
      'Your request was sent, but the calendar has not answered. It may be booked. ' +
      'We keep checking, so do not send it again.',
    ended: 'This link is not open any more',
    expired: `It has expired. Ask ${practice} for a new link.`,
    withdrawn: `It was withdrawn. Ask ${practice} for a new link.`,
    lost: 'This link does not work any more',
    standsIfBooked:
      'If you have booked a time with this link, that booking stands: do not book again, ' +
      `and ask ${practice} about it.`,
    otherwise: `Otherwise ask ${practice} for a new link.`,
    askIfReceived:
      `If you sent your details before then, ask ${practice} whether they have them before ` +
      'you send anything again.',
    ifNothingSent: `If you have sent nothing yet, ask ${practice} for a new link.`,
    notSent: 'Not sent',
    used: 'This link was used before. What you typed here was not sent.',
    noTimes: 'No time is free any more',
    askForLink: `Nothing was sent. Ask ${practice} for a new link.`,
    notNow: 'Not now',
    paused: `Nothing was sent. At the moment ${practice} is not accepting anything on this page.`,
    notTaken:
      `Nothing was sent. At the moment ${practice} does not take this on this page. ` +
      `Please call ${nameLast(practice)}`,
    misconfigured:
      'Nothing was sent. Booking on this page does not work at the moment, and only ' +
      `${practice} can repair it.`,
  },

  said: {
    wrong: 'Something is missing or wrong. Nothing was sent.',
    lookAgain: 'Something has changed. Please check again. Nothing was sent.',
    taken: 'That time is not free any more. Nothing was sent.',
    tooLong:
      'More than two hours have passed, so what you typed is gone. Type it again. Nothing was sent.',
    held: 'What you typed is not lost: leave this page open, and try again within two hours.',
    changed: 'The questions for this consult have changed. Please check again. Nothing was sent.',
    busy: 'The calendar does not answer just now. Nothing was sent. Try again in a minute.',
    manyAsk: 'Many people look for a time just now. Nothing was sent. Try again in a minute.',
  },

  /** What is said where a form or an address is refused before its link is read. */
  refused: {
    title: 'That did not work',
    notSent: 'Nothing was sent.',
    back: 'Nothing was sent. Go back to the page of your link, and press its button once more.',
    unknown:
      'Something went wrong here, and it is not known whether what you sent arrived. ' +
      'Go back to the page of your link, and press the same button once more: nothing is ' +
      'done twice.',
    tooMany: 'This link was opened many times in one minute. Wait a minute, then try again.',
    tooLong: 'What was sent is too long. Nothing was kept. Go back and make it shorter.',
  },

  fields: {
    name: ['Your name', `Enter your name, in at most ${MOST_CHARACTERS.name} characters.`],
    email: ['Email address', 'Enter an email address, such as name@example.com.'],
    email_again: ['Email address again', 'The two email addresses differ. Correct one of them.'],
    entity_type: ['Type of client', CHOOSE_ONE],
    primary_goal: ['What’s your main goal?', CHOOSE_ONE],
    tax_situation: ['Your tax situation', CHOOSE_ONE],
    has_existing_cpa: ['Do you have an accountant (CPA) now?', CHOOSE_ONE],
    preferred_meeting: ['How would you like to meet?', CHOOSE_ONE],
    household_members: [
      'People in your household',
      `Enter a number from 1 to ${MOST_HOUSEHOLD_MEMBERS}.`,
    ],
    annual_revenue_band: ['Yearly revenue of your business', CHOOSE_ONE],
    notes: ['Anything else?', `Enter at most ${MOST_CHARACTERS.notes} characters.`],
    start_time: ['Time', 'Choose a time.'],
  } as Readonly<Record<FieldName, readonly [label: string, error: string]>>,
  sensitive: 'Leave out Social Security, tax, ID, card and account numbers, and documents.',
  broken: 'A character of it is broken. Type it again.',
  notAccepted: `Change it: ${provider} does not accept it as it is.`,

  options: {
    entity_type: {
      individual: 'Individual',
      joint: 'Couple filing jointly',
      trust: 'Trust',
      llc: 'LLC',
      s_corp: 'S corporation',
      c_corp: 'C corporation',
      partnership: 'Partnership',
      estate: 'Estate',
    },
    primary_goal: {
      retirement: 'Retirement',
      tax_planning: 'Tax planning',
      business_formation: 'Starting a business',
      wealth_transfer: 'Passing on wealth',
      cash_flow: 'Cash flow',
      other: 'Something else',
    },
    tax_situation: {
      simple: 'Simple',
      multi_state: 'Several states',
      business_owner: 'Business owner',
      estate: 'Estate',
    },
    has_existing_cpa: { yes: 'Yes', no: 'No' },
    preferred_meeting: {
      virtual: 'By video or phone',
      in_person: 'In person',
      either: 'Either',
    },
    annual_revenue_band: {
      under_100k: 'Under $100,000',
      '100k_500k': '$100,000 to $500,000',
      '500k_2m': '$500,000 to $2 million',
      over_2m: 'Over $2 million',
    },
  } as OptionWords,
})

export type Words = ReturnType<typeof english>
