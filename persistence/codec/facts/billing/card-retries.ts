import type { CardRetryFact } from '../../../../engine/billing/invoice/card-retries.ts'
import { list, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId } from '../shared.ts'

const card = record<CardRetryFact['card']>({
  accountId,
  tokenFingerprint: text(),
  failedAtMs: list(number()),
  createdAtMs: number(),
})

export const cardRetryFacts = {
  CardDeclineCounted: [1, { id: text(), card }],
} satisfies FactLayouts<'cardRetries'>
