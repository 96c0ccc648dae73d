import type { ChosenRoute } from '../connections/way.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { Declaration, DeclaredOutcome, MoneyBack } from '../payments/sent-money.ts'
import type { BankAccount, Recipient } from '../recipients/recipient.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type {
  AccountId,
  ReceivableId,
  RecipientId,
  SettlementId,
  SplitRuleId,
  SplitTransferId,
  TransactionId,
} from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import { type Cents, toCents } from '../shared/money.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly splitTransfer: SplitTransfer
  }
  interface ActorFacts {
    readonly splitTransfer: SplitTransferFact
  }
}

/** Decisions, section 17.6. */
export type SplitTransferStatus =
  | 'AWAITING_FUNDS'
  | 'SCHEDULED'
  | 'PROCESSING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELLED'
  | 'REVERSED'

/** A recipient's part of one receivable on its way to the bank. */
export type SplitTransfer = NewSplitTransfer & {
  readonly id: SplitTransferId
  /** The part that paid a debt of the recipient. */
  readonly debtRecoveredCents: Cents
  /** The part taken back after it had settled. */
  readonly reversedCents: Cents
  /** The amount that the bank is to pay; 0 until the transfer settles. */
  readonly dueCents: Cents
  readonly status: SplitTransferStatus
  /** The bank call under way. */
  readonly call: PayoutCall | null
  readonly failures: number
  readonly failureReason: PayoutFailure | null
  /** When it is retried; null when it is not. */
  readonly retryAtMs: number | null
  /** While there is no way to send it: when it is looked for one. Missing otherwise. */
  readonly waitsUntilMs?: number
  /** The connection of the newest bank call. Missing for what went by none. */
  readonly route?: ChosenRoute
  /** The bank's id of the payment. Missing until the bank has said one. */
  readonly railId?: string
  /** What the bank took for it from the company. Missing where that is nothing. */
  readonly tariffCents?: Cents
  /** What came back of it after it had arrived. Missing until something has. */
  readonly returns?: readonly MoneyBack[]
  /** Since when its bank can be asked about the call that is open no more. Missing for what it answers. */
  readonly lostAtMs?: number
  /** What people say became of the newest call. Missing until one does. */
  readonly declared?: DeclaredOutcome
  /** The calls that people have declared unsent, from 1. Missing where there is none. */
  readonly unsentCalls?: readonly number[]
  /** What such calls have paid after all, beside what the transfer itself pays. Missing where that is nothing. */
  readonly besidesCents?: Cents
  readonly createdAtMs: number
  readonly scheduledAtMs: number | null
  readonly completedAtMs: number | null
  readonly failedAtMs: number | null
}

/** The terms that a transfer is created with. */
export type NewSplitTransfer = {
  readonly accountId: AccountId
  readonly recipientId: RecipientId
  readonly ruleId: SplitRuleId
  readonly transactionId: TransactionId
  readonly receivableId: ReceivableId
  readonly installment: number
  readonly grossCents: Cents
  readonly feeCents: Cents
  /** The bank account as of the last bank call. */
  readonly bank: BankAccount
  /** The batch that brings its money; null when it came at once. */
  readonly settlementId: SettlementId | null
  readonly expectedOn: CalendarDate
  /** When that batch runs. */
  readonly fundsAtMs: number | null
}

/** An intent in the journal before the bank is called. Repeating it with the same id never pays twice. */
export type PayoutCall = {
  readonly id: string
  /** The beneficiary as of when the call was opened. */
  readonly beneficiary: PayoutBeneficiary
  readonly openedAtMs: number
  readonly unanswered: number
  /** When it is repeated; null while it is under way. */
  readonly dueAtMs: number | null
  /** The bank's own number of it, by which alone some banks are asked. Missing where the bank has given none. */
  readonly bankNumber?: string
} & Partial<Pick<ChosenRoute, 'connectionId' | 'providerId'>>

export type PayoutBeneficiary = Pick<Recipient, 'name' | 'document'>

/** Why a transfer failed: its bank says so, or people do. */
export const payoutFailures = ['REFUSED_BY_BANK', 'NOT_SENT'] as const
export type PayoutFailure = (typeof payoutFailures)[number]

