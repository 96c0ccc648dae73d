import type { ChosenRoute, RouteReason } from '../connections/way.ts'
import type { Draft } from '../kernel/draft.ts'
import { type ActorFact, factOf } from '../kernel/fact.ts'
import type { Issuer } from '../ledger/issuer.ts'
import type { Declaration, DeclaredOutcome, MoneyBack } from '../payments/sent-money.ts'
import type { ConnectionId, TransferId, WithdrawalId } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import { type Cents, toCents } from '../shared/money.ts'
import type { ApprovalTerms, PaymentDecision } from './approval.ts'
import { type AskedTransfer, type AskedWithdrawal, kindOfMoneyOut, type MoneyOutKind } from './asked.ts'
import type { MoneyOutCount } from './sums.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly transfer: Transfer
    readonly withdrawal: Withdrawal
  }
  interface ActorFacts {
    readonly transfer: MoneyOutFact
    readonly withdrawal: MoneyOutFact
  }
}

/**
 * Money that a person sends from the account (decisions, section 18). It is one actor with one life. The kernel knows it by two names, because
 * the ids of a kind have one prefix: transfers are `trf_…`, withdrawals `wdr_…`.
 */
export type MoneyOut = Transfer | Withdrawal
export type MoneyOutId = TransferId | WithdrawalId

/** Reais that go to a bank (dashboard, section 2.7). */
export type Transfer = CreatedTransfer &
  MoneyOutState & {
    readonly id: TransferId
    readonly status: (typeof transferStatuses)[number]
    readonly cancelReason: (typeof transferCancelReasons)[number] | null
    readonly failureReason: TransferFailure | null
  }

/** Stablecoins that go to a wallet (dashboard, section 3.4). */
export type Withdrawal = CreatedWithdrawal &
  MoneyOutState & {
    readonly id: WithdrawalId
    readonly status: (typeof withdrawalStatuses)[number]
    readonly cancelReason: (typeof withdrawalCancelReasons)[number] | null
    readonly failureReason: WithdrawalFailure | null
  }

