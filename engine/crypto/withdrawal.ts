import type { ActorDefinition } from '../kernel/actor.ts'
import type { Timer } from '../kernel/due-work.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { DraftPublicEvent, EventType } from '../kernel/public-event.ts'
import type { ApprovalTerms, PaymentDecision } from '../money-out/approval.ts'
import { firstPaidKey, sameKey, waitingKey } from '../money-out/payment-keys.ts'
import type { MoneyOutCount } from '../money-out/sums.ts'
import { assert, unreachable } from '../shared/assert.ts'
import { decimalOf, type RateMicros } from '../shared/asset.ts'
import type { AccountId, PersonId, WalletId, WithdrawalId } from '../shared/ids.ts'
import { byClock } from '../shared/initiator.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Cents } from '../shared/money.ts'
import { type ChainCall, chainCall, postponed, requestHead } from './chain-request.ts'
import { type NewWallet, walletKeyOf } from './wallet.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly cryptoWithdrawal: CryptoWithdrawal
  }
  interface ActorFacts {
    readonly cryptoWithdrawal: WithdrawalEvent
  }
}

declare module '../kernel/public-event.ts' {
  interface EventSubjects {
    readonly withdrawals: { readonly object: 'crypto_withdrawal'; readonly withdrawal: CryptoWithdrawal }
  }
}