export type SplitTransferFact =
  /** The charge was approved. */
  | (Fact<'TransferCreated'> & { readonly transfer: NewSplitTransfer })
  /** A reversal changed it before it settled; when that returns more fee than it takes, by a centavo more. */
  | (Fact<'TransferReduced'> & { readonly grossCents: Cents; readonly feeCents: Cents })
  | Fact<'TransferCancelled'>
  /** Its money has arrived, or it is retried. */
  | (Fact<'TransferScheduled'> & { readonly debtRecoveredCents: Cents; readonly dueCents: Cents })
  /** No bank can take it: it is looked for one at this time. */
  | (Fact<'TransferWaiting'> & { readonly untilMs: number })
  /** The connection by which it goes, in the entry of the intent. */
  | (Fact<'RouteChosen'> & { readonly route: ChosenRoute })
  /** The intent: the bank is called once this is on disk. */
  | (Fact<'TransferSent'> & {
      readonly callId: string
      readonly bank: BankAccount
      readonly beneficiary: PayoutBeneficiary
    })
  | (Fact<'TransferSilent'> & { readonly callId: string; readonly dueAtMs: number })
  | (Fact<'TransferSentAgain'> & { readonly callId: string })
  /** Null when nothing was left to pay. */
  | (Fact<'TransferCompleted'> & { readonly callId: string | null })
  | (Fact<'TransferFailed'> & {
      readonly callId: string
      readonly failureReason: PayoutFailure
      readonly retryAtMs: number | null
    })
  /** The bank has given it an id. */
  | (Fact<'TransferIdentified'> & { readonly railId: string })
  /** The bank has taken it, under a number of its own. */
  | (Fact<'TransferNumbered'> & { readonly callId: string; readonly bankNumber: string })
  /** What the bank took for it. */
  | (Fact<'TransferCharged'> & { readonly tariffCents: Cents })
  /** Its bank can be asked about the open call no more, and has not said what became of it. */
  | Fact<'OutcomeLost'>
  /** A person says what became of that call, in place of what was said before. */
  | (Fact<'OutcomeDeclared'> & { readonly by: Initiator; readonly declaration: Declaration })
  /** A second person says the same. */
  | (Fact<'OutcomeConfirmed'> & { readonly by: Initiator })
  /** A call that people had declared unsent has paid after all. */
  | (Fact<'UnsentFound'> & {
      readonly callNumber: number
      readonly amountCents: Cents
      readonly railId: string | null
      /** Whether no later call has paid it once more, or may: the transfer is through by it. */
      readonly completes: boolean
    })
  /** It had arrived, and some of it, or all, has come back. */
  | (Fact<'TransferCameBack'> & { readonly part: MoneyBack })
  /** A reversal took all or part of it after it had settled. */
  | (Fact<'TransferReversed'> & { readonly reversedCents: Cents; readonly dueCents: Cents })

type Fact<Type extends string> = ActorFact<'splitTransfer', Type>

/** The amount of a transfer, net of fee. */
export const splitTransferAmountOf = ({
  grossCents,
  feeCents,
}: Pick<SplitTransfer, 'grossCents' | 'feeCents'>): Cents => toCents(grossCents - feeCents)

/** How much of a transfer came back after it had arrived. */
export const cameBackCents = ({ returns = [] }: Pick<SplitTransfer, 'returns'>): Cents =>
  toCents(returns.reduce((sum, { amountCents }) => sum + amountCents, 0))

