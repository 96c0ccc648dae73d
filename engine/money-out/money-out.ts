import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { AccountId, BeneficiaryId, KeyLookupId, PersonId, TransferId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Cents } from '../shared/money.ts'
import type { ApprovalTerms, PaymentDecision } from './approval.ts'
import type { Payee } from './payees/payee.ts'
import type { MoneyOutCount } from './sums.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly outgoingTransfer: OutgoingTransfer
  }
  interface ActorFacts {
    readonly outgoingTransfer: OutgoingTransferEvent
  }
}

export const outgoingKinds = ['PIX', 'TED'] as const
export type OutgoingKind = (typeof outgoingKinds)[number]

export const outgoingStatuses = [
  'PENDING_APPROVAL',
  'SCHEDULED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const
export type OutgoingStatus = (typeof outgoingStatuses)[number]

export const cancelReasons = [
  'REJECTED',
  'APPROVAL_EXPIRED',
  'CREATOR_REMOVED',
  'BENEFICIARY_REMOVED',
  'CANCELLED',
] as const
export type CancelReason = (typeof cancelReasons)[number]

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
] as const
export type TransferFailure = (typeof transferFailures)[number]

/** Money that a person sends from the account (decisions, section 18; dashboard, section 2.7). */
export type OutgoingTransfer = NewOutgoing & {
  readonly id: TransferId
  readonly status: OutgoingStatus
  readonly runsAtMs: number
  readonly decisions: readonly PaymentDecision[]
  /** What it counts in the sums of limits and policy, to be given back if it fails. */
  readonly counts: readonly MoneyOutCount[]
  readonly call: TransferCall | null
  /** Null for a TED, and until a PIX is sent. */
  readonly endToEndId: string | null
  readonly cancelReason: CancelReason | null
  readonly failureReason: TransferFailure | null
  /** The bank's own code of a failure. */
  readonly providerCode: string | null
  /** Whether nothing was paid to this payee before. */
  readonly isFirst: boolean
  readonly completedAtMs: number | null
  readonly version: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What a transfer is created with. */
export type NewOutgoing = ApprovalTerms & {
  readonly accountId: AccountId
  readonly kind: OutgoingKind
  readonly amountCents: Cents
  readonly feeCents: Cents
  readonly payee: Payee
  readonly beneficiaryId: BeneficiaryId | null
  readonly lookupId: KeyLookupId | null
  /** Whether the payee is the company itself. */
  readonly isToOwner: boolean
  readonly scheduledFor: CalendarDate | null
  readonly description: string | null
  readonly externalId: string | null
  readonly metadata: Metadata
  readonly createdBy: PersonId | null
}

/** An intent in the journal before the bank is asked. Repeating it with the same id never pays twice. */
export type TransferCall = {
  readonly id: string
  readonly openedAtMs: number
  readonly unanswered: number
  /** When it is repeated; null while it is under way. */
  readonly dueAtMs: number | null
}

export type OutgoingTransferEvent =
  /** It waits for approval, or for its time. */
  | (Fact<'OutgoingCreated'> & {
      readonly transfer: NewOutgoing
      readonly runsAtMs: number
      readonly counts: readonly MoneyOutCount[]
    })
  | (Fact<'OutgoingDecided'> & { readonly decision: PaymentDecision })
  /** The last approval is given. */
  | (Fact<'OutgoingScheduled'> & { readonly runsAtMs: number; readonly counts: readonly MoneyOutCount[] })
  /** Who has scheduled it may not send money any more: since this real time it waits for the approval of another person. */
  | (Fact<'OutgoingRecalled'> & { readonly askedAtMs: number })
  /** Banks were closed when it was due. */
  | (Fact<'OutgoingPostponed'> & { readonly runsAtMs: number })
  | (Fact<'OutgoingCancelled'> & { readonly cancelReason: CancelReason })
  /** The intent: the bank is asked once this is on disk. */
  | (Fact<'OutgoingSent'> & {
      readonly callId: string
      readonly endToEndId: string | null
      readonly counts: readonly MoneyOutCount[]
    })
  | (Fact<'OutgoingUnanswered'> & { readonly callId: string; readonly dueAtMs: number })
  | (Fact<'OutgoingSentAgain'> & { readonly callId: string })
  | (Fact<'OutgoingCompleted'> & { readonly callId: string; readonly isFirst: boolean })
  /** The call is null if the bank was not asked. */
  | (Fact<'OutgoingFailed'> & {
      readonly callId: string | null
      readonly failureReason: TransferFailure
      readonly providerCode: string | null
    })

type Fact<Type extends string> = ActorFact<'outgoingTransfer', Type>

/** Applies a fact to a transfer. */
export const evolveOutgoing = (
  state: OutgoingTransfer | undefined,
  event: OutgoingTransferEvent,
): OutgoingTransfer => {
  const { id, atMs } = event
  if (event.type === 'OutgoingCreated') {
    assert(state === undefined, 'a transfer is created once')
    const { transfer, runsAtMs, counts } = event
    return {
      id,
      ...transfer,
      status: transfer.approvalEndsAtMs === null ? 'SCHEDULED' : 'PENDING_APPROVAL',
      runsAtMs,
      counts,
      ...nothingYet,
      version: 1,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  assert(state !== undefined, `${event.type} follows OutgoingCreated`)
  const changed = { ...state, version: state.version + 1, updatedAtMs: atMs }
  switch (event.type) {
    case 'OutgoingDecided':
      return { ...changed, decisions: [...state.decisions, event.decision] }
    case 'OutgoingScheduled': {
      const { runsAtMs, counts } = event
      return { ...changed, status: 'SCHEDULED', runsAtMs, counts, approvalEndsAtMs: null }
    }
    case 'OutgoingRecalled':
      return {
        ...changed,
        status: 'PENDING_APPROVAL',
        approvalsRequired: 1,
        approvalReasons: [...state.approvalReasons, 'CREATOR_REMOVED'],
        // At its day it is cancelled, and not sent.
        approvalEndsAtMs: state.runsAtMs,
        askedAtMs: event.askedAtMs,
        counts: [],
      }
    case 'OutgoingPostponed':
      return { ...changed, runsAtMs: event.runsAtMs }
    case 'OutgoingCancelled':
      return { ...changed, status: 'CANCELLED', cancelReason: event.cancelReason, approvalEndsAtMs: null }
    case 'OutgoingSent': {
      const { callId, endToEndId, counts } = event
      const call = { id: callId, openedAtMs: atMs, unanswered: 0, dueAtMs: null }
      return { ...changed, status: 'PROCESSING', call, endToEndId, counts: [...state.counts, ...counts] }
    }
    case 'OutgoingUnanswered': {
      const call = { ...state.call!, unanswered: state.call!.unanswered + 1, dueAtMs: event.dueAtMs }
      return { ...changed, call }
    }
    case 'OutgoingSentAgain':
      return { ...changed, call: { ...state.call!, dueAtMs: null } }
    case 'OutgoingCompleted':
      return { ...changed, status: 'COMPLETED', call: null, isFirst: event.isFirst, completedAtMs: atMs }
    case 'OutgoingFailed': {
      const { failureReason, providerCode } = event
      return { ...changed, status: 'FAILED', call: null, failureReason, providerCode }
    }
    default:
      return unreachable(event)
  }
}

const nothingYet = {
  decisions: [],
  call: null,
  endToEndId: null,
  cancelReason: null,
  failureReason: null,
  providerCode: null,
  isFirst: false,
  completedAtMs: null,
} as const

/** Whether a transfer waits, for approval or for its time. */
export const isPlanned = ({ status }: Pick<OutgoingTransfer, 'status'>): boolean =>
  status === 'PENDING_APPROVAL' || status === 'SCHEDULED'
