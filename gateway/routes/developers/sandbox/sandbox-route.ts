import { newId } from '../../../../engine/shared/ids.ts'
import type { RequestContext } from '../../../api/route.ts'
import { commandOf } from '../../../providers/inbound.ts'
import type { Notice } from '../../../providers/notice.ts'
import type { ProviderModule } from '../../../providers/port.ts'

/** What all Sandbox routes share: a test key with `charges.create`, and no idempotency (decisions, section 29). */
export const sandboxRoute = {
  verb: 'POST',
  tag: 'Sandbox',
  permission: 'charges.create',
  product: null,
  sandboxOnly: true,
} as const

/** The command of a notice that a Sandbox provider sends because a key asked for it. The timeline names the key. */
export const deliverNotice = (
  provider: ProviderModule,
  notice: Notice,
  { by, atMs, entropy }: RequestContext,
) => commandOf(provider, notice, by, () => newId('txn', atMs, entropy))

/** Leaves it to the Sandbox to make up what a bank would know. */
export const unspecifiedPayment = { payer: null, endToEndId: null, paidAtMs: null } as const
