import type {
  NewWithdrawal,
  WithdrawalCancelReason,
  WithdrawalFailure,
} from '../../../../engine/crypto/withdrawal.ts'
import type { WithdrawalId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<WithdrawalId>(), atMs: number() }
const called = { ...head, callId: text() }

const cancelReason = enumeration<WithdrawalCancelReason>({
  REJECTED: 1,
  APPROVAL_EXPIRED: 2,
  CREATOR_REMOVED: 3,
  WALLET_REMOVED: 4,
  CANCELLED: 5,
})

const failureReason = enumeration<WithdrawalFailure>({
  REFUSED_BY_NETWORK: 1,
  ADDRESS_REFUSED: 2,
  DROPPED: 3,
})

export const withdrawalFacts = {
  // People make few withdrawals, so JSON is small enough.
  WithdrawalCreated: [1, { ...head, withdrawal: json<NewWithdrawal>({ askedAtMs: null }) }],
  WithdrawalDecided: [2, { ...head, decision: json() }],
  WithdrawalCancelled: [3, { ...head, cancelReason }],
  WithdrawalSent: [4, { ...called, providerId: text(), counts: json() }],
  WithdrawalUnanswered: [5, { ...called, dueAtMs: number() }],
  WithdrawalSentAgain: [6, called],
  WithdrawalBroadcast: [7, { ...called, txHash: text(), dueAtMs: number() }],
  WithdrawalCompleted: [8, { ...called, txHash: text(), isFirst: bool }],
  WithdrawalFailed: [9, { ...called, failureReason }],
} satisfies FactLayouts<'cryptoWithdrawal'>
