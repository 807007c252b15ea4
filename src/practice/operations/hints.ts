import { distance } from 'fastest-levenshtein'
import * as z from 'zod'

/*
 * What a refusal says to a caller who sent nearly the right thing: the name that was meant, and the
 * value that came in another type. Nothing here repeats what was sent.
 */

const MOST_COMPARED = 40

/** A name without what spellings differ in: `bookConsult` and `book-consult` are the same. */
export const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * A name that is no longer than this is another one with two letters changed, and a shorter one is
 * in many.
 */
const SHORT_NAME = 4

/**
 * The known name that an unknown one resembles: it differs by two letters or a quarter of them, is
 * contained in it, or has it as a word.
 */
export function nearest(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > MOST_COMPARED) return undefined
  const wanted = lettersOf(unknown)
  const ranked = known
    .map((name) => ({ name, far: distance(wanted, lettersOf(name)) }))
    .toSorted((a, b) => a.far - b.far)
  const [first] = ranked
  if (first && first.far <= lettersApart(lettersOf(first.name))) return first.name
  const contained = ranked.filter(({ name }) => isContained(lettersOf(name), wanted))
  const longest = contained.toSorted((a, b) => b.name.length - a.name.length)[0]
  if (longest) return longest.name
  const byWord = known.filter((name) => name.split('_').includes(wanted))
  return byWord.length === 1 ? byWord[0] : undefined
}

/**
 * The only option with the letters and digits of a value: `s_corp` for `S-Corp`. What is merely near
 * may be the opposite of an answer: `either` of `neither`, `over_2m` of `over_1m`, `llc` of `llp`.
 */
export function optionSpelled<Option extends string | number>(
  value: string,
  options: readonly Option[],
): Option | undefined {
  const spelled = options.filter((one) => lettersOf(String(one)) === lettersOf(value))
  return spelled.length === 1 ? spelled[0] : undefined
}

const lettersApart = ({ length }: string) => Math.max(length <= SHORT_NAME ? 1 : 2, length / 4)

const isContained = (letters: string, wanted: string) =>
  letters.length >= SHORT_NAME && wanted.includes(letters)

/** `: did you mean …?`, or a full stop where no name is near. */
export const didYouMean = (names: readonly string[]) =>
  names.length === 0 ? '.' : `: did you mean ${names.join(', ')}?`

/** The refusal of a name that is none, with its neighbours. */
export function unknownName(
  kind: string,
  list: string,
  given: string,
  all: readonly { name: string }[],
): string {
  const meant = neighboursOf(
    given,
    all.map(({ name }) => name),
  )
  return `Unknown ${kind}${didYouMean(meant)} ${list} has all of them.`
}

const MOST_NEIGHBOURS = 3
const LONGEST_NAME = 80

/**
 * The names that were meant. A host may put its own name for us before one. The last to count is a word
 * in common: `invoice_id` for `invoiceNumber`.
 */
export function neighboursOf(given: string, names: readonly string[]): string[] {
  if (given.length > LONGEST_NAME) return []
  const letters = lettersOf(given)
  const whole = names.find((name) => name.length >= SHORT_NAME && letters.endsWith(lettersOf(name)))
  if (whole !== undefined) return [whole]
  const words = wordsOf(given)
  const withAll = namesWith(words, words.length, names)
  if (withAll.length > 0) return withAll
  const spelledLike = nearest(given, names)
  return spelledLike === undefined ? namesWith(words, 1, names) : [spelledLike]
}

/** Words that say nothing of what a field holds. */
const ANY_FIELD = ['token', 'value', 'field', 'key', 'new']

/** The longer words of a name, however they are joined: `bookAConsult` has `book` and `consult`. */
function wordsOf(name: string): string[] {
  const joined = name.replaceAll(/([a-z])(?=[A-Z])/g, '$1_').toLowerCase()
  return (joined.match(/[a-z]{3,}/g) ?? []).filter((word) => !ANY_FIELD.includes(word))
}

/** The names with at least so many of these words; none where that is true of more than a few. */
function namesWith(words: string[], least: number, names: readonly string[]): string[] {
  if (words.length === 0) return []
  const found = names.filter((name) => {
    const own = name.split('_')
    return words.filter((word) => own.includes(word)).length >= least
  })
  return found.length <= MOST_NEIGHBOURS ? found : []
}

/** A number as JSON writes it, but for the exponent. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

/** Why a body is no JSON. It takes the place of the fields that it would hold. */
export class JsonMistake {
  /** For a refusal, after “what was sent is not JSON”. */
  readonly why: string

  constructor(why: string) {
    this.why = `: ${why}`
  }
}

/** A known field, and the field that it belongs in. */
interface Inner {
  name: string
  parent: string
}

/**
 * Where unknown names are those of fields that lie deeper, alone or with the name of their parent
 * before them: `primary_goal`, `answers__primary_goal`.
 */
export const belongIn = (unknown: readonly string[], inner: readonly Inner[]): Inner[] =>
  inner.filter(({ name, parent }) => {
    const spellings = [lettersOf(name), lettersOf(parent + name)]
    return unknown.some((one) => spellings.includes(lettersOf(one)))
  })

/** What is meant where one text is wanted and another value came. */
export function cameAsValue(value: unknown, forms: readonly z.ZodType[]): string {
  if (Array.isArray(value)) return ' It came as a list: send one value.'
  if (typeof value !== 'number' && typeof value !== 'boolean') return ''
  const kind = typeof value === 'number' ? 'a number' : 'true or false'
  const isRight = forms.some((form) => form.safeParse(String(value)).success)
  return ` It came as ${kind}${isRight ? ': send it in quotation marks' : ''}.`
}

/** The steps of automations that send true and false as they are, where the usual step sends texts. */
const STEPS_WITH_JSON =
  'in Zapier use Webhooks > Custom Request, in Make HTTP with the body as JSON, in n8n HTTP ' +
  'Request with Specify Body: Using JSON'

/**
 * What is meant where another JSON value than a text is wanted, and a text or a value of another type
 * came, as many programs write it. A tool reads a text of JSON, so what it refuses is none.
 */
export function cameAsOther(value: unknown, forms: readonly z.ZodType[], isTool: boolean): string {
  const isNumber = forms.some((form) => form instanceof z.ZodNumber)
  if (Array.isArray(value)) return '; it came as a list: send one value'
  if (typeof value === 'number' && !isNumber) return '; it came as a number'
  if (typeof value === 'boolean') return '; it came as true or false'
  if (typeof value !== 'string') return ''
  const text = value.trim()
  if (forms.some((form) => form instanceof z.ZodBoolean)) {
    const said = '; it came as text: send false or true without quotes'
    return isTool ? said : `${said} (${STEPS_WITH_JSON})`
  }
  if (isNumber && JSON_NUMBER.test(text)) return '; it came as text: send it without quotes'
  const isList = forms.some((form) => form instanceof z.ZodArray)
  const isWhole = isList || forms.some((form) => form instanceof z.ZodObject)
  if (isList && /^\w/.test(text)) return '; it came as text: send a list, such as ["one", "two"]'
  if (!isWhole || !/^["'{[]/.test(text)) return ''
  return isTool ? '; it came as text that cannot be read as one' : '; it came as text'
}
