import type { ReceivedPix } from '../../../../engine/payments/received/received.ts'
import { nullable, number, personal, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, payerLayout, returnReason } from '../shared.ts'

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
})

export const receivedFacts = {
  PixReceived: [1, { id: text(), received }],
} satisfies FactLayouts<'received'>
