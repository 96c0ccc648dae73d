import type { SuspenseFact, UnmatchedPix } from '../../../../engine/payments/suspense/suspense.ts'
import type { SuspenseId } from '../../../../engine/shared/ids.ts'
import { nullable, number, optional, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, initiator, payerLayout } from '../shared.ts'

const unmatched = record<UnmatchedPix>({
  accountId,
  connectionId: text(),
  providerId: text(),
  txid: nullable(text()),
  pixKey: nullable(text()),
  endToEndId: text(),
  amountCents: number(),
  componentsCents: nullable(number()),
  paidAtMs: number(),
  payer: payerLayout,
  taxWithheldCents: optional(number()),
})

const head = { id: text<SuspenseId>(), atMs: number() }
const since14 = { since: 14 }

export const suspenseFacts = {
  SuspenseOpened: [1, { ...head, unmatched }, since14],
  SuspenseAssigned: [2, { ...head, by: initiator, transactionId: text() }, since14],
  WriteOffProposed: [3, { ...head, by: initiator, reason: text() }, since14],
  SuspenseWrittenOff: [4, { ...head, by: initiator, reason: text() }, since14],
} satisfies FactLayouts<SuspenseFact['actor']>
