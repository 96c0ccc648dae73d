import type { NewConversion } from '../../../../engine/crypto/conversion.ts'
import type { GivenQuote, NewQuote } from '../../../../engine/crypto/quote.ts'
import type { Idempotency } from '../../../../engine/kernel/command.ts'
import type { ConversionId, QuoteId } from '../../../../engine/shared/ids.ts'
import { enumeration, json, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, currencyLayout } from '../shared.ts'

const ofQuote = { id: text<QuoteId>(), atMs: number() }
const ofConversion = { id: text<ConversionId>(), atMs: number() }

const quote = record<NewQuote>({
  accountId,
  personId: text(),
  fromCurrency: currencyLayout,
  toCurrency: currencyLayout,
  side: enumeration({ FROM: 1, TO: 2 }),
  cents: number(),
  midRateMicros: number(),
  requestedAtMs: number(),
})

const given = record<GivenQuote>({
  fromCents: number(),
  toCents: number(),
  feeCents: number(),
  taxCents: number(),
  rateMicros: number(),
  midRateMicros: number(),
  spreadBps: number(),
  expiresAtMs: number(),
})

const conversion = record<NewConversion>({
  accountId,
  quote: text(),
  fromCurrency: currencyLayout,
  toCurrency: currencyLayout,
  fromCents: number(),
  toCents: number(),
  feeCents: number(),
  taxCents: number(),
  rateMicros: number(),
  metadata: json(),
  createdBy: nullable(text()),
})

export const conversionQuoteFacts = {
  QuoteRequested: [1, { ...ofQuote, quote, callId: text(), providerId: text() }],
  QuoteGiven: [2, { ...ofQuote, callId: text(), given }],
  QuoteFailed: [3, { ...ofQuote, callId: text(), failure: enumeration({ NO_ANSWER: 1, OUT_OF_RANGE: 2 }) }],
  QuoteUsed: [4, { ...ofQuote, conversionId: text() }],
} satisfies FactLayouts<'conversionQuote'>

export const conversionFacts = {
  ConversionRequested: [
    1,
    {
      ...ofConversion,
      conversion,
      callId: text(),
      providerId: text(),
      idempotency: nullable(record<Idempotency>({ key: text(), fingerprint: text() })),
    },
  ],
  ConversionUnanswered: [2, { ...ofConversion, callId: text(), dueAtMs: number() }],
  ConversionAskedAgain: [3, { ...ofConversion, callId: text() }],
  ConversionCompleted: [4, { ...ofConversion, callId: text() }],
  ConversionFailed: [
    5,
    {
      ...ofConversion,
      callId: text(),
      failureReason: enumeration({ PROVIDER_REJECTED: 1, MARKET_MOVED: 2, RATE_EXPIRED: 3 }),
    },
  ],
} satisfies FactLayouts<'conversion'>
