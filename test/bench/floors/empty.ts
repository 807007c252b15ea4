/** The floor under everything: a Worker that does nothing. */
export default { fetch: () => new Response('ok') }
