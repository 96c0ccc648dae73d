import { providerOf } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import { balancesIn } from '../ledger/account.ts'
import { withdrawableOf } from '../ledger/withdrawable.ts'
import { midRateOf } from '../payments/methods/crypto/prices.ts'
import type { ProviderAnswer } from '../payments/provider.ts'
import type { Asset, Currency } from '../shared/method.ts'
import { moveFunds } from './books.ts'
import { chainDueAgain } from './chain-request.ts'
import type { Convert, RequestQuote, ResolveConversion } from './commands.ts'
import type { Conversion, ConversionFailure } from './conversion.ts'
import { convertedFrom, convertedTo } from './converting.ts'
import { type ConversionQuote, minuteMs, quotesKeyOf } from './quote.ts'

/** How long a price is held. */
const quoteMs = 30_000
const quotesPerMinute = 10

/** Asks the provider for a price. */
export const requestQuote: Decider<RequestQuote> = (draft, command) => {
  const { quoteId, personId, fromCurrency, toCurrency, side, cents, accountId } = command
  const { context } = draft
  const refusal = tooManyQuotes(draft, command)
  if (refusal !== null) return refusal
  const asset = (fromCurrency === 'BRL' ? toCurrency : fromCurrency) as Asset
  const midRateMicros = midRateOf(draft.account(), asset, context)
  const providerId = providerOf(context.institution, accountId, 'CRYPTO')
  if (midRateMicros === null || providerId === null) return { reason: 'PROVIDER_ABSENT', rail: 'CRYPTO' }
  if (!context.institution.offers(accountId, 'CRYPTO', 'CONVERT'))
    return { reason: 'NOT_OFFERED', rail: 'CRYPTO', offer: 'CONVERT' }
  const requestedAtMs = context.atMs
  draft.add({
    type: 'QuoteRequested',
    quote: { accountId, personId, fromCurrency, toCurrency, side, cents, midRateMicros, requestedAtMs },
    callId: `${quoteId}.1`,
    providerId,
    ...factOf(draft, 'conversionQuote', quoteId),
  })
  return null
}

const tooManyQuotes = (draft: Draft, { personId }: RequestQuote) => {
  const { atMs } = draft.context
  const recent = [atMs, atMs - minuteMs]
    .flatMap((ms) => draft.lookup('conversionQuote', quotesKeyOf(personId, ms)))
    .map(({ requestedAtMs }) => requestedAtMs)
    .filter((requestedAtMs) => requestedAtMs > atMs - minuteMs)
  if (recent.length < quotesPerMinute) return null
  const retryAfterSeconds = Math.ceil((Math.min(...recent) + minuteMs - atMs) / 1000)
  return { reason: 'TOO_MANY_QUOTES', retryAfterSeconds } as const
}

/** Records the provider's price, or that there is none. */
export const recordQuote = (draft: Draft, quote: ConversionQuote, answer: ProviderAnswer): void => {
  const fact = { callId: quote.call!.id, ...factOf(draft, 'conversionQuote', quote.id) }
  if (answer.type !== 'QUOTED') {
    draft.add({ type: 'QuoteFailed', failure: 'NO_ANSWER', ...fact })
    return
  }
  const { type: _, ...price } = answer
  const pricing = { fromCurrency: quote.fromCurrency, toCurrency: quote.toCurrency, ...price }
  const converted = (quote.side === 'FROM' ? convertedFrom : convertedTo)(quote.cents, pricing)
  if (converted === null) draft.add({ type: 'QuoteFailed', failure: 'OUT_OF_RANGE', ...fact })
  else {
    const expiresAtMs = draft.context.nowMs + quoteMs
    draft.add({ type: 'QuoteGiven', given: { ...price, ...converted, expiresAtMs }, ...fact })
  }
}

