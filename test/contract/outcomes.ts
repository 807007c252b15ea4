import { expect, vi } from 'vitest'

import { Problem, type Refusal } from '../../src/core/domain/problem/problem.ts'

/** The two ways in which a provider turns a request away before it has any effect. */
export const TURNED_AWAY = ['busy', 'misconfigured'] as const

/** A change that is refused for good and had no effect. */
export const refused = (code: Refusal['code'], facts: object = {}) => ({
  is: 'refused',
  refusal: { code, effect: 'none', ...facts },
})
/** A change that had no effect and may be sent again. */
export const busy = (code: Refusal['code'], facts: object = {}) => ({
  is: 'busy',
  refusal: { code, effect: 'none', ...facts },
})
/** A change that the owner has to make possible first; the detail is given whole, or as a pattern. */
export const misconfigured = (detail: string | RegExp) =>
  busy('provider_misconfigured', {
    detail: typeof detail === 'string' ? detail : (expect.stringMatching(detail) as string),
  })

/** The refusal with which a read ends. It shows nothing of a person, all of whom have a canary in their names here. */
export async function refusalOf(read: Promise<unknown>): Promise<Refusal> {
  const thrown: unknown = await read.catch((error: unknown) => error)
  if (!(thrown instanceof Problem)) throw new Error('no problem was thrown')
  expect(JSON.stringify([thrown.refusal, thrown.message, thrown.stack])).not.toMatch(/canary/i)
  return thrown.refusal
}

/** Whatever is printed from now on goes into `shown`, until the mocks are restored. */
export function keepPrinted(shown: unknown[]): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void shown.push(words))
}

/** The same port; whatever its methods answer or throw goes into `shown`, so that it can be searched. */
export function observed<Port extends object>(
  port: Port,
  shown: unknown[],
  except: (keyof Port)[] = [],
): Port {
  const watch =
    (method: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      try {
        const answer = await method(...args)
        shown.push(answer)
        return answer
      } catch (thrown) {
        shown.push(thrown instanceof Problem ? [thrown.refusal, thrown.stack] : String(thrown))
        throw thrown
      }
    }
  const parts = Object.entries(port).map(([name, part]: [string, unknown]) => {
    if (except.includes(name as keyof Port)) return [name, part]
    if (typeof part === 'function') return [name, watch(part as Parameters<typeof watch>[0])]
    return [name, typeof part === 'object' && part !== null ? observed(part, shown) : part]
  })
  return Object.fromEntries(parts) as Port
}
