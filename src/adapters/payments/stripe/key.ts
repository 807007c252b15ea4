/** The permissions of a restricted key that this adapter may lack: Stripe's internal name, and the name in its dashboard. */
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
  rak_webhook_read: 'Webhook Endpoints: Write',
  rak_webhook_write: 'Webhook Endpoints: Write',
} as const

export type Permission = keyof typeof PERMISSIONS

/**
 * Which permission the owner should add: the one that Stripe names if it is known, else the one that the request needs.
 * Stripe's text is not passed on, since it holds part of the key and the account.
 */
export function lackOf(message: string, needed: Permission): string {
  const names = Object.keys(PERMISSIONS) as Permission[]
  const named = names.find((name) => new RegExp(`\\b${name}\\b`).test(message)) ?? needed
  return `The Stripe key of the practice lacks a permission: give it “${PERMISSIONS[named]}” (${named}).`
}
