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
 * A part of a page. A string is a paragraph of Markdown, or a heading where it begins with `###`. What has a `folded` is
 * opened by its reader, who sees that text.
 */
export type Block =
  | string
  | { heading: string; id: string }
  | { fields: Field[]; folded?: string }
  | { sample: Sample }
  | { code: string; label: string }
  | { refusals: ShownRefusal[]; folded?: string; isAnchored?: boolean }
  | { links: [text: string, href: string][] }

/** Text, and the code that belongs beside it. */
export interface Pair {
  text: Block[]
  side: Block[]
}

/** A page of the documents that are served, free of how it looks: it is served as HTML and as Markdown. */
export interface DocPage {
  /** Its address; with `.md` at the end it is the same page as Markdown. */
  path: string
  title: string
  blocks?: Block[]
  pairs?: Pair[]
  end?: Block[]
}
