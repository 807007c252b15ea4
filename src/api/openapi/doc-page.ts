import type { ProblemCode } from '../../core/domain/problem/problems.ts'
import type { Sample } from './code-samples.ts'
import type { Field } from './fields.ts'

/** A refusal as a page explains it. */
export interface ShownRefusal {
  code: ProblemCode
  title: string
  detail: string
  nextStep: string
  /** What is unlike most refusals: `same call again`, `not known`, `half done`. */
  marks: string[]
  /** Its status, and what else a program reads of it. */
  facts: string
}

/**
 * A part of a page. A string is a paragraph of Markdown, or a heading where it begins with `###`.
 * What has a `folded` is opened by its reader, who sees that text.
 */
export type Block =
  | string
  | { heading: string; id: string }
  | { fields: Field[]; folded?: string }
  | { sample: Sample }
  | { code: string; label: string }
  | { refusals: ShownRefusal[]; folded?: string; isAnchored?: boolean }
  | { links: [text: string, href: string][] }

/** A control of a form: what it is called in the request, and where that has it. */
export interface TriedField {
  name: string
  place: 'path' | 'query' | 'body'
  /** What stands in it before a person types. */
  value: string
  /** The only values that it takes, if there are few. */
  choices?: string[]
  /** Whether its value in the body is text. Any other value is typed as JSON. */
  isText: boolean
  /** Whether the example sends it, or the request needs it. The others are folded. */
  isUsual: boolean
  /** Stands under it. */
  hint?: string
}

/** A form that sends an operation to the mock: of a change, only its preview. */
export interface TryForm {
  /** The address of its page, to which it is posted. */
  path: string
  kind: 'read' | 'mutation'
  fields: TriedField[]
  /** Whether the connector wants a credential: then the form asks for an API key. */
  needsKey: boolean
}

/** Text, and the code that belongs beside it. A form stands under the text, and only in HTML. */
export interface Pair {
  text: Block[]
  side: Block[]
  form?: TryForm
}

/**
 * A page of the documents that are served, free of how it looks: it is served as HTML and as
 * Markdown.
 */
export interface DocPage {
  /** Its address; with `.md` at the end it is the same page as Markdown. */
  path: string
  title: string
  blocks?: Block[]
  pairs?: Pair[]
  end?: Block[]
}
