import type { ProviderCallRequest } from '../../kernel/calls.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { ProviderAnswer } from '../../payments/provider.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { Cents } from '../../shared/money.ts'
import type { Rail } from '../../shared/rail.ts'
import type { AskedMoneyOut } from '../asked.ts'
import type { PayeeStanding } from '../limits.ts'
import type { MoneyOut, MoneyOutFailure, MoneyOutStatus } from '../money-out.ts'
import type { TransferAnswer } from './bank-request.ts'

/** What differs by the way in which money leaves. */
export type MoneyOutDefinition<Asked extends AskedMoneyOut> = {
  readonly rail: Rail
  /** Whether it leaves with its last approval. What does not waits for its time, and can be cancelled until then. */
  readonly isImmediate: boolean
  /** When it runs: at once if it can, or on the wanted day. */
  readonly runTimeOf: (timeZone: string, scheduledFor: CalendarDate | null, nowMs: number) => number
  /** What it is worth in reais now; null while there is no price, or no provider. */
  readonly worthNow: (draft: Draft, asked: Asked) => Cents | null
  /** How far its payee is trusted now. */
  readonly trustIn: (draft: Draft, asked: Asked) => Pick<PayeeStanding, 'coolsOffUntilMs' | 'ignoresNight'>
  /** Why it cannot be paid from what is there; null if it can. */
  readonly fundsRefusal: (draft: Draft, asked: Asked) => Rejection | null
  /** Who is asked, and under which id it travels. */
  readonly sentBy: (
    draft: Draft,
    out: CreatedAs<Asked>,
  ) => { readonly providerId: string | null; readonly railId: string | null }
  /** The request of what is being sent. */
  readonly request: (out: CreatedAs<Asked>, nowMs: number) => ProviderCallRequest
  /** What an answer of the provider means. */
  readonly verdictOf: (draft: Draft, out: CreatedAs<Asked>, answer: MoneyOutAnswer) => Verdict
  /** In which statuses the Sandbox can decide in the provider's place. */
  readonly resolvable: readonly MoneyOutStatus[]
  /** The id of what the Sandbox completes; null if it is the one that it has. */
  readonly resolvedRailId: (draft: Draft, out: CreatedAs<Asked>) => string | null
  /** What else follows from a step, outside of the payment. */
  readonly follow?: Partial<
    Record<'created' | 'sent' | 'paid', (draft: Draft, out: CreatedAs<Asked>) => void>
  >
}

/** What was asked for, and has begun its life. */
type CreatedAs<Asked extends AskedMoneyOut> = Extract<MoneyOut, Pick<Asked, 'method'>>

/** What banks and chain providers answer. */
export type MoneyOutAnswer = TransferAnswer | ProviderAnswer

/** What an answer means. An unknown one is never a failure. */
export type Verdict =
  | { readonly type: 'PAID'; readonly railId: string | null }
  | { readonly type: 'FAILED'; readonly reason: MoneyOutFailure; readonly code: string | null }
  /** On the network, under an id that is new. */
  | { readonly type: 'BROADCAST'; readonly railId: string; readonly dueAtMs: number }
  | { readonly type: 'UNDECIDED'; readonly dueAtMs: number }
