/** What all Sandbox routes have in common: a test key with `charges.create`, no idempotency (decisions, section 29). */
export const sandboxRoute = {
  tag: 'Sandbox',
  scope: 'charges.create',
  product: null,
  sandboxOnly: true,
} as const
