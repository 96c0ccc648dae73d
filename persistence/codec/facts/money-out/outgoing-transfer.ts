import type { CancelReason, NewOutgoing, TransferFailure } from '../../../../engine/money-out/money-out.ts'
import type { TransferId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, json, nullable, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<TransferId>(), atMs: number() }
const called = { ...head, callId: text() }

const cancelReason = enumeration<CancelReason>({
  REJECTED: 1,
  APPROVAL_EXPIRED: 2,
  CREATOR_REMOVED: 3,
  BENEFICIARY_REMOVED: 4,
  CANCELLED: 5,
})

const failureReason = enumeration<TransferFailure>({
  INSUFFICIENT_BALANCE: 1,
  LIMIT_EXCEEDED: 2,
  BENEFICIARY_CHANGED: 3,
  ACCOUNT_NOT_FOUND: 4,
  ACCOUNT_BLOCKED: 5,
  ACCOUNT_CLOSED: 6,
  ACCOUNT_TYPE: 7,
  BANK_TIMEOUT: 8,
  BANK_ERROR: 9,
  REFUSED_BY_BANK: 10,
})

export const outgoingTransferFacts = {
  // People make few transfers, so JSON is small enough.
  OutgoingCreated: [
    1,
    { ...head, transfer: json<NewOutgoing>({ askedAtMs: null }), runsAtMs: number(), counts: json() },
  ],
  OutgoingDecided: [2, { ...head, decision: json() }],
  OutgoingScheduled: [3, { ...head, runsAtMs: number(), counts: json() }],
  OutgoingPostponed: [4, { ...head, runsAtMs: number() }],
  OutgoingCancelled: [5, { ...head, cancelReason }],
  OutgoingSent: [6, { ...called, endToEndId: nullable(text()), counts: json() }],
  OutgoingUnanswered: [7, { ...called, dueAtMs: number() }],
  OutgoingSentAgain: [8, called],
  OutgoingCompleted: [9, { ...called, isFirst: bool }],
  OutgoingFailed: [10, { ...head, callId: nullable(text()), failureReason, providerCode: nullable(text()) }],
  OutgoingRecalled: [11, { ...head, askedAtMs: number() }],
} satisfies FactLayouts<'outgoingTransfer'>
