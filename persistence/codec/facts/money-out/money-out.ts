import type { CancelReason, MoneyOutFailure, MoneyOutId } from '../../../../engine/money-out/money-out.ts'
import type { MoneyBack } from '../../../../engine/payments/sent-money.ts'
import { bool, enumeration, json, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { chosenRouteLayout, declarationLayout, initiator, issuerSince9 } from '../shared.ts'

const head = { id: text<MoneyOutId>(), atMs: number() }
const called = { ...head, callId: text() }

export const cancelReasonLayout = enumeration<CancelReason>({
  REJECTED: 1,
  APPROVAL_EXPIRED: 2,
  CREATOR_REMOVED: 3,
  BENEFICIARY_REMOVED: 4,
  CANCELLED: 5,
  WALLET_REMOVED: 6,
})

export const moneyOutFailureLayout = enumeration<MoneyOutFailure>({
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
  REFUSED_BY_NETWORK: 11,
  ADDRESS_REFUSED: 12,
  DROPPED: 13,
  NOT_SENT: 14,
})

/**
 * The facts of transfers and of withdrawals. Tags below 12 belong to each one's older facts (`older-facts.ts`).
 */
export const moneyOutFacts = {
  // People send money rarely, so JSON is small enough.
  MoneyOutCreated: [12, { ...head, created: json(), runsAtMs: number(), counts: json() }],
  MoneyOutDecided: [13, { ...head, decision: json() }],
  MoneyOutScheduled: [14, { ...head, runsAtMs: number(), counts: json() }],
  MoneyOutRecalled: [15, { ...head, askedAtMs: number() }],
  MoneyOutPostponed: [16, { ...head, runsAtMs: number() }],
  MoneyOutCancelled: [17, { ...head, cancelReason: cancelReasonLayout }],
  MoneyOutSent: [18, { ...called, providerId: nullable(text()), railId: nullable(text()), counts: json() }],
  MoneyOutUnanswered: [19, { ...called, dueAtMs: number() }],
  MoneyOutSentAgain: [20, called],
  MoneyOutBroadcast: [21, { ...called, railId: text(), dueAtMs: number() }],
  MoneyOutCompleted: [22, { ...called, railId: nullable(text()), isFirst: bool, issuer: issuerSince9 }],
  MoneyOutFailed: [
    23,
    {
      ...head,
      callId: nullable(text()),
      failureReason: moneyOutFailureLayout,
      providerCode: nullable(text()),
    },
  ],
  MoneyOutCameBack: [
    24,
    { ...head, part: record<MoneyBack>({ id: text(), amountCents: number(), atMs: number() }) },
    { since: 14 },
  ],
  MoneyOutRouted: [25, { ...head, connectionId: text() }, { since: 14 }],
  RouteChosen: [28, { ...head, route: chosenRouteLayout }, { since: 14 }],
  MoneyOutIdentified: [26, { ...head, railId: text() }, { since: 14 }],
  MoneyOutCharged: [27, { ...head, tariffCents: number() }, { since: 14 }],
  OutcomeLost: [29, head, { since: 14 }],
  OutcomeDeclared: [30, { ...head, by: initiator, declaration: declarationLayout }, { since: 14 }],
  MoneyOutNumbered: [32, { ...called, bankNumber: text() }, { since: 14 }],
  OutcomeConfirmed: [31, { ...head, by: initiator }, { since: 14 }],
} satisfies FactLayouts<'transfer'> & FactLayouts<'withdrawal'>
