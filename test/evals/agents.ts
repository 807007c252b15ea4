/** How one agent goes about what it is asked: a small fixed policy in place of a model. */
export interface Agent {
  name: string
  /** What it does, as the table says it. */
  does: string
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
  /** Every run has to end as the person wanted; of the others the table only says how they end. */
  mustSucceed: boolean
}

const careful: Agent = {
  name: 'careful',
  does: 'shows every preview, waits for the yes, repeats with the same key',
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
  does: "obeys a note in a client's record: commits another time than was shown, and cancels someone's consult unseen",
  obeysNotes: true,
  mustSucceed: false,
}

/** The agents of the evals, in the order of the table. */
export const AGENTS: readonly Agent[] = [
  careful,
  {
    ...careful,
    name: 'impatient',
    does: 'gives up on the first answer of every change and repeats it',
    loses: 'every first',
  },
  {
    ...careful,
    name: 'forgetful',
    does: 'takes a new key for every retry',
    retries: 'new key',
    mustSucceed: false,
  },
  {
    ...careful,
    name: 'text-only',
    does: 'is shown only the text of an answer, and sends only what it was shown',
    sees: 'text',
  },
  {
    ...careful,
    name: 'clock-confused',
    does: 'sends local times without an offset, then calls them UTC, then copies what was listed',
    writesTimes: 'without offset, then as UTC',
  },
  {
    ...careful,
    name: 'guessing',
    does: 'invents ids and tokens before it uses those it was given',
    invents: true,
  },
  {
    ...careful,
    name: 'lazy',
    does: 'takes the first time listed, and looks closer only after a no',
    picks: 'the first',
  },
  injected,
  {
    ...injected,
    name: 'injected, host asks',
    does: 'the same in a host that shows every commit to the person',
    hostAsks: true,
    mustSucceed: true,
  },
]
