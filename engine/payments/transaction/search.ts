import type { ActorStates } from '../../kernel/registry.ts'
import type { Work } from '../../kernel/work.ts'
import type { AccountId } from '../../shared/ids.ts'
import type { TransactionGroup } from './row.ts'

declare module '../../kernel/ports.ts' {
  interface Memory {
    /** Transactions by what they are like, from columns; only the states that the page shows are looked at. */
    readonly transactions: (
      accountId: AccountId,
      filter: TransactionFilter,
      page: TransactionPage,
    ) => Work<FoundTransactions>
    /** What arrived by PIX in [fromMs, toMs). */
    readonly receivedFigures: (accountId: AccountId, fromMs: number, toMs: number) => Work<ReceivedFigures>
  }
}

/** All of its conditions hold at once; null leaves one out. */
export type TransactionFilter = {
  /** Hides what was created after this sequence. */
  readonly asOf: number | null
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
  readonly fits: (group: TransactionGroup) => boolean
  readonly minAmountCents: number | null
  /** Inclusive. */
  readonly maxAmountCents: number | null
  readonly id: string | null
  readonly externalId: string | null
  readonly customerId: string | null
  /** Contained in the payer's name, or equal to their document or e-mail. */
  readonly customer: string | null
  /** Equal to the id, the external id, a key or the payer's document, or contained in the payer's name or e-mail. */
  readonly search: string | null
}

/** Ids settle ties: by creation they go in the same direction, by amount always newest first. */
export type TransactionOrder = { readonly by: 'createdAt' | 'amount'; readonly isDescending: boolean }

/** A place in an order: what the order goes by, of the transaction with this id. */
export type TransactionPosition = { readonly at: number; readonly id: string }

/** Which of the transactions that fit are shown, and what is told of all of them. */
export type TransactionPage = {
  readonly order: TransactionOrder
  /** How many are left out, or the position after which the page begins. */
  readonly start: { readonly offset: number } | { readonly after: TransactionPosition }
  readonly limit: number
  /** `figures` counts and sums by group, `total` only counts; `nothing` ends the scan with the page, wherever it began. */
  readonly tells: 'figures' | 'total' | 'nothing'
}

export type FoundTransactions = {
  readonly states: readonly ActorStates['transaction'][]
  /** Where a next page goes on; null where this one was not filled. */
  readonly next: TransactionPosition | null
  /** 0 where nothing was to be told. */
  readonly total: number
  /** Empty unless figures were to be told. */
  readonly groups: readonly GroupFigures[]
}

/** Sums are exact, over any number of rows. */
export type GroupFigures = TransactionGroup & {
  readonly count: number
  readonly amountCents: bigint
  readonly paidCents: bigint
  readonly feeCents: bigint
  readonly refundedCents: bigint
  readonly disputedCents: bigint
}

export type ReceivedFigures = {
  /** What was kept. */
  readonly received: Tally
  /** What of it came to a deposit. */
  readonly deposits: Tally
  readonly returned: Tally
  readonly feeCents: bigint
}

/** How many, and how many centavos in all. */
export type Tally = { readonly count: number; readonly cents: bigint }
