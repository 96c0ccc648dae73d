import type { ReceivedPix, ReturnProgress } from '../../../../engine/payments/received/received.ts'
import { enumeration, nullable, number, personal, record, since, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, payerLayout, returnReason } from '../shared.ts'

const returning = enumeration<ReturnProgress>({ RETURNING: 1, RETURNED: 2, RETURN_FAILED: 3 })

const received = record<ReceivedPix>({
  id: text(),
  accountId,
  transactionId: text(),
  endToEndId: text(),
  txid: nullable(text()),
  externalId: nullable(text()),
  amountCents: number(),
  returnReason: nullable(returnReason),
  pixKeyId: text(),
  pixKey: text(),
  payer: payerLayout,
  description: personal(nullable(text()), null),
  receivedAtMs: number(),
  returning: since(14, nullable(returning), null),
})

export const receivedFacts = {
  PixReceived: [1, { id: text(), received }],
  PixReturnChanged: [2, { id: text(), returning }, { since: 14 }],
} satisfies FactLayouts<'received'>