/** Applies a fact to a transfer. */
export const evolveSplitTransfer = (
  state: SplitTransfer | undefined,
  event: SplitTransferFact,
): SplitTransfer => {
  const { atMs } = event
  if (event.type === 'TransferCreated') {
    assert(state === undefined, 'a transfer is created once')
    return {
      id: event.id,
      debtRecoveredCents: nothing,
      reversedCents: nothing,
      dueCents: nothing,
      status: 'AWAITING_FUNDS',
      call: null,
      failures: 0,
      failureReason: null,
      retryAtMs: null,
      createdAtMs: atMs,
      scheduledAtMs: null,
      completedAtMs: null,
      failedAtMs: null,
      ...event.transfer,
    }
  }
  assert(state !== undefined, `${event.type} follows TransferCreated`)
  switch (event.type) {
    case 'TransferReduced':
      return { ...state, grossCents: event.grossCents, feeCents: event.feeCents }
    case 'TransferCancelled':
      return { ...state, status: 'CANCELLED', fundsAtMs: null }
    case 'TransferWaiting':
      return { ...state, waitsUntilMs: event.untilMs }
    case 'RouteChosen':
      return { ...state, route: event.route }
    case 'TransferIdentified':
      return { ...state, railId: event.railId }
    case 'TransferNumbered':
      return { ...state, call: { ...state.call!, bankNumber: event.bankNumber } }
    case 'TransferCharged':
      return { ...state, tariffCents: event.tariffCents }
    case 'OutcomeLost':
      return { ...state, lostAtMs: atMs }
    case 'OutcomeDeclared':
      return { ...state, declared: { ...event.declaration, by: event.by, atMs, confirmedBy: null } }
    case 'OutcomeConfirmed': {
      const { declared, unsentCalls = [], failures } = state
      const confirmed = { ...state, declared: { ...declared!, confirmedBy: event.by } }
      if (declared!.outcome === 'SENT') return confirmed
      return { ...confirmed, unsentCalls: [...unsentCalls, failures + 1] }
    }
    case 'UnsentFound': {
      const unsentCalls = state.unsentCalls!.filter((number) => number !== event.callNumber)
      const found = { ...state, unsentCalls }
      const besidesCents = toCents((state.besidesCents ?? 0) + event.amountCents)
      if (!event.completes) return { ...found, besidesCents }
      const { railId } = event
      return {
        ...found,
        ...{ dueCents: event.amountCents, failureReason: null, failedAtMs: null },
        ...(railId !== null && { railId }),
      }
    }
    case 'TransferCameBack':
      return { ...state, returns: [...(state.returns ?? []), event.part] }
    case 'TransferScheduled': {
      const { debtRecoveredCents, dueCents } = event
      const cleared = { failureReason: null, failedAtMs: null, retryAtMs: null, fundsAtMs: null }
      const scheduledAtMs = state.scheduledAtMs ?? atMs
      return { ...state, status: 'SCHEDULED', debtRecoveredCents, dueCents, scheduledAtMs, ...cleared }
    }
    case 'TransferSent': {
      const { callId: id, bank, beneficiary } = event
      const { waitsUntilMs: _, railId: __, lostAtMs: ___, declared: ____, ...sent } = state
      const call = { id, beneficiary, openedAtMs: atMs, unanswered: 0, dueAtMs: null, ...wayOfCall(state) }
      return { ...sent, status: 'PROCESSING', bank, call }
    }
    case 'TransferSilent': {
      const call = { ...state.call!, unanswered: state.call!.unanswered + 1, dueAtMs: event.dueAtMs }
      return { ...state, call }
    }
    case 'TransferSentAgain':
      return { ...state, call: { ...state.call!, dueAtMs: null } }
    case 'TransferCompleted':
      return { ...state, status: 'COMPLETED', call: null, retryAtMs: null, completedAtMs: atMs }
    case 'TransferFailed': {
      const { failureReason, retryAtMs } = event
      const failures = state.failures + 1
      return { ...state, status: 'FAILED', call: null, failures, failureReason, retryAtMs, failedAtMs: atMs }
    }
    case 'TransferReversed': {
      const { reversedCents, dueCents } = event
      const isGone = reversedCents === splitTransferAmountOf(state) && state.call === null
      const status = isGone ? 'REVERSED' : state.status
      return { ...state, reversedCents, dueCents, status, retryAtMs: isGone ? null : state.retryAtMs }
    }
    default:
      return unreachable(event)
  }
}

const wayOfCall = ({ route }: SplitTransfer): Pick<PayoutCall, 'connectionId' | 'providerId'> =>
  route === undefined ? {} : { connectionId: route.connectionId, providerId: route.providerId }

const nothing = toCents(0)
