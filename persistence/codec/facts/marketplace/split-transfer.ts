import type { PayoutBeneficiary, SplitTransferFact } from '../../../../engine/marketplace/split-transfer.ts'
import type { MoneyBack } from '../../../../engine/payments/sent-money.ts'
import type { SplitTransferId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, nullable, number, record, repeatedText, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, bankAccount as bank, chosenRouteLayout, declarationLayout, initiator } from '../shared.ts'

const head = { id: repeatedText<SplitTransferId>(), atMs: number() }

const since14 = { since: 14 }

const transfer = record<Extract<SplitTransferFact, { type: 'TransferCreated' }>['transfer']>({
  accountId,
  recipientId: text(),
  ruleId: repeatedText(),
  transactionId: repeatedText(),
  receivableId: text(),
  installment: number(),
  grossCents: number(),
  feeCents: number(),
  bank,
  settlementId: nullable(repeatedText()),
  expectedOn: repeatedText(),
  fundsAtMs: nullable(number()),
})

export const splitTransferFacts = {
  TransferCreated: [1, { ...head, transfer }],
  TransferReduced: [2, { ...head, grossCents: number(), feeCents: number() }],
  TransferCancelled: [3, head],
  TransferScheduled: [4, { ...head, debtRecoveredCents: number(), dueCents: number() }],
  TransferSent: [
    5,
    {
      ...head,
      callId: text(),
      bank,
      beneficiary: record<PayoutBeneficiary>({ name: text(), document: text() }),
    },
  ],
  TransferSilent: [6, { ...head, callId: text(), dueAtMs: number() }],
  TransferSentAgain: [7, { ...head, callId: text() }],
  TransferCompleted: [8, { ...head, callId: nullable(text()) }],
  TransferFailed: [
    9,
    {
      ...head,
      callId: text(),
      failureReason: enumeration({ REFUSED_BY_BANK: 1, NOT_SENT: 2 }),
      retryAtMs: nullable(number()),
    },
  ],
  TransferReversed: [10, { ...head, reversedCents: number(), dueCents: number() }],
  TransferWaiting: [11, { ...head, untilMs: number() }, since14],
  RouteChosen: [12, { ...head, route: chosenRouteLayout }, since14],
  TransferIdentified: [13, { ...head, railId: text() }, since14],
  TransferCharged: [14, { ...head, tariffCents: number() }, since14],
  TransferCameBack: [
    15,
    { ...head, part: record<MoneyBack>({ id: text(), amountCents: number(), atMs: number() }) },
    since14,
  ],
  OutcomeLost: [16, head, since14],
  OutcomeDeclared: [17, { ...head, by: initiator, declaration: declarationLayout }, since14],
  OutcomeConfirmed: [18, { ...head, by: initiator }, since14],
  TransferNumbered: [20, { ...head, callId: text(), bankNumber: text() }, since14],
  UnsentFound: [
    19,
    { ...head, callNumber: number(), amountCents: number(), railId: nullable(text()), completes: bool },
    since14,
  ],
} satisfies FactLayouts<'splitTransfer'>
