/** What every port of an object looks like: methods that answer later. */
type Methods<Port> = { [Name in keyof Port]: (...given: never[]) => Promise<unknown> }

/**
 * An object as its port: each method is called on the object, which is looked up only then, so that a binding that is
 * missing rejects the call and nothing else. `instead` are the methods that are answered here.
 */
export const stubOf = <Port extends Methods<Port>>(object: () => Port, instead: Partial<Port> = {}): Port =>
  new Proxy({} as Port, {
    get(_target, name) {
      // Whoever awaits a port gets the port.
      if (name === 'then') return undefined
      const call = async (...given: unknown[]): Promise<unknown> => {
        const stub = object()
        const method: unknown = Reflect.get(stub, name)
        return Reflect.apply(method as (...given: unknown[]) => unknown, stub, given)
      }
      return Reflect.get(instead, name) ?? call
    },
  })
