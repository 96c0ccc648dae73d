import type { Command } from '../commands.ts'
import type { AccountId, InvoiceId, SplitTransferId, SubscriptionId, TransactionId } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'

/** Due work on the environment clock: a command like any other. */
export type Timer = { readonly dueAtMs: number; readonly command: Command }

/**
 * Due work was refused, or changed nothing, or could not be decided, not even after a recovery. That is an error of ours, and
 * would be one again at every try, also after a restart: so nothing is due at this actor any more until something else
 * changes it. `payments verify` tells of it.
 */
export type TimerPutAside =
  | PutAside<'account', AccountId>
  | PutAside<'transaction', TransactionId>
  | PutAside<'subscription', SubscriptionId>
  | PutAside<'invoice', InvoiceId>
  | PutAside<'splitTransfer', SplitTransferId>

type PutAside<Kind extends string, Id extends string> = {
  readonly actor: Kind
  readonly type: 'TimerPutAside'
  readonly id: Id
  readonly by: Initiator
  readonly atMs: number
  /** What was due. */
  readonly due: Command['type']
}
