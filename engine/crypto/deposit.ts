import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { Network } from '../shared/asset.ts'
import type { AccountId, DepositId, TransactionId } from '../shared/ids.ts'
import { byClock } from '../shared/initiator.ts'
import type { Asset } from '../shared/method.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { type ChainCall, chainCall, postponed, requestHead } from './chain-request.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly cryptoDeposit: CryptoDeposit
  }
  interface ActorFacts {
    readonly cryptoDeposit: CryptoDepositFact
  }
}

export const depositReasons = [
  'UNDERPAID',
  'OVERPAID',
  'PAID_LATE',
  'PAID_AFTER_CANCELLATION',
  'WRONG_ASSET',
] as const
export const depositStatuses = ['UNRESOLVED', 'ACCEPTED', 'RETURNED', 'RETURN_FAILED'] as const
export type DepositStatus = (typeof depositStatuses)[number]

/** Stablecoins that arrived at a charge's address and did not pay it: a person decides about them (dashboard, section 3.2). */
export type CryptoDeposit = NewDeposit & {
  readonly id: DepositId
  /** UNRESOLVED also while a return is under way. */
  readonly status: DepositStatus
  /** The return's address, and the fee of the network. */
  readonly sent: Sent | null
  readonly returnTxHash: string | null
  readonly failureReason: string | null
  readonly call: ChainCall | null
  /** How many returns were tried. */
  readonly tries: number
  readonly resolvedBy: string | null
  readonly resolvedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type Sent = { readonly address: string; readonly feeUnits: Cents; readonly by: string | null }

/** The terms that a deposit is opened with. */
export type NewDeposit = {
  readonly accountId: AccountId
  readonly transactionId: TransactionId
  readonly reason: (typeof depositReasons)[number]
  readonly asset: Asset
  readonly network: Network
  readonly units: Cents
  readonly txHash: string
  readonly fromAddress: string | null
}

export type CryptoDepositFact =
  | (Fact<'DepositOpened'> & { readonly deposit: NewDeposit })
  | (Fact<'DepositAccepted'> & { readonly by: string | null })
  /** The intent to return it: the chain provider is called once this is on disk. */
  | (Fact<'ReturnSent'> & { readonly callId: string; readonly providerId: string; readonly sent: Sent })
  | (Fact<'ReturnSilent'> & { readonly callId: string; readonly dueAtMs: number })
  | (Fact<'ReturnSentAgain'> & { readonly callId: string })
  | (Fact<'DepositReturned'> & { readonly callId: string; readonly txHash: string })
  | (Fact<'ReturnFailed'> & { readonly callId: string; readonly failureReason: string })

type Fact<Type extends string> = ActorFact<'cryptoDeposit', Type>

const evolveDeposit = (state: CryptoDeposit | undefined, event: CryptoDepositFact): CryptoDeposit => {
  const { id, atMs } = event
  if (event.type === 'DepositOpened') {
    assert(state === undefined, 'a deposit is opened once')
    return {
      id,
      ...event.deposit,
      status: 'UNRESOLVED',
      sent: null,
      returnTxHash: null,
      failureReason: null,
      call: null,
      tries: 0,
      resolvedBy: null,
      resolvedAtMs: null,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  assert(state !== undefined, `${event.type} follows DepositOpened`)
  const before = { ...state, updatedAtMs: atMs }
  switch (event.type) {
    case 'DepositAccepted':
      return { ...before, status: 'ACCEPTED', resolvedBy: event.by, resolvedAtMs: atMs }
    case 'ReturnSent': {
      const { callId, providerId, sent } = event
      const call = chainCall(callId, providerId, atMs)
      return { ...before, status: 'UNRESOLVED', sent, call, tries: state.tries + 1, failureReason: null }
    }
    case 'ReturnSilent':
      return { ...before, call: postponed(state.call!, event.dueAtMs) }
    case 'ReturnSentAgain':
      return { ...before, call: { ...state.call!, dueAtMs: null } }
    case 'DepositReturned': {
      const resolved = { resolvedBy: state.sent!.by, resolvedAtMs: atMs }
      return { ...before, status: 'RETURNED', call: null, returnTxHash: event.txHash, ...resolved }
    }
    case 'ReturnFailed':
      return { ...before, status: 'RETURN_FAILED', call: null, failureReason: event.failureReason }
    default:
      return unreachable(event)
  }
}

export const cryptoDepositKind: ActorDefinition<CryptoDeposit, CryptoDepositFact> = {
  prefix: 'cdp',
  namedBy: 'depositId',
  evolve: evolveDeposit,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status }) => status,
  lookupKeys: ({ transactionId }) => [transactionId],
  auditedFields: ({ status, sent, asset, units }) => ({
    status,
    asset,
    amount: units,
    returnAddress: sent?.address ?? null,
  }),
  awaitsProvider: ({ call }) => call !== null && call.dueAtMs === null,
  calls: {
    madeBy: (event) => (opensCall(event) ? event.callId : null),
    awaitedBy: (event) => (event.type === 'ReturnSent' ? event.callId : null),
    answeredBy: (event) => ('callId' in event && !opensCall(event) ? event.callId : null),
    request: ({ accountId, call, asset, network, units, sent }, _, nowMs) => ({
      operation: 'SEND',
      asset,
      network,
      units: toCents(units - sent!.feeUnits),
      address: sent!.address,
      metadata: {},
      ...requestHead(call!, accountId, nowMs),
    }),
    onTheirWay: ({ call }) => (call !== null && call.dueAtMs === null ? [call.id] : []),
    isOpen: ({ call }, callId) => call?.id === callId,
  },
  timer: ({ id: depositId, accountId, call }) =>
    call === null || call.dueAtMs === null
      ? null
      : {
          dueAtMs: call.dueAtMs,
          command: { type: 'CallChainAgain', accountId, by: byClock, depositId, callId: call.id },
        },
}

const opensCall = (
  event: CryptoDepositFact,
): event is Extract<CryptoDepositFact, { type: 'ReturnSent' | 'ReturnSentAgain' }> =>
  event.type === 'ReturnSent' || event.type === 'ReturnSentAgain'
