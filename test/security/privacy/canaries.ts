/**
 * What is planted, and by which parts it is recognised: each part is found nowhere else, so a leak of half a mail
 * address is one too. Well-known mail domains are shown by design, as are top-level domains and initials.
 */
export const CANARIES = {
  invitee_email: [
    'Zqvexmar.Wintle+consult@plumbwick-invitee.example',
    'Zqvexmar',
    'plumbwick-invitee',
  ],
  // One with Latin-1 letters, one with letters beyond it: they are stored in different ways.
  invitee_name: ['Thrumbold Ôskarvaille', 'Thrumbold', 'Ôskarvaille'],
  reschedule_email: ['quibbleford@Snargworth-Move.example', 'quibbleford', 'snargworth-move'],
  contact_email: ['wobblekind99@gmail.com', 'wobblekind99'],
  display_name: ['Færnzild Őrzenblatz', 'Færnzild', 'Őrzenblatz'],
  other_email: ['ottermoss@fenwhistle-other.example', 'ottermoss', 'fenwhistle-other'],
  reason: ['the grummelthorpe operation', 'grummelthorpe'],
  idempotency_key: ['key of flumdrosk', 'flumdrosk'],
  email_in_notes: ['yarnblossom@crindlefen.example', 'yarnblossom', 'crindlefen'],
  phone_in_notes: ['(312) 555-0184', '3125550184', '312-555-0184'],
  foreign_phone_in_notes: ['+44 20 7946 0958', '442079460958', '7946 0958'],
  ssn: ['536-22-8741', '536228741'],
  card: ['4539 5787 6362 1486', '4539578763621486'],
  document: ['%PDF-1.7 dockvexel', 'dockvexel'],
  unknown_field: ['field_osterwhelm', 'osterwhelm'],
  wrong_value: ['value-brackenquill', 'brackenquill'],
  confirmation_token: ['ct_spindlecroft', 'spindlecroft'],
  malformed_json: ['jargonmelt in broken JSON', 'jargonmelt'],
  path: ['dwarvenfig-in-path', 'dwarvenfig'],
  query: ['splintmoor-in-query', 'splintmoor'],
  user_agent: ['krellwing-agent', 'krellwing'],
  request_id: ['jaspwhistle-id', 'jaspwhistle'],
  authorization: ['hexaplume-secret', 'hexaplume'],
  cookie: ['mirthgarn-cookie', 'mirthgarn'],
  origin: ['vantbrickle.example', 'vantbrickle'],
  mcp_name: ['marrowgate-name', 'marrowgate'],
  mcp_method: ['pennyfrost/method', 'pennyfrost'],
  mcp_client: ['hollowbeck-client', 'hollowbeck'],
  /** Comes back to who filled it into a prompt, and goes nowhere else. */
  prompt_argument: ['ashgrindle in a prompt', 'ashgrindle'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type Canary = keyof typeof CANARIES

/** The text of a canary as it is sent. */
export const canary = (name: Canary): string => CANARIES[name][0]
