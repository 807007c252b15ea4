/** The demo met something it did not expect; the message is one sentence for a person. */
export class Surprise extends Error {}
