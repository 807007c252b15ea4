import { expect, onTestFinished } from 'vitest'

type Fetch = typeof globalThis.fetch

/**
 * The way to a fake provider, which stops with the test. The test fails where another host was asked, or where the fake
 * answered otherwise than the published contract says.
 */
export function fetchOfFake(
  fake: { url: string; fetch: Fetch; stop(): Promise<void> },
  check: { violations: string[] } | undefined,
): Fetch {
  const hosts = new Set<string>()
  onTestFinished(async () => {
    await fake.stop()
    expect([...hosts].filter((host) => host !== new URL(fake.url).host)).toEqual([])
    expect(check?.violations.splice(0) ?? []).toEqual([])
  })
  return (input, init) => {
    hosts.add(new URL(input instanceof Request ? input.url : input).host)
    return fake.fetch(input, init)
  }
}
