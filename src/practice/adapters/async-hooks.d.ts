/** The part of the platform's `node:async_hooks` that is used; the flag `nodejs_als` brings it. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<Store> {
    run<Result>(store: Store, run: () => Result): Result
    getStore(): Store | undefined
  }
}
