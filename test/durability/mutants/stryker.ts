import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Lines count from 1 and columns from 0. */
interface Place {
  line: number
  column: number
}
export interface Mutant {
  file: string
  start: Place
  end: Place
  mutator: string
  replacement: string
}
export interface Verdict extends Mutant {
  /** Stryker's word: Killed, Timeout, Survived, NoCoverage, Ignored or RuntimeError. */
  status: string
}

/** As Stryker gives it: lines and columns count from 0, and both from 1 in a verdict. */
export interface Instrumented {
  id: string
  fileName: string
  location: { start: Place; end: Place }
  mutatorName: string
  replacement: string
}

export const nameOf = ({ file, start, end, mutator, replacement }: Mutant): string =>
  JSON.stringify([file, start.line, start.column, end.line, end.column, mutator, replacement])

/** A mutant in the folder `root`; `from` is where its lines and columns count from. */
export function mutantIn(root: string, mutant: Instrumented, from: 0 | 1): Mutant {
  const placeOf = ({ line, column }: Place) => ({ line: line + 1 - from, column: column - from })
  const { start, end } = mutant.location
  return {
    file: relative(root, mutant.fileName),
    start: placeOf(start),
    end: placeOf(end),
    mutator: mutant.mutatorName,
    replacement: mutant.replacement,
  }
}

/** What a run is told under `drawn`, a name of ours among Stryker's own options. */
export interface Drawn {
  root: string
  names: string[]
  record: string
}
interface Options {
  drawn: Drawn
}

/** Lets only the drawn mutants be tried: Stryker also makes all others that lie inside one of them. */
class OnlyDrawn {
  static readonly inject = ['options'] as const
  readonly #root: string
  readonly #names: ReadonlySet<string>
  constructor({ drawn }: Options) {
    this.#root = drawn.root
    this.#names = new Set(drawn.names)
  }

  async init() {}

  async group(mutants: readonly Instrumented[]) {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: readonly Instrumented[]) {
    const statusOf = (mutant: Instrumented) =>
      this.#names.has(nameOf(mutantIn(this.#root, mutant, 0))) ? 'passed' : 'compileError'
    return Object.fromEntries(
      mutants.map((mutant) => [mutant.id, { status: statusOf(mutant), reason: 'not drawn' }]),
    )
  }
}

/** Writes each verdict as soon as it is there, so that a run that was ended has lost none. */
class Recorded {
  static readonly inject = ['options'] as const
  readonly #root: string
  readonly #record: string
  readonly #left: Set<string>
  constructor({ drawn }: Options) {
    this.#root = drawn.root
    this.#record = drawn.record
    this.#left = new Set(drawn.names)
  }

  onMutantTested(result: Instrumented & { status: string }) {
    const verdict: Verdict = { ...mutantIn(this.#root, result, 1), status: result.status }
    if (this.#left.delete(nameOf(verdict)))
      appendFileSync(this.#record, `${JSON.stringify(verdict)}\n`)
  }
}

export const strykerPlugins = [
  { kind: 'Checker', name: 'drawn', injectableClass: OnlyDrawn },
  { kind: 'Reporter', name: 'record', injectableClass: Recorded },
]
