import type { ActorState, ActorStates, Command, Rejection } from './registry.ts'
import type { Step } from './step.ts'

/** The outcome of a command, with the state of its target actor. */
export type Reply<State extends ActorState = ActorState> =
  | {
      readonly accepted: true
      readonly replayed: boolean
      readonly state: State
      /** Its facts with the state after each; empty for a replay. */
      readonly steps: readonly Step[]
      /** The refund, chargeback or MED in that state that the command created or changed. */
      readonly reversalId: string | null
      readonly nowMs: number
      readonly realMs: number
    }
  | { readonly accepted: false; readonly rejection: Rejection }

/** The members by which commands name their target: `ActorDefinition.namedBy`, in the order of the registry. */
type Names = [
  ['reversalId', 'transaction'],
  ['transactionId', 'transaction'],
  ['suspenseId', 'suspense'],
  ['subscriptionId', 'subscription'],
  ['invoiceId', 'invoice'],
  ['planId', 'plan'],
  ['couponId', 'coupon'],
  ['mandateId', 'mandate'],
  ['checkoutSessionId', 'checkoutSession'],
  ['paymentLinkId', 'paymentLink'],
  ['portalSessionId', 'portalSession'],
  ['customerId', 'customer'],
  ['recipientId', 'recipient'],
  ['ruleId', 'splitRule'],
  ['splitTransferId', 'splitTransfer'],
  ['changeId', 'controlChange'],
  ['ticketId', 'ticket'],
  ['noticeId', 'notice'],
  ['viewId', 'view'],
  ['depositId', 'cryptoDeposit'],
  ['conversionId', 'conversion'],
  ['quoteId', 'conversionQuote'],
  ['walletId', 'wallet'],
  ['withdrawalId', 'withdrawal'],
  ['transferId', 'transfer'],
  ['beneficiaryId', 'beneficiary'],
  ['keyLookupId', 'keyLookup'],
  ['payerMailId', 'payerMail'],
  ['noteId', 'note'],
  ['reconciliationId', 'reconciliation'],
  ['deliveryId', 'delivery'],
]

/** The state in a command's reply, as `subjects.ts` finds it: that of the first actor named, or else the account. */
export type StateFor<Sent extends Command> = Sent extends Command ? StateNamedIn<keyof Sent, Names> : never

type StateNamedIn<Members, Left> = Left extends [[infer Name, infer Kind], ...infer Rest]
  ? Name extends Members
    ? ActorStates[Kind & keyof ActorStates]
    : StateNamedIn<Members, Rest>
  : ActorStates['account']
