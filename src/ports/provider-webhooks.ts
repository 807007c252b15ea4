/** The things that a delivery is about, by their public ids. Nothing else of a delivery is kept. */
export interface Hint {
  bookings: string[]
  invoices: string[]
  /** Payment links by the provider's own id, where a link is more than the page of its invoice. */
  links: string[]
}

/** A delivery as it came over the wire: a signature covers the very bytes of the body. */
export interface Delivery {
  headers: Headers
  body: Uint8Array
}

/** The webhooks of one provider. */
export interface ProviderWebhooks {
  /**
   * The ids in a delivery that one of these keys has signed. `refused`: the signature is missing or wrong, or made too long
   * ago or in the future. A hint without ids: genuine, but about nothing that is kept here. `now` is in epoch milliseconds.
   */
  read(delivery: Delivery, keys: readonly string[], now: number): Promise<Hint | 'refused'>
}
