/** How long a test waits for what it promises, in milliseconds: a second, Vitest's own, is too short on a busy machine. */
export const PATIENCE = 150_000
