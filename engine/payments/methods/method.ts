import type { Context } from '../../kernel/context.ts'
import type { Timer } from '../../kernel/due-work.ts'
import type { DraftPublicEvent, Publishes } from '../../kernel/event-types.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { Fees, FeeTerms, Priced } from '../../ledger/fees.ts'
import type { ChargeOrigin, Method, Methods } from '../../shared/method.ts'
import type { Cents } from '../../shared/money.ts'
import type { FiscalMeans } from '../fiscal/payment-means.ts'
import type { Bookings } from '../transaction/booking.ts'
import type { ChargeContext, ChargeDeciders, TransactionDecision } from '../transaction/charge-context.ts'
import type { CreateCharge } from '../transaction/commands.ts'
import type { Evolvers } from '../transaction/evolvers.ts'
import type { FailureReason, Transaction, TransactionStatus } from '../transaction/transaction.ts'
import type { StepNames } from './step-names.ts'

/** A payment method: everything that depends on how a charge is paid. `methods/index.ts` lists them. */
export type PaymentMethod<Name extends Method> = {
  /**
   * The rail that brings the money, and so the provider to call. The product that a merchant activates has the same
   * name.
   */
  readonly rail: Methods[Name]['rail']
  /** What people call it. */
  readonly names: Readonly<Record<'en' | 'pt', string>>
  /** What people call its rail, if other methods share it. */
  readonly railNames?: Readonly<Record<'en' | 'pt', string>>
  /** What people call the steps that its own facts are. */
  readonly stepNames: StepNames<Methods[Name]['facts']>
  /** The route family that finds such a charge by id; null when none does. */
  readonly familyOf: (origin: ChargeOrigin) => Methods[Name]['family'] | null
  /** What a new charge costs once it is paid (decisions, section 16). */
  readonly feeTerms: (fees: Fees, priced: Priced) => FeeTerms
  /** Decides about a new charge. */
  readonly create: (
    command: CreateCharge,
    terms: Methods[Name]['terms'],
    chargeContext: ChargeContext,
  ) => TransactionDecision
  readonly deciders: ChargeDeciders<Methods[Name]['commands']>
  readonly evolvers: Evolvers<Methods[Name]['facts']>
  /** The public events of its own facts. */
  readonly publishes: Publishes<Transaction, Methods[Name]['facts']>
  /** The account's bookings for its own facts. */
  readonly bookings: Bookings<Methods[Name]['facts']>
  /** Timers of such a charge; at the same moment the first in the list wins. */
  readonly dueWork: (transaction: Transaction) => readonly (Timer | null)[]
  /** How expired charges differ from those of other methods: reason, and public events before `payment.failed`. */
  readonly expiry?: {
    readonly reason: (transaction: Transaction) => FailureReason
    readonly publishes: (transaction: Transaction) => readonly DraftPublicEvent[]
  }
  /** Its ids at other parties: txid or NSU, and end-to-end id or TID. Lists can be searched by them. */
  readonly keys: (means: Methods[Name]['means']) => readonly [string | null, string | null]
  /** Its id at the provider; null while it has none. */
  readonly reference: (means: Methods[Name]['means']) => string | null
  /** What fiscal documents call such a payment; absent where they have no name for it. */
  readonly fiscalMeans?: (means: Methods[Name]['means']) => FiscalMeans
  /** How refunds work; null when they are impossible. */
  readonly refunds: RefundRules | null
  /** The means of a charge that is put into the Sandbox as if it had happened (decisions, section 29). */
  readonly seed: (seed: Seed, chargeContext: ChargeContext) => Methods[Name]['means'] | Rejection
}

/** How a rail returns money (decisions, section 15). */
export type RefundRules = {
  /** Refunds are possible for this many days after this instant. */
  readonly days: number
  readonly sinceMs: (transaction: Transaction) => number
  /** Whether the fee is refunded in proportion; otherwise it is kept. */
  readonly returnsFee: boolean
  /** Whether requesting a refund reserves balance; otherwise it comes out of what is expected. */
  readonly isReserved: boolean
  /** The id under which the rail returns the money; null if it has none. */
  readonly newReturnId: (context: Context) => string | null
}

/** What the Sandbox knows about a charge that it makes as if it had happened. */
export type Seed = {
  readonly status: TransactionStatus
  /** Whether the status says that it was paid, whatever came of it later. */
  readonly isPaid: boolean
  readonly amountCents: Cents
  readonly installments: number
  readonly createdAtMs: number
}
