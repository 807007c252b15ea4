/** A command cannot go on: what is the matter, and in one sentence what to do about it. */
export class Stop extends Error {
  readonly todo: string

  constructor(message: string, todo: string) {
    super(message)
    this.todo = todo
  }
}

/** What a person reads of anything that was thrown. */
export const stopOf = (thrown: unknown): Stop =>
  thrown instanceof Stop
    ? thrown
    : new Stop(
        thrown instanceof Error ? thrown.message : String(thrown),
        'Run it again; if it stays, report it with these lines.',
      )
