import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { RateMicros } from '../shared/asset.ts'
import type { AccountId, ConversionId, PersonId, QuoteId } from '../shared/ids.ts'
import type { Currency } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import { type ChainCall, chainCall, requestHead } from './chain-request.ts'
import type { Converted } from './converting.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly conversionQuote: ConversionQuote
  }
  interface ActorFacts {
    readonly conversionQuote: QuoteFact
  }
}

/** The price of a conversion, for some seconds and one conversion. */
export type ConversionQuote = NewQuote & {
  readonly id: QuoteId
  /** Null until the provider has said its price. */
  readonly given: GivenQuote | null
  /** Why there is no price. */
  readonly failure: QuoteFailure | null
  readonly conversionId: ConversionId | null
  readonly call: ChainCall | null
  readonly createdAtMs: number
}

export type QuoteFailure = 'NO_ANSWER' | 'OUT_OF_RANGE'

/** The conversion whose price is wanted. */
export type NewQuote = {
  readonly accountId: AccountId
  readonly personId: PersonId
  readonly fromCurrency: Currency
  readonly toCurrency: Currency
  /** Which of the two amounts is given, and its value. */
  readonly side: 'FROM' | 'TO'
  readonly cents: Cents
  /** The newest mid price when the quote was requested. */
  readonly midRateMicros: RateMicros
  /** Real time, by which the limit per person counts. */
  readonly requestedAtMs: number
}

export type GivenQuote = Converted & {
  readonly rateMicros: RateMicros
  readonly midRateMicros: RateMicros
  readonly spreadBps: number
  readonly expiresAtMs: number
}

export type QuoteFact =
  | (Fact<'QuoteRequested'> & {
      readonly quote: NewQuote
      readonly callId: string
      readonly providerId: string
    })
  | (Fact<'QuoteGiven'> & { readonly callId: string; readonly given: GivenQuote })
  | (Fact<'QuoteFailed'> & { readonly callId: string; readonly failure: QuoteFailure })
  | (Fact<'QuoteUsed'> & { readonly conversionId: ConversionId })

type Fact<Type extends string> = ActorFact<'conversionQuote', Type>

const evolveQuote = (state: ConversionQuote | undefined, event: QuoteFact): ConversionQuote => {
  if (event.type === 'QuoteRequested') {
    assert(state === undefined, 'a quote is requested once')
    const { id, atMs, quote, callId, providerId } = event
    const call = chainCall(callId, providerId, atMs)
    return { id, given: null, failure: null, conversionId: null, call, createdAtMs: atMs, ...quote }
  }
  assert(state !== undefined, `${event.type} follows QuoteRequested`)
  switch (event.type) {
    case 'QuoteGiven':
      return { ...state, given: event.given, call: null }
    case 'QuoteFailed':
      return { ...state, failure: event.failure, call: null }
    case 'QuoteUsed':
      return { ...state, conversionId: event.conversionId }
    default:
      return unreachable(event)
  }
}

export const conversionQuoteKind: ActorDefinition<ConversionQuote, QuoteFact> = {
  prefix: 'qte',
  namedBy: 'quoteId',
  evolve: evolveQuote,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ personId, requestedAtMs }) => [quotesKeyOf(personId, requestedAtMs)],
  auditedFields: ({ given }) => ({ fromAmount: given?.fromCents, toAmount: given?.toCents }),
  awaitsProvider: ({ call }) => call !== null,
  calls: {
    madeBy: (event) => (event.type === 'QuoteRequested' ? event.callId : null),
    awaitedBy: (event) => (event.type === 'QuoteRequested' ? event.callId : null),
    answeredBy: (event) => ('callId' in event && event.type !== 'QuoteRequested' ? event.callId : null),
    request: ({ accountId, call, fromCurrency, toCurrency, midRateMicros }, _, nowMs) => ({
      operation: 'QUOTE',
      fromCurrency,
      toCurrency,
      midRateMicros,
      ...requestHead(call!, accountId, nowMs),
    }),
    onTheirWay: ({ call }) => (call === null ? [] : [call.id]),
    isOpen: ({ call }, callId) => call?.id === callId,
  },
}

/** The lookup key of the quotes that a person requested in one minute. */
export const quotesKeyOf = (personId: PersonId, atMs: number): string =>
  `${personId} ${Math.floor(atMs / minuteMs)}`

export const minuteMs = 60_000