export const transferStatuses = [
  'PENDING_APPROVAL',
  'SCHEDULED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const
export const withdrawalStatuses = [
  'PENDING_APPROVAL',
  'PROCESSING',
  'BROADCAST',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const
export type MoneyOutStatus = (typeof transferStatuses)[number] | (typeof withdrawalStatuses)[number]

export const transferCancelReasons = [
  'REJECTED',
  'APPROVAL_EXPIRED',
  'CREATOR_REMOVED',
  'BENEFICIARY_REMOVED',
  'CANCELLED',
] as const
export const withdrawalCancelReasons = [
  'REJECTED',
  'APPROVAL_EXPIRED',
  'CREATOR_REMOVED',
  'WALLET_REMOVED',
  'CANCELLED',
] as const
export type CancelReason = (typeof transferCancelReasons)[number] | (typeof withdrawalCancelReasons)[number]

/** Why a transfer failed: those of the account, then those of banks. */
export const transferFailures = [
  'INSUFFICIENT_BALANCE',
  'LIMIT_EXCEEDED',
  'BENEFICIARY_CHANGED',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_BLOCKED',
  'ACCOUNT_CLOSED',
  'ACCOUNT_TYPE',
  'BANK_TIMEOUT',
  'BANK_ERROR',
  'REFUSED_BY_BANK',
  'NOT_SENT',
] as const
export type TransferFailure = (typeof transferFailures)[number]

export const withdrawalFailures = ['REFUSED_BY_NETWORK', 'ADDRESS_REFUSED', 'DROPPED'] as const
export type WithdrawalFailure = (typeof withdrawalFailures)[number]
export type MoneyOutFailure = TransferFailure | WithdrawalFailure

/** The terms that it is created with: the request, and the approvals that it needs. */
export type CreatedTransfer = AskedTransfer & ApprovalTerms
export type CreatedWithdrawal = AskedWithdrawal & ApprovalTerms

/** The members that change during the life of money out. */
type MoneyOutState = {
  readonly status: MoneyOutStatus
  readonly runsAtMs: number
  readonly decisions: readonly PaymentDecision[]
  /** Its counts in the sums of limits and policy, given back if it fails. */
  readonly counts: readonly MoneyOutCount[]
  readonly call: MoneyOutCall | null
  /** The end-to-end id of a PIX, or a transfer's hash on its network; null for a TED, and until it has one. */
  readonly railId: string | null
  readonly cancelReason: CancelReason | null
  readonly failureReason: MoneyOutFailure | null
  /** The bank's own code of a failure. */
  readonly providerCode: string | null
  /** Whether it was the first payment to this payee. */
  readonly isFirst: boolean
  readonly completedAtMs: number | null
  /** The connection that it was sent by. Missing for what went by none. */
  readonly connectionId?: ConnectionId
  /** Why it went by that one. Missing where nothing was chosen, and in what was sent before it was kept. */
  readonly routeReason?: RouteReason
  /** What came back of it. Missing until something has. */
  readonly returns?: readonly MoneyBack[]
  /** Since when its bank can be asked about it no more. Missing for what it answers. */
  readonly lostAtMs?: number
  /** What people say became of it. Missing until one does. */
  readonly declared?: DeclaredOutcome
  /** Who is printed as the sender on its receipt. Missing until it is completed, and in what was before it was kept. */
  readonly issuer?: Issuer
  readonly version: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** An intent in the journal before the provider is asked. Repeating it with the same id never pays twice. */
export type MoneyOutCall = {
  readonly id: string
  /** The provider that is called; null for whichever bank is connected. */
  readonly providerId: string | null
  readonly openedAtMs: number
  readonly unanswered: number
  /** When it is repeated; null while it is under way. */
  readonly dueAtMs: number | null
  /** The bank's own number of it, by which alone some banks are asked. Missing where the bank has given none. */
  readonly bankNumber?: string
}

export type MoneyOutFact =
  /** It waits for approval, or for its time. */
  | (Fact<'MoneyOutCreated'> & {
      readonly created: CreatedTransfer | CreatedWithdrawal
      readonly runsAtMs: number
      readonly counts: readonly MoneyOutCount[]
    })
  | (Fact<'MoneyOutDecided'> & { readonly decision: PaymentDecision })
  /** The last approval was given. */
  | (Fact<'MoneyOutScheduled'> & { readonly runsAtMs: number; readonly counts: readonly MoneyOutCount[] })
  /** Its creator may no longer send money: since this real time it waits for another person's approval. */
  | (Fact<'MoneyOutRecalled'> & { readonly askedAtMs: number })
  /** Banks were closed when it was due, or no connection could take it. */
  | (Fact<'MoneyOutPostponed'> & { readonly runsAtMs: number })
  | (Fact<'MoneyOutCancelled'> & { readonly cancelReason: CancelReason })
  /** The connection by which it goes: the fact is in the entry of the intent, and nothing changes it later. */
  | (Fact<'MoneyOutRouted'> & { readonly connectionId: ConnectionId })
  /** Why that connection, in the same entry. */
  | (Fact<'RouteChosen'> & { readonly route: ChosenRoute })
  /** The intent, with the money set aside: the provider is asked once this is on disk. */
  | (Fact<'MoneyOutSent'> & {
      readonly callId: string
      readonly providerId: string | null
      readonly railId: string | null
      readonly counts: readonly MoneyOutCount[]
    })
  | (Fact<'MoneyOutUnanswered'> & { readonly callId: string; readonly dueAtMs: number })
  | (Fact<'MoneyOutSentAgain'> & { readonly callId: string })
  /** The bank, whose answer is still to come, has given it an id. */
  | (Fact<'MoneyOutIdentified'> & { readonly railId: string })
  /** The bank has taken it, under a number of its own. */
  | (Fact<'MoneyOutNumbered'> & { readonly callId: string; readonly bankNumber: string })
  /** What the bank took for it beyond its fee. */
  | (Fact<'MoneyOutCharged'> & { readonly tariffCents: Cents })
  /** The network has it, unconfirmed. */
  | (Fact<'MoneyOutBroadcast'> & {
      readonly callId: string
      readonly railId: string
      readonly dueAtMs: number
    })
  /** `railId` is null if it keeps the one that it has. */
  | (Fact<'MoneyOutCompleted'> & {
      readonly callId: string
      readonly railId: string | null
      readonly isFirst: boolean
      /** Missing in facts of before it was kept. */
      readonly issuer?: Issuer
    })
  /** `callId` is null if it failed without a call. */
  | (Fact<'MoneyOutFailed'> & {
      readonly callId: string | null
      readonly failureReason: MoneyOutFailure
      readonly providerCode: string | null
    })

  /** Its bank can be asked about it no more, and has not said what became of it. */
  | Fact<'OutcomeLost'>
  /** A person says what became of it, in place of what was said before. */
  | (Fact<'OutcomeDeclared'> & { readonly by: Initiator; readonly declaration: Declaration })
  /** A second person says the same. */
  | (Fact<'OutcomeConfirmed'> & { readonly by: Initiator })
  /** It had arrived, and some of it, or all, has come back. */
  | (Fact<'MoneyOutCameBack'> & { readonly part: MoneyBack })

type Fact<Type extends string> = ActorFact<MoneyOutKind, Type>

/** Whether it waits, for approval or for its time. */
export const isPlanned = ({ status }: Pick<MoneyOut, 'status'>): boolean =>
  status === 'PENDING_APPROVAL' || status === 'SCHEDULED'

/** How much of it has come back after it had arrived. */
export const returnedCentsOf = ({ returns = [] }: Pick<MoneyOut, 'returns'>): Cents =>
  toCents(returns.reduce((sum, { amountCents }) => sum + amountCents, 0))

/** The common members of a new fact about it, without its type. */
export const factAboutMoneyOut = (
  draft: Pick<Draft, 'context'>,
  { method, id }: Pick<MoneyOut, 'method' | 'id'>,
) => factOf(draft, kindOfMoneyOut({ method }), id)
