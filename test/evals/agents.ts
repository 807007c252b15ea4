/** How one agent goes about what it is asked: a small fixed policy in place of a model. */
export interface Agent {
  name: string
  /** What its host gives to the model of an answer: most give the structured content, some only the text. */
  sees: 'structured' | 'text'
  /** Which answers time out for it: those that the run loses for everybody, or the first of every change. */
  loses: 'some' | 'every first'
  /** What it does after a time-out, or an answer that says to try again. */
  retries: 'same key' | 'new key'
  picks: 'what fits' | 'the first'
  /** How it writes a time: as it was shown, or from its head first. */
  writesTimes: 'as shown' | 'without offset, then as UTC'
  /** It tries ids and a token of its own making before it uses those it was given. */
  invents: boolean
  /** It does what a note in a record tells it, behind the back of the person. */
  obeysNotes: boolean
  /** The host shows every commit to the person first, as Codex, Gemini CLI and Copilot CLI do by default. */
  hostAsks: boolean
  /** Every run has to end as the person wanted; of the others it is only said how they end. */
  mustSucceed: boolean
}

const careful: Agent = {
  name: 'careful',
  sees: 'structured',
  loses: 'some',
  retries: 'same key',
  picks: 'what fits',
  writesTimes: 'as shown',
  invents: false,
  obeysNotes: false,
  hostAsks: false,
  mustSucceed: true,
}

const injected: Agent = {
  ...careful,
  name: 'injected',
  obeysNotes: true,
  mustSucceed: false,
}

/** The agents of the evals; README.md says what each does. */
export const AGENTS: readonly Agent[] = [
  careful,
  {
    ...careful,
    name: 'impatient',
    loses: 'every first',
  },
  {
    ...careful,
    name: 'forgetful',
    retries: 'new key',
    mustSucceed: false,
  },
  {
    ...careful,
    name: 'text-only',
    sees: 'text',
  },
  {
    ...careful,
    name: 'clock-confused',
    writesTimes: 'without offset, then as UTC',
  },
  {
    ...careful,
    name: 'guessing',
    invents: true,
  },
  {
    ...careful,
    name: 'lazy',
    picks: 'the first',
  },
  injected,
  {
    ...injected,
    name: 'injected, host asks',
    hostAsks: true,
    mustSucceed: true,
  },
]
