import type { SuspenseFact, UnmatchedPix } from '../../../../engine/payments/suspense/suspense.ts'
import type { SuspenseId } from '../../../../engine/shared/ids.ts'
import { nullable, number, optional, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, initiator, payerLayout } from '../shared.ts'

const unmatched = record<UnmatchedPix>({
  accountId,
  connectionId: nullable(text()),
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
  SuspenseReturnBegun: [5, { ...head, by: initiator, callId: text(), amountCents: number() }, since14],
  SuspenseReturnRepeated: [6, { ...head, callId: text() }, since14],
  SuspenseReturnUnanswered: [7, { ...head, callId: text(), dueAtMs: number() }, since14],
  SuspenseReturnRefused: [
    8,
    { ...head, callId: text(), message: text(), retryAtMs: nullable(number()) },
    since14,
  ],
  SuspenseReturned: [
    9,
    {
      ...head,
      callId: nullable(text()),
      bankReturnId: nullable(text()),
      returnId: nullable(text()),
      amountCents: number(),
    },
    since14,
  ],
} satisfies FactLayouts<SuspenseFact['actor']>
