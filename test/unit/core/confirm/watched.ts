/** The port with every call of it going through `outside`. */
export function watched<P extends object>(
  port: P,
  outside: (name: string, act: () => Promise<unknown>) => Promise<unknown>,
): P {
  const wrapped = Object.entries(port).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'function')
      return [
        name,
        (...args: unknown[]) => outside(name, async () => Reflect.apply(value, port, args)),
      ]
    return [name, value !== null && typeof value === 'object' ? watched(value, outside) : value]
  })
  return Object.fromEntries(wrapped) as P
}
