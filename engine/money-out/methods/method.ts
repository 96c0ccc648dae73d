import type { ChosenWay, Way } from '../../connections/way.ts'
import type { ProviderCallRequest } from '../../kernel/calls.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { ProviderAnswer } from '../../payments/provider.ts'
import type { TransferAnswer } from '../../payments/sent-money.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { Cents } from '../../shared/money.ts'
import type { Rail } from '../../shared/rail.ts'
import type { AskedMoneyOut } from '../asked.ts'
import type { PayeeStanding } from '../limits.ts'
import type { MoneyOut, MoneyOutFact, MoneyOutFailure, MoneyOutStatus } from '../money-out.ts'

/** Everything that depends on how money leaves. */
export type MoneyOutDefinition<Asked extends AskedMoneyOut> = {
  readonly rail: Rail
  /**
   * Whether it leaves with its last approval. Other methods wait for their time, and can be cancelled until then.
   */
  readonly isImmediate: boolean
  /** When it runs: at once if it can, or on the wanted day. */
  readonly runTimeOf: (timeZone: string, scheduledFor: CalendarDate | null, nowMs: number) => number
  /** Its worth in reais now; null while there is no price, or no provider. */
  readonly worthNow: (draft: Draft, asked: Asked) => Cents | null
  /** How far its payee is trusted now. */
  readonly trustIn: (draft: Draft, asked: Asked) => Pick<PayeeStanding, 'coolsOffUntilMs' | 'ignoresNight'>
  /** Why the balance cannot pay it; null if it can. */
  readonly fundsRefusal: (draft: Draft, asked: Asked) => Rejection | null
  /** The way by which it would leave at this moment; null while it has to wait for one. */
  readonly wayNow: (draft: Draft, asked: Asked) => ChosenWay | null
  /** The provider to call, and the id on the rail. */
  readonly sentBy: (
    draft: Draft,
    out: CreatedAs<Asked>,
    way: Way,
  ) => Pick<MoneyOutSent, 'providerId' | 'railId'>
  /** The provider request of a payment that is being sent. */
  readonly request: (out: CreatedAs<Asked>, nowMs: number) => ProviderCallRequest
  /** The meaning of a provider's answer. */
  readonly verdictOf: (draft: Draft, out: CreatedAs<Asked>, answer: MoneyOutAnswer) => Verdict
  /** In which statuses the Sandbox can decide in the provider's place. */
  readonly resolvable: readonly MoneyOutStatus[]
  /** The rail id of a payment that the Sandbox completes; null if it keeps the one that it has. */
  readonly resolvedRailId: (draft: Draft, out: CreatedAs<Asked>) => string | null
  /** Changes outside the payment that follow from its steps. */
  readonly follow?: Partial<
    Record<'created' | 'sent' | 'paid', (draft: Draft, out: CreatedAs<Asked>) => void>
  >
}

type MoneyOutSent = Extract<MoneyOutFact, { readonly type: 'MoneyOutSent' }>

/** The actor that a request becomes. */
type CreatedAs<Asked extends AskedMoneyOut> = Extract<MoneyOut, Pick<Asked, 'method'>>

/** An answer of a bank or a chain provider. */
export type MoneyOutAnswer = TransferAnswer | ProviderAnswer

/** The meaning of an answer. An unknown answer is never a failure. */
export type Verdict =
  | {
      readonly type: 'PAID'
      readonly railId: string | null
      /** What the bank took for it, where it says. */
      readonly tariffCents?: Cents
    }
  | { readonly type: 'FAILED'; readonly reason: MoneyOutFailure; readonly code: string | null }
  /** On the network, under a new id. */
  | { readonly type: 'BROADCAST'; readonly railId: string; readonly dueAtMs: number }
  /** `railId` is there where the provider has given it one by now, and `bankNumber` where it has a number of its own for the request. */
  | {
      readonly type: 'UNDECIDED'
      readonly dueAtMs: number
      readonly railId?: string | null
      readonly bankNumber?: string
    }
