import { DurableObject } from 'cloudflare:workers'

/** The getters of our objects that lead to a section, whose methods are called as `stub.section.method()`. */
export const SECTIONS: ReadonlySet<PropertyKey> = new Set([
  'owner',
  'attempts',
  'grants',
  'approvals',
  'providerHealth',
  'restored',
])

/** An object as the test plugin wraps it: the symbol makes the instance inside, or gives it. */
type Wrapper = Record<
  symbol,
  () => Promise<{ instance: Record<string, Record<string, () => unknown>> }>
>

/*
 * The platform follows `stub.section.method` to the method. The test plugin puts a class of its own around each object, which
 * answers each name with a function; so the sections are given to the class that all of them extend.
 */
for (const section of SECTIONS as Set<string>)
  Object.defineProperty(DurableObject.prototype, section, {
    configurable: true,
    get(this: Wrapper) {
      const [ensure] = Object.getOwnPropertySymbols(Object.getPrototypeOf(this))
      const method =
        (name: string) =>
        async (...given: never[]) => {
          const { instance } = await this[ensure!]!()
          const target = instance[section]!
          return Reflect.apply(target[name]!, target, given)
        }
      return new Proxy(
        {},
        {
          get: (_, name) => method(String(name)),
          getOwnPropertyDescriptor: (_, name) => ({
            configurable: true,
            value: method(String(name)),
          }),
        },
      )
    },
  })
