import type { NewDeposit } from '../../../../engine/crypto/deposit.ts'
import type { DepositId } from '../../../../engine/shared/ids.ts'
import { enumeration, json, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, assetLayout, networkLayout } from '../shared.ts'

const head = { id: text<DepositId>(), atMs: number() }

const deposit = record<NewDeposit>({
  accountId,
  transactionId: text(),
  reason: enumeration({
    UNDERPAID: 1,
    OVERPAID: 2,
    PAID_LATE: 3,
    PAID_AFTER_CANCELLATION: 4,
    WRONG_ASSET: 5,
  }),
  asset: assetLayout,
  network: networkLayout,
  units: number(),
  txHash: text(),
  fromAddress: nullable(text()),
})

export const cryptoDepositFacts = {
  DepositOpened: [1, { ...head, deposit }],
  DepositAccepted: [2, { ...head, by: nullable(text()) }],
  ReturnSent: [3, { ...head, callId: text(), providerId: text(), sent: json() }],
  ReturnSilent: [4, { ...head, callId: text(), dueAtMs: number() }],
  ReturnSentAgain: [5, { ...head, callId: text() }],
  DepositReturned: [6, { ...head, callId: text(), txHash: text() }],
  ReturnFailed: [7, { ...head, callId: text(), failureReason: text() }],
} satisfies FactLayouts<'cryptoDeposit'>
