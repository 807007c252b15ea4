/** The permissions of a restricted key that this adapter can be short of, by Stripe's own names, in our words. */
const PERMISSIONS = {
  rak_invoice_read: 'Invoices: Read',
  rak_payment_link_read: 'Payment Links: Write',
  rak_payment_link_write: 'Payment Links: Write',
  rak_product_read: 'Products: Read',
  rak_product_write: 'Products: Write',
  rak_plan_read: 'Prices: Read',
  rak_plan_write: 'Prices: Write',
  rak_price_read: 'Prices: Read',
  rak_price_write: 'Prices: Write',
} as const

export type Permission = keyof typeof PERMISSIONS

/**
 * Which permission to add to the key, for the owner: the one that Stripe names, if it is one we know, else the one that
 * the request needs. Nothing of Stripe's text is passed on; it holds a part of the key and the account.
 */
export function lackOf(message: string, needed: Permission): string {
  const names = Object.keys(PERMISSIONS) as Permission[]
  const named = names.find((name) => new RegExp(`\\b${name}\\b`).test(message)) ?? needed
  return `The Stripe key of the practice lacks a permission: give it “${PERMISSIONS[named]}” (${named}).`
}
