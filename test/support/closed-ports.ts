import type { AnyMutation } from '../../src/core/confirm/mutation.ts'

/**
 * The same operation, whose ports are closed once its facts are read. `used` is called with the
 * name of what is used after that, and may throw.
 */
export const closingPorts = (mutation: AnyMutation, used: (what: string) => void): AnyMutation => ({
  ...mutation,
  async facts(input, { ports, mac, ...reading }) {
    let isClosed = false
    const open = <T extends object>(name: string, part: T): T =>
      new Proxy(part, {
        apply(target, self, given) {
          if (isClosed) used(name)
          return Reflect.apply(target as never, self, given)
        },
        get(target, key) {
          if (isClosed) used(`${name}.${String(key)}`)
          const value: unknown = Reflect.get(target, key)
          return typeof value === 'object' && value !== null && name === 'ports'
            ? open(`${name}.${String(key)}`, value)
            : value
        },
      })
    const facts = await mutation.facts(input, {
      ...reading,
      ports: open('ports', ports),
      mac: open('mac', mac),
    })
    isClosed = true
    return facts
  },
})
