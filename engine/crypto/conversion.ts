import type { ActorDefinition } from '../kernel/actor.ts'
import type { Idempotency } from '../kernel/command.ts'
import type { DraftPublicEvent, EventType } from '../kernel/event-types.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { RateMicros } from '../shared/asset.ts'
import type { AccountId, ConversionId, QuoteId } from '../shared/ids.ts'
import { byClock } from '../shared/initiator.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Currency } from '../shared/method.ts'
import { type ChainCall, chainCall, postponed, requestHead } from './chain-request.ts'
import type { Converted } from './converting.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly conversion: Conversion
  }
  interface ActorFacts {
    readonly conversion: ConversionFact
  }
}

declare module '../kernel/event-types.ts' {
  interface EventSubjects {
    readonly conversions: { readonly object: 'conversion'; readonly conversion: Conversion }
  }
}

export const conversionStatuses = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
export type ConversionStatus = (typeof conversionStatuses)[number]

export const conversionFailures = ['PROVIDER_REJECTED', 'MARKET_MOVED', 'RATE_EXPIRED'] as const
export type ConversionFailure = (typeof conversionFailures)[number]

/** Reais that become a stablecoin, or the other way round, at the price of a quote (dashboard, section 3.3). */
export type Conversion = NewConversion & {
  readonly id: ConversionId
  readonly status: ConversionStatus
  readonly failureReason: ConversionFailure | null
  readonly call: ChainCall | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly completedAtMs: number | null
}

/** The terms of a conversion, fixed when it is requested. */
export type NewConversion = Converted & {
  readonly accountId: AccountId
  readonly quote: QuoteId
  readonly fromCurrency: Currency
  readonly toCurrency: Currency
  readonly rateMicros: RateMicros
  readonly metadata: Metadata
  readonly createdBy: string | null
}

export type ConversionFact =
  /** The intent, with the money set aside: the provider is called once this is on disk. */
  | (Fact<'ConversionRequested'> & {
      readonly conversion: NewConversion
      readonly callId: string
      readonly providerId: string
      readonly idempotency: Idempotency | null
    })
  | (Fact<'ConversionUnanswered'> & { readonly callId: string; readonly dueAtMs: number })
  | (Fact<'ConversionAskedAgain'> & { readonly callId: string })
  | (Fact<'ConversionCompleted'> & { readonly callId: string })
  | (Fact<'ConversionFailed'> & { readonly callId: string; readonly failureReason: ConversionFailure })

type Fact<Type extends string> = ActorFact<'conversion', Type>

const evolveConversion = (state: Conversion | undefined, event: ConversionFact): Conversion => {
  const { id, atMs } = event
  if (event.type === 'ConversionRequested') {
    assert(state === undefined, 'a conversion is requested once')
    const { callId, providerId, idempotency, conversion } = event
    return {
      id,
      status: 'PROCESSING',
      failureReason: null,
      call: chainCall(callId, providerId, atMs, idempotency),
      createdAtMs: atMs,
      updatedAtMs: atMs,
      completedAtMs: null,
      ...conversion,
    }
  }
  assert(state !== undefined, `${event.type} follows ConversionRequested`)
  const before = { ...state, updatedAtMs: atMs }
  switch (event.type) {
    case 'ConversionUnanswered':
      return { ...before, call: postponed(state.call!, event.dueAtMs) }
    case 'ConversionAskedAgain':
      return { ...before, call: { ...state.call!, dueAtMs: null } }
    case 'ConversionCompleted':
      return { ...before, status: 'COMPLETED', call: null, completedAtMs: atMs }
    case 'ConversionFailed':
      return { ...before, status: 'FAILED', call: null, failureReason: event.failureReason }
    default:
      return unreachable(event)
  }
}

const published = (type: EventType, atMs: number, conversion: Conversion): readonly DraftPublicEvent[] => [
  { type, atMs, subject: { object: 'conversion', conversion } },
]

export const conversionKind: ActorDefinition<Conversion, ConversionFact> = {
  prefix: 'cnv',
  namedBy: 'conversionId',
  evolve: evolveConversion,
  publishes: {
    ConversionRequested: null,
    ConversionUnanswered: null,
    ConversionAskedAgain: null,
    ConversionCompleted: ({ atMs }, after) => published('conversion.completed', atMs, after),
    ConversionFailed: ({ atMs }, after) => published('conversion.failed', atMs, after),
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status, fromCurrency, toCurrency }) => `${status} ${fromCurrency} ${toCurrency}`,
  auditedFields: ({ status, fromCurrency, toCurrency, fromCents, toCents }) => ({
    status,
    fromCurrency,
    toCurrency,
    fromAmount: fromCents,
    toAmount: toCents,
  }),
  awaitsProvider: ({ call }) => call !== null && call.dueAtMs === null,
  calls: {
    madeBy: (event) => (opensCall(event) ? event.callId : null),
    awaitedBy: (event) => (event.type === 'ConversionRequested' ? event.callId : null),
    answeredBy: (event) => ('callId' in event && !opensCall(event) ? event.callId : null),
    request: ({ accountId, call, ...conversion }, _, nowMs) => ({
      operation: 'CONVERT',
      fromCurrency: conversion.fromCurrency,
      toCurrency: conversion.toCurrency,
      fromCents: conversion.fromCents,
      toCents: conversion.toCents,
      rateMicros: conversion.rateMicros,
      metadata: conversion.metadata,
      ...requestHead(call!, accountId, nowMs),
    }),
    onTheirWay: ({ call }) => (call !== null && call.dueAtMs === null ? [call.id] : []),
    isOpen: ({ call }, callId) => call?.id === callId,
    // The conversion exists from its request on: the first answer, whatever it is, is what the key stands for.
    keyOfAnswer: ({ call }) => (call === null || call.unanswered > 0 ? null : call.idempotency),
  },
  timer: ({ id: conversionId, accountId, call }) =>
    call === null || call.dueAtMs === null
      ? null
      : {
          dueAtMs: call.dueAtMs,
          command: { type: 'CallChainAgain', accountId, by: byClock, conversionId, callId: call.id },
        },
}

const opensCall = (
  event: ConversionFact,
): event is Extract<ConversionFact, { type: 'ConversionRequested' | 'ConversionAskedAgain' }> =>
  event.type === 'ConversionRequested' || event.type === 'ConversionAskedAgain'
