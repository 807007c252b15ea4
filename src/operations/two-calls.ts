/** How every change is made, for a model: in the description of each tool, and in the instructions of the endpoint. */
export const TWO_CALLS =
  'First confirm=false, which changes nothing and returns a preview with a confirmation_token: show the person the preview beside the details you sent, and wait for their yes. Then the same fields under the same idempotency_key with confirm=true and that token: commits what was shown. After a time-out or any doubt repeat the very same call with the same key; it never acts twice. Never choose a new key for it.'
