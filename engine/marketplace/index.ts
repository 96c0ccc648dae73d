/**
 * Split transfers: each recipient's share of a receivable, sent to their bank once it settles, and taken back when
 * the payment is reversed.
 */
import './commands.ts'
import './kind.ts'
import './payout-request.ts'
import './queries.ts'
import './refusals.ts'
import './split-transfer.ts'
import { splitAnswers } from './answers.ts'
import { splitTransferKind } from './kind.ts'
import { payoutDeciders } from './payouts.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const marketplaceModule = {
  kinds: {
    splitTransfer: splitTransferKind,
  },
  deciders: payoutDeciders,
  answers: splitAnswers,
}
