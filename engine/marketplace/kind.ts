import { wayOf } from '../connections/way.ts'
import type { ActorDefinition } from '../kernel/actor.ts'
import type { Timer } from '../kernel/due-work.ts'
import type { DraftPublicEvent, EventType } from '../kernel/event-types.ts'
import type { Command } from '../kernel/registry.ts'
import { paidOutKey, railKey } from '../payments/sent-money.ts'
import { byClock } from '../shared/initiator.ts'
import { payoutRequest } from './payout-request.ts'
import { evolveSplitTransfer, type SplitTransfer, type SplitTransferFact } from './split-transfer.ts'

declare module '../kernel/event-types.ts' {
  interface EventSubjects {
    readonly payouts: { readonly object: 'split_transfer'; readonly transfer: SplitTransfer }
  }
}

export const splitTransferKind: ActorDefinition<SplitTransfer, SplitTransferFact> = {
  prefix: 'spt',
  publishes: {
    TransferScheduled: ({ atMs }, after) => [transferEvent('transfer.scheduled', atMs, after)],
    TransferCompleted: ({ atMs }, after) => [transferEvent('transfer.completed', atMs, after)],
    TransferFailed: ({ atMs }, after) => [transferEvent('transfer.failed', atMs, after)],
    TransferSent: null,
    TransferSentAgain: null,
    TransferSilent: null,
    TransferCancelled: null,
    TransferCreated: null,
    TransferReduced: null,
    TransferReversed: null,
    TransferWaiting: null,
    RouteChosen: null,
    TransferIdentified: null,
    TransferNumbered: null,
    TransferCharged: null,
    OutcomeLost: null,
    OutcomeDeclared: null,
    OutcomeConfirmed: null,
    UnsentFound: null,
    TransferCameBack: ({ atMs }, after) => [transferEvent('transfer.returned', atMs, after)],
  },
  evolve: evolveSplitTransfer,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: ({ status, recipientId, declared }) => ({
    status,
    recipientId,
    ...(declared && { declared: declared.outcome }),
  }),
  label: ({ status, recipientId }) => `${status} ${recipientId}`,
  lookupKeys: (transfer) => [transfer.transactionId, ...keysAtBank(transfer)],
  timer: (transfer) => nextTransferTimer(transfer),
  // A scheduled transfer waits for a bank to be connected.
  awaitsProvider: ({ status, call }) => status === 'SCHEDULED' || (call !== null && call.dueAtMs === null),
  calls: {
    madeBy: (event) => ('callId' in event && isSending(event) ? event.callId : null),
    answeredBy: (event) => ('callId' in event && !isSending(event) ? event.callId : null),
    request: (transfer, _, nowMs) => payoutRequest(transfer, nowMs),
    onTheirWay: ({ call }) => (call !== null && call.dueAtMs === null ? [call.id] : []),
    // One that waited before waiting had a time waits from now on.
    resume: ({ id: splitTransferId, accountId, call, waitsUntilMs }, account, institution) =>
      call === null && (waitsUntilMs === undefined || wayOf(institution, account, 'PAYOUT') !== null)
        ? { type: 'SendTransfer', accountId, by: byClock, splitTransferId }
        : null,
  },
  namedBy: 'splitTransferId',
}

/** The keys by which a bank's statement is compared with what has left by a connection: its id there, and the day. */
const keysAtBank = ({ route, railId, completedAtMs, dueCents }: SplitTransfer): readonly string[] =>
  route === undefined || completedAtMs === null || dueCents === 0
    ? []
    : [paidOutKey(route.connectionId, completedAtMs), ...(railId === undefined ? [] : [railKey(railId)])]

const isSending = ({ type }: SplitTransferFact): boolean =>
  type === 'TransferSent' || type === 'TransferSentAgain'

const transferEvent = (type: EventType, atMs: number, transfer: SplitTransfer): DraftPublicEvent => ({
  type,
  atMs,
  subject: { object: 'split_transfer', transfer },
})

const nextTransferTimer = ({
  id: splitTransferId,
  accountId,
  status,
  fundsAtMs,
  retryAtMs,
  waitsUntilMs,
  call,
}: SplitTransfer): Timer | null => {
  const at = (dueAtMs: number | null, type: 'FundTransfer' | 'SendTransfer' | 'CallBankAgain') =>
    dueAtMs === null
      ? null
      : { dueAtMs, command: { type, accountId, by: byClock, splitTransferId } as Command }
  switch (status) {
    case 'AWAITING_FUNDS':
      return at(fundsAtMs, 'FundTransfer')
    case 'SCHEDULED':
      return at(waitsUntilMs ?? null, 'SendTransfer')
    case 'FAILED':
      return at(retryAtMs, 'SendTransfer')
    case 'PROCESSING':
      return at(call!.dueAtMs, 'CallBankAgain')
    default:
      return null
  }
}
