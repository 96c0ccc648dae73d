import type { ProviderCallRequest } from '../kernel/calls.ts'
import type { Idempotency } from '../kernel/command.ts'
import type { Context } from '../kernel/context.ts'
import type { Network, RateMicros } from '../shared/asset.ts'
import { dayMs } from '../shared/calendar.ts'
import type { AccountId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Asset, Currency } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'

declare module '../kernel/calls.ts' {
  interface ProviderRequests {
    readonly crypto: ChainRequest
  }
}

/** A request to a chain provider, other than for the address of a charge. Plain data. */
export type ChainRequest = QuoteRequest | ConvertRequest | SendRequest

type Request<Operation extends string> = {
  /** The call's id, which makes repeating the request harmless. It begins with the id of the actor that calls. */
  readonly reference: string
  readonly operation: Operation
  /** How often it may have been sent before. */
  readonly asked: number
  readonly rail: 'CRYPTO'
  readonly accountId: AccountId
  readonly providerId: string
  /** Environment time when the call was opened, and now. */
  readonly openedAtMs: number
  readonly nowMs: number
}

/** At which price would a conversion be made? */
export type QuoteRequest = Request<'QUOTE'> & {
  readonly fromCurrency: Currency
  readonly toCurrency: Currency
  /** The newest mid price. */
  readonly midRateMicros: RateMicros
}

/** Make the conversion that was quoted. */
export type ConvertRequest = Request<'CONVERT'> & {
  readonly fromCurrency: Currency
  readonly toCurrency: Currency
  readonly fromCents: Cents
  readonly toCents: Cents
  readonly rateMicros: RateMicros
  readonly metadata: Metadata
}

/** Send a stablecoin to an address. */
export type SendRequest = Request<'SEND'> & {
  readonly asset: Asset
  readonly network: Network
  readonly units: Cents
  readonly address: string
  readonly metadata: Metadata
}

/** Whether a provider request goes to the chain provider and concerns no charge. */
export const isChainRequest = (request: ProviderCallRequest): request is ChainRequest =>
  request.operation === 'QUOTE' || request.operation === 'CONVERT' || request.operation === 'SEND'

/** A call to the chain provider that has no decisive answer yet. */
export type ChainCall = {
  readonly id: string
  readonly providerId: string
  readonly openedAtMs: number
  readonly unanswered: number
  /** When it is repeated; null while it is under way. */
  readonly dueAtMs: number | null
  /** The key of the request that waits for its answer. */
  readonly idempotency: Idempotency | null
}

/** A call that begins now. */
export const chainCall = (
  id: string,
  providerId: string,
  openedAtMs: number,
  idempotency: Idempotency | null = null,
): ChainCall => ({ id, providerId, openedAtMs, unanswered: 0, dueAtMs: null, idempotency })

/** The common members of a call's requests. */
export const requestHead = (
  {
    id,
    providerId,
    openedAtMs,
    unanswered,
  }: Pick<ChainCall, 'id' | 'providerId' | 'openedAtMs' | 'unanswered'>,
  accountId: AccountId,
  nowMs: number,
) => ({ reference: id, asked: unanswered, rail: 'CRYPTO', accountId, providerId, openedAtMs, nowMs }) as const

/** When a call without a decisive answer is repeated. */
export const chainDueAgain = (
  call: Pick<ChainCall, 'openedAtMs' | 'unanswered'>,
  { asksAgainInMs = null }: { readonly type: string; readonly asksAgainInMs?: number | null },
  { context }: { readonly context: Context },
): { readonly dueAtMs: number } =>
  asksAgainInMs !== null
    ? { dueAtMs: context.nowMs + asksAgainInMs }
    : {
        // A Sandbox clock that was put back must first reach the time of the call.
        dueAtMs:
          Math.max(context.nowMs, call.openedAtMs) +
          Math.min(firstDelayMs * 4 ** call.unanswered, longestDelayMs),
      }

/** A transfer that a network has not decided within minutes may take days. */
const firstDelayMs = 5_000
const longestDelayMs = dayMs

/** The call after one more time without a decisive answer. */
export const postponed = (call: ChainCall, dueAtMs: number): ChainCall => ({
  ...call,
  unanswered: call.unanswered + 1,
  dueAtMs,
})