export const withdrawalStatuses = [
  'PENDING_APPROVAL',
  'PROCESSING',
  'BROADCAST',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

export const withdrawalCancelReasons = [
  'REJECTED',
  'APPROVAL_EXPIRED',
  'CREATOR_REMOVED',
  'WALLET_REMOVED',
  'CANCELLED',
] as const
export type WithdrawalCancelReason = (typeof withdrawalCancelReasons)[number]

export const withdrawalFailures = ['REFUSED_BY_NETWORK', 'ADDRESS_REFUSED', 'DROPPED'] as const
export type WithdrawalFailure = (typeof withdrawalFailures)[number]

/** Stablecoins that a person sends to a wallet (dashboard, section 3.4). */
export type CryptoWithdrawal = NewWithdrawal & {
  readonly id: WithdrawalId
  readonly status: WithdrawalStatus
  readonly decisions: readonly PaymentDecision[]
  /** What it counts in the sums of limits and policy, to be given back if it fails. */
  readonly counts: readonly MoneyOutCount[]
  readonly call: ChainCall | null
  /** The transfer on the network, once it is there. */
  readonly txHash: string | null
  readonly cancelReason: WithdrawalCancelReason | null
  readonly failureReason: WithdrawalFailure | null
  /** Whether nothing was sent to this wallet before. */
  readonly isFirst: boolean
  readonly completedAtMs: number | null
  readonly version: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What a withdrawal is created with. */
export type NewWithdrawal = ApprovalTerms & {
  readonly accountId: AccountId
  readonly walletId: WalletId
  /** As it was registered. */
  readonly wallet: PaidWallet
  readonly units: Cents
  /** What the network takes, on top. */
  readonly feeUnits: Cents
  /** The price in the middle, and what the units are worth by it, rounded up. */
  readonly rateMicros: RateMicros
  readonly worthCents: Cents
  readonly externalId: string | null
  readonly metadata: Metadata
  readonly createdBy: PersonId | null
}

export type PaidWallet = Omit<NewWallet, 'accountId' | 'createdBy' | 'availableAtMs'>

export type WithdrawalEvent =
  | (Fact<'WithdrawalCreated'> & { readonly withdrawal: NewWithdrawal })
  | (Fact<'WithdrawalDecided'> & { readonly decision: PaymentDecision })
  | (Fact<'WithdrawalCancelled'> & { readonly cancelReason: WithdrawalCancelReason })
  /** The intent, with the funds set aside: the provider is called once this is on disk. */
  | (Fact<'WithdrawalSent'> & {
      readonly callId: string
      readonly providerId: string
      readonly counts: readonly MoneyOutCount[]
    })
  | (Fact<'WithdrawalUnanswered'> & { readonly callId: string; readonly dueAtMs: number })
  | (Fact<'WithdrawalSentAgain'> & { readonly callId: string })
  /** It is on the network, and not confirmed. */
  | (Fact<'WithdrawalBroadcast'> & {
      readonly callId: string
      readonly txHash: string
      readonly dueAtMs: number
    })
  | (Fact<'WithdrawalCompleted'> & {
      readonly callId: string
      readonly txHash: string
      readonly isFirst: boolean
    })
  | (Fact<'WithdrawalFailed'> & { readonly callId: string; readonly failureReason: WithdrawalFailure })

type Fact<Type extends string> = ActorFact<'cryptoWithdrawal', Type>

const evolveWithdrawal = (state: CryptoWithdrawal | undefined, event: WithdrawalEvent): CryptoWithdrawal => {
  const { id, atMs } = event
  if (event.type === 'WithdrawalCreated') {
    assert(state === undefined, 'a withdrawal is created once')
    const { withdrawal } = event
    return {
      id,
      ...withdrawal,
      status: withdrawal.approvalEndsAtMs === null ? 'PROCESSING' : 'PENDING_APPROVAL',
      ...nothingYet,
      version: 1,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  assert(state !== undefined, `${event.type} follows WithdrawalCreated`)
  const changed = { ...state, version: state.version + 1, updatedAtMs: atMs }
  switch (event.type) {
    case 'WithdrawalDecided':
      return { ...changed, decisions: [...state.decisions, event.decision] }
    case 'WithdrawalCancelled':
      return { ...changed, status: 'CANCELLED', cancelReason: event.cancelReason, approvalEndsAtMs: null }
    case 'WithdrawalSent': {
      const { callId, providerId, counts } = event
      const call = chainCall(callId, providerId, atMs)
      return { ...changed, status: 'PROCESSING', call, counts, approvalEndsAtMs: null }
    }
    case 'WithdrawalUnanswered':
      return { ...changed, call: postponed(state.call!, event.dueAtMs) }
    case 'WithdrawalSentAgain':
      return { ...changed, call: { ...state.call!, dueAtMs: null } }
    case 'WithdrawalBroadcast': {
      const { txHash, dueAtMs } = event
      return { ...changed, status: 'BROADCAST', txHash, call: postponed(state.call!, dueAtMs) }
    }
    case 'WithdrawalCompleted': {
      const { txHash, isFirst } = event
      return { ...changed, status: 'COMPLETED', call: null, txHash, isFirst, completedAtMs: atMs }
    }
    case 'WithdrawalFailed':
      return { ...changed, status: 'FAILED', call: null, failureReason: event.failureReason }
    default:
      return unreachable(event)
  }
}

const nothingYet = {
  decisions: [],
  counts: [],
  call: null,
  txHash: null,
  cancelReason: null,
  failureReason: null,
  isFirst: false,
  completedAtMs: null,
} as const

const published = (
  type: EventType,
  atMs: number,
  withdrawal: CryptoWithdrawal,
): readonly DraftPublicEvent[] => [{ type, atMs, subject: { object: 'crypto_withdrawal', withdrawal } }]

export const cryptoWithdrawalKind: ActorDefinition<CryptoWithdrawal, WithdrawalEvent> = {
  prefix: 'wdr',
  namedBy: 'withdrawalId',
  doesDueWorkFirst: true,
  publishes: {
    WithdrawalCreated: null,
    WithdrawalDecided: null,
    WithdrawalCancelled: null,
    WithdrawalSent: null,
    WithdrawalUnanswered: null,
    WithdrawalSentAgain: null,
    WithdrawalBroadcast: null,
    WithdrawalCompleted: ({ atMs }, after) => published('crypto.withdrawal_completed', atMs, after),
    WithdrawalFailed: ({ atMs }, after) => published('crypto.withdrawal_failed', atMs, after),
  },
  evolve: evolveWithdrawal,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status, wallet: { asset, network } }) => `${status} ${asset} ${network}`,
  lookupKeys: (withdrawal) => keysOfWithdrawal(withdrawal),
  timer: (withdrawal) => nextTimerOf(withdrawal),
  auditedFields: ({ status, wallet, units, worthCents, decisions, cancelReason }) => ({
    status,
    asset: wallet.asset,
    cryptoAmount: decimalOf(units),
    quotedAmount: String(worthCents),
    wallet: wallet.name,
    address: wallet.address,
    decisions: decisions.map(({ personId, decision, reason }) => ({ personId, decision, reason })),
    cancelReason,
  }),
  awaitsProvider: ({ call }) => call !== null && call.dueAtMs === null,
  calls: {
    madeBy: (event) => (opensCall(event) ? event.callId : null),
    answeredBy: (event) => ('callId' in event && !opensCall(event) ? event.callId : null),
    request: ({ accountId, call, wallet: { asset, network, address }, units, metadata }, _, nowMs) => ({
      operation: 'SEND',
      asset,
      network,
      units,
      address,
      metadata,
      ...requestHead(call!, accountId, nowMs),
    }),
    onTheirWay: ({ call }) => (call !== null && call.dueAtMs === null ? [call.id] : []),
  },
}

const opensCall = (
  event: WithdrawalEvent,
): event is Extract<WithdrawalEvent, { type: 'WithdrawalSent' | 'WithdrawalSentAgain' }> =>
  event.type === 'WithdrawalSent' || event.type === 'WithdrawalSentAgain'

const keysOfWithdrawal = (withdrawal: CryptoWithdrawal): readonly string[] => {
  const { status, wallet, walletId, units, createdAtMs, isFirst, createdBy } = withdrawal
  const payeeKey = walletKeyOf(wallet)
  return [
    ...(status === 'CANCELLED' || status === 'FAILED' ? [] : [sameKey(payeeKey, units, createdAtMs)]),
    ...(isFirst ? [firstPaidKey(payeeKey)] : []),
    ...(status === 'PENDING_APPROVAL' ? [waitingKey(createdBy), waitingForKey(walletId)] : []),
  ]
}

/** Finds what waits for approval, by where it goes. */
export const waitingForKey = (walletId: WalletId): string => `waiting ${walletId}`

const nextTimerOf = ({ id: withdrawalId, ...withdrawal }: CryptoWithdrawal): Timer | null => {
  const { accountId, approvalEndsAtMs, call } = withdrawal
  const target = { accountId, by: byClock, withdrawalId } as const
  if (approvalEndsAtMs !== null)
    return { dueAtMs: approvalEndsAtMs, command: { type: 'ExpireWithdrawal', ...target } }
  return call === null || call.dueAtMs === null
    ? null
    : { dueAtMs: call.dueAtMs, command: { type: 'CallChainAgain', ...target, callId: call.id } }
}
