import type { ActorState, ActorStates, Command, Rejection } from './registry.ts'
import type { Step } from './step.ts'

/** What became of a command, with the state of the actor that it is about. */
export type Reply<State extends ActorState = ActorState> =
  | {
      readonly accepted: true
      readonly replayed: boolean
      readonly state: State
      /** What it did, fact by fact; empty where it was done before. */
      readonly steps: readonly Step[]
      /** The refund, chargeback or MED of the state that the command was about. */
      readonly reversalId: string | null
      readonly nowMs: number
      readonly realMs: number
    }
  | { readonly accepted: false; readonly rejection: Rejection }

/** The member of a command that names the actor which it is about: `Kind.namedBy`, in the order of the registry. */
type Names = [
  ['reversalId', 'transaction'],
  ['transactionId', 'transaction'],
  ['subscriptionId', 'subscription'],
  ['invoiceId', 'invoice'],
  ['customerId', 'customer'],
  ['planId', 'plan'],
  ['couponId', 'coupon'],
  ['recipientId', 'recipient'],
  ['ruleId', 'splitRule'],
  ['transferId', 'splitTransfer'],
  ['deliveryId', 'delivery'],
]

/** The state that a command is answered with, as `subjects.ts` finds it: of the first actor that it names, else the account. */
export type StateFor<Sent extends Command> = Sent extends Command ? StateNamedIn<keyof Sent, Names> : never

type StateNamedIn<Members, Left> = Left extends [[infer Name, infer Kind], ...infer Rest]
  ? Name extends Members
    ? ActorStates[Kind & keyof ActorStates]
    : StateNamedIn<Members, Rest>
  : ActorStates['account']
