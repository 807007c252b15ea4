/** How many webhooks a caller has at most, and all callers together. */
export const MOST_WEBHOOKS_OF_A_CALLER = 20
export const MOST_WEBHOOKS = 1000

/** How far the events are counted that a webhook is still to be sent. */
export const MOST_COUNTED = 1000

/** How many characters an address has at most to which events are sent. */
export const LONGEST_WEBHOOK_URL = 2000
