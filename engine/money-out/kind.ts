import type { ActorDefinition } from '../kernel/actor.ts'
import type { Timer } from '../kernel/due-work.ts'
import type { DraftPublicEvent, EventType } from '../kernel/public-event.ts'
import { byClock } from '../shared/initiator.ts'
import { keysOfTransfer } from './keys.ts'
import { transferRequest } from './methods/transfer-request.ts'
import { evolveOutgoing, type OutgoingTransfer, type OutgoingTransferEvent } from './money-out.ts'

declare module '../kernel/public-event.ts' {
  interface EventSubjects {
    readonly transfers: { readonly object: 'transfer'; readonly outgoing: OutgoingTransfer }
  }
}

export const outgoingTransferKind: ActorDefinition<OutgoingTransfer, OutgoingTransferEvent> = {
  prefix: 'trf',
  namedBy: 'outgoingTransferId',
  doesDueWorkFirst: true,
  publishes: {
    OutgoingCreated: ({ atMs }, after) => [
      publicEvent(
        after.status === 'PENDING_APPROVAL' ? 'transfer.pending_approval' : 'transfer.scheduled',
        atMs,
        after,
      ),
    ],
    OutgoingScheduled: ({ atMs }, after) => [publicEvent('transfer.scheduled', atMs, after)],
    OutgoingRecalled: ({ atMs }, after) => [publicEvent('transfer.pending_approval', atMs, after)],
    OutgoingCompleted: ({ atMs }, after) => [publicEvent('transfer.completed', atMs, after)],
    OutgoingFailed: ({ atMs }, after) => [publicEvent('transfer.failed', atMs, after)],
    OutgoingDecided: null,
    OutgoingPostponed: null,
    OutgoingCancelled: null,
    OutgoingSent: null,
    OutgoingUnanswered: null,
    OutgoingSentAgain: null,
  },
  evolve: evolveOutgoing,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status, kind }) => `${status} ${kind}`,
  lookupKeys: keysOfTransfer,
  timer: (transfer) => nextTimerOf(transfer),
  auditedFields: ({ status, kind, amountCents, payee, runsAtMs, decisions, cancelReason }) => ({
    status,
    kind,
    amount: String(amountCents),
    payee: payee.name,
    runsAt: runsAtMs,
    decisions: decisions.map(({ personId, decision, reason }) => ({ personId, decision, reason })),
    cancelReason,
  }),
  awaitsProvider: ({ call }) => call !== null && call.dueAtMs === null,
  calls: {
    madeBy: (event) => (isSending(event) ? event.callId : null),
    answeredBy: (event) => ('callId' in event && !isSending(event) ? event.callId : null),
    request: (transfer, _, nowMs) => transferRequest(transfer, nowMs),
    onTheirWay: ({ call }) => (call !== null && call.dueAtMs === null ? [call.id] : []),
  },
}

const isSending = (
  event: OutgoingTransferEvent,
): event is Extract<OutgoingTransferEvent, { type: 'OutgoingSent' | 'OutgoingSentAgain' }> =>
  event.type === 'OutgoingSent' || event.type === 'OutgoingSentAgain'

const publicEvent = (type: EventType, atMs: number, outgoing: OutgoingTransfer): DraftPublicEvent => ({
  type,
  atMs,
  subject: { object: 'transfer', outgoing },
})

const nextTimerOf = (transfer: OutgoingTransfer): Timer | null => {
  const { id: outgoingTransferId, accountId, status, approvalEndsAtMs, runsAtMs, call } = transfer
  const at = (dueAtMs: number | null, type: 'ExpireTransfer' | 'RunTransfer' | 'AskBankAgain') =>
    dueAtMs === null ? null : { dueAtMs, command: { type, accountId, by: byClock, outgoingTransferId } }
  switch (status) {
    case 'PENDING_APPROVAL':
      return at(approvalEndsAtMs, 'ExpireTransfer')
    case 'SCHEDULED':
      return at(runsAtMs, 'RunTransfer')
    case 'PROCESSING':
      return at(call!.dueAtMs, 'AskBankAgain')
    default:
      return null
  }
}
