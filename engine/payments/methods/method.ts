import type { Context } from '../../kernel/context.ts'
import type { Timer } from '../../kernel/due-work.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { Fees, FeeTerms, Priced } from '../../ledger/fees.ts'
import type { ChargeOrigin, Method } from '../../shared/method.ts'
import type { Cents } from '../../shared/money.ts'
import type { PaymentRail } from '../../shared/rail.ts'
import type { CommandsOf, CreateCharge, TermsOf } from '../transaction/commands.ts'
import type { FactsOf } from '../transaction/events.ts'
import type { Family } from '../transaction/family.ts'
import type { Steps } from '../transaction/step.ts'
import type { MeansOf, Transaction, TransactionStatus } from '../transaction/transaction.ts'
import type { ChargeContext, ChargeDeciders, TransactionDecision } from '../transaction/turn.ts'

/** A payment method: everything about charges that differs by how they are paid. `methods/index.ts` has them all. */
export type PaymentMethod<Name extends Method> = {
  /** On which rail the money comes, and so which provider is asked; what a merchant activates is named after it. */
  readonly rail: PaymentRail
  /** Which routes find such a charge by its id; null where none do. */
  readonly familyOf: (origin: ChargeOrigin) => Family | null
  /** What a new charge costs once it is paid (decisions, section 16). */
  readonly feeTerms: (fees: Fees, priced: Priced) => FeeTerms
  /** Decides about a new charge; null where only the Sandbox makes such charges, as if they had happened. */
  readonly create:
    | ((command: CreateCharge, terms: OwnIn<TermsOf, Name>, turn: ChargeContext) => TransactionDecision)
    | null
  readonly deciders: ChargeDeciders<OwnIn<CommandsOf, Name>>
  readonly steps: Steps<OwnIn<FactsOf, Name>>
  /** What the clock does to such a charge next; of two at the same moment the first comes first. */
  readonly dueWork: (transaction: Transaction) => readonly (Timer | null)[]
  /** What others call it: its txid or NSU, and its end-to-end id or TID. Lists find it by them. */
  readonly keys: (means: MeansOf[Name]) => readonly [string | null, string | null]
  /** How money goes back; null where it cannot. */
  readonly refunds: RefundRules | null
  /** How a charge that is put into the Sandbox was paid (decisions, section 29). */
  readonly seed: (seed: Seed, turn: ChargeContext) => MeansOf[Name] | Rejection
}

/** What a method adds to a registry of types; never where it adds nothing. */
type OwnIn<Registry, Name> = Name extends keyof Registry ? Registry[Name] : never

/** How money goes back by a rail (decisions, section 15). */
export type RefundRules = {
  /** A refund can be asked for in so many days, counted from this instant. */
  readonly days: number
  readonly sinceMs: (transaction: Transaction) => number
  /** Whether the fee goes back with every part; otherwise it is kept. */
  readonly returnsFee: boolean
  /** Whether the amount is set aside in the balance when a refund is asked for; otherwise it comes out of what is expected. */
  readonly isReserved: boolean
  /** The id under which the rail sends it back; null where it has none. */
  readonly newReturnId: (context: Context) => string | null
}

/** What the Sandbox is told of a charge that it makes as if it had happened. */
export type Seed = {
  readonly status: TransactionStatus
  readonly amountCents: Cents
  readonly installments: number
  readonly createdAtMs: number
}