/** Makes the conversion of a quote that still holds, once. */
export const convert: Decider<Convert> = (draft, command) => {
  const { conversionId, quote: quoteId, metadata, accountId, by, idempotency = null } = command
  const quote = draft.find('conversionQuote', quoteId)
  if (quote === undefined) return { reason: 'REFERENCE_NOT_FOUND', field: 'quoteId' }
  const { given, fromCurrency, toCurrency } = quote
  const isOpen = given !== null && quote.conversionId === null && draft.context.nowMs < given.expiresAtMs
  if (!isOpen) return { reason: 'QUOTE_EXPIRED' }
  const { fromCents, toCents, feeCents, taxCents, rateMicros } = given
  if (spendable(draft, fromCurrency) < BigInt(fromCents)) return { reason: 'INSUFFICIENT_BALANCE' }
  const providerId = providerOf(draft.context.institution, accountId, 'CRYPTO')
  if (providerId === null) return { reason: 'PROVIDER_ABSENT', rail: 'CRYPTO' }
  draft.add(
    { type: 'QuoteUsed', conversionId, ...factOf(draft, 'conversionQuote', quoteId) },
    {
      type: 'ConversionRequested',
      conversion: {
        accountId,
        quote: quoteId,
        fromCurrency,
        toCurrency,
        fromCents,
        toCents,
        feeCents,
        taxCents,
        rateMicros,
        metadata,
        createdBy: by.id,
      },
      callId: `${conversionId}.1`,
      providerId,
      idempotency,
      ...factOf(draft, 'conversion', conversionId),
    },
  )
  moveFunds(draft, conversionId, fromCurrency, { available: -fromCents, blocked: fromCents })
  return null
}

/** The amount of a currency that can leave now. */
const spendable = (draft: Draft, currency: Currency): bigint =>
  currency === 'BRL' ? withdrawableOf(draft.account()) : balancesIn(draft.account(), currency).available

/** Records the provider's answer about a conversion. */
export const recordConversion = (draft: Draft, conversion: Conversion, answer: ProviderAnswer): void => {
  const call = conversion.call!
  switch (answer.type) {
    case 'DONE':
      complete(draft, conversion)
      return
    case 'REFUSED':
      fail(draft, conversion, refusalOf(answer.refusal.message))
      return
    default:
      if (call.dueAtMs === null)
        draft.add({
          type: 'ConversionUnanswered',
          callId: call.id,
          ...factOf(draft, 'conversion', conversion.id),
          ...chainDueAgain(call, answer, draft),
        })
  }
}

/** The Sandbox decides in place of the provider. */
export const resolveConversion: Decider<ResolveConversion> = (draft, command) => {
  const conversion = draft.find('conversion', command.conversionId)
  if (conversion === undefined) return { reason: 'NOT_FOUND', resource: 'conversion' }
  const { status, call } = conversion
  if (call === null)
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: ['PROCESSING'] }
  if (command.result === 'COMPLETED') complete(draft, conversion)
  else fail(draft, conversion, command.failureReason ?? 'PROVIDER_REJECTED')
  return null
}

/** Books a completed conversion. Fee and tax are in reais, whichever side the reais are on. */
const complete = (draft: Draft, conversion: Conversion): void => {
  const { id, call, fromCurrency, toCurrency, fromCents, toCents, feeCents, taxCents } = conversion
  draft.add({ type: 'ConversionCompleted', callId: call!.id, ...factOf(draft, 'conversion', id) })
  const costs = { fees: feeCents, taxes: taxCents }
  const sum = feeCents + taxCents
  const isBuying = fromCurrency === 'BRL'
  moveFunds(draft, id, fromCurrency, {
    blocked: -fromCents,
    exchange: fromCents - (isBuying ? sum : 0),
    ...(isBuying && costs),
  })
  moveFunds(draft, id, toCurrency, {
    exchange: -toCents - (isBuying ? 0 : sum),
    available: toCents,
    ...(!isBuying && costs),
  })
}

const fail = (draft: Draft, conversion: Conversion, failureReason: ConversionFailure): void => {
  const { id, call, fromCurrency, fromCents } = conversion
  draft.add({ type: 'ConversionFailed', callId: call!.id, failureReason, ...factOf(draft, 'conversion', id) })
  moveFunds(draft, id, fromCurrency, { blocked: -fromCents, available: fromCents })
}

/** A provider names one of the known reasons, or another one of its own. */
const refusalOf = (message: string): ConversionFailure =>
  message === 'MARKET_MOVED' || message === 'RATE_EXPIRED' ? message : 'PROVIDER_REJECTED'
