/** What the routes of webhook endpoints and deliveries share. */
const ofWebhooks = { tag: 'Webhooks', product: null } as const

export const webhookReads = { ...ofWebhooks, verb: 'GET', permission: 'webhooks.read' } as const
export const webhookManages = { ...ofWebhooks, permission: 'webhooks.manage' } as const
