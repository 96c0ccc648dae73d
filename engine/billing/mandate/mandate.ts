/**
 * A mandate of Pix Automático lets a subscription collect its invoices from the payer's account, without a QR code each time (rails,
 * section 4). It makes the calls to the bank: for itself, and for the charges that it has under way.
 */
import type { Idempotency } from '../../kernel/command.ts'
import type { ActorFact } from '../../kernel/fact.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { Customer } from '../../shared/customer.ts'
import type {
  AccountId,
  ConnectionId,
  InvoiceId,
  MandateId,
  SubscriptionId,
  TransactionId,
} from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Cents } from '../../shared/money.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly mandate: Mandate
  }
  interface ActorFacts {
    readonly mandate: MandateFact
  }
}

/** How a payer is asked for a mandate: by their bank, by a QR code, by one that also pays, or by one that pays with or without it. */
export const mandateJourneys = ['NOTIFICATION', 'QR', 'QR_WITH_PAYMENT', 'OPTIONAL'] as const
export type MandateJourney = (typeof mandateJourneys)[number]

export const mandateStatuses = ['CREATED', 'ACTIVE', 'REJECTED', 'EXPIRED', 'CANCELLED'] as const
export type MandateStatus = (typeof mandateStatuses)[number]

/** How often a mandate may be charged, in the words of the standard. */
export type Periodicity = 'SEMANAL' | 'MENSAL' | 'TRIMESTRAL' | 'SEMESTRAL' | 'ANUAL'

/** The account of a payer, whose bank asks them to confirm. */
export type PayerAccount = {
  readonly ispb: string
  readonly branch: string | null
  readonly account: string
}

/** A mandate that a subscription is to have and that has not been offered yet. */
export type WantedMandate = {
  readonly journey: MandateJourney
  readonly payerAccount: PayerAccount | null
  /** The key of the request that created the subscription: what the bank answers at once is its effect, too. */
  readonly idempotency: Idempotency | null
}

/** What a subscription shows of its mandate. */
export type HeldMandate = Pick<
  Mandate,
  | 'id'
  | 'idRec'
  | 'status'
  | 'journey'
  | 'amountCents'
  | 'maximumCents'
  | 'periodicity'
  | 'startOn'
  | 'endOn'
  | 'closedBy'
  | 'code'
  | 'copyPaste'
>

export type Mandate = OfferedMandate & {
  readonly id: MandateId
  /** The bank's id of it; null until it has given one. */
  readonly idRec: string | null
  /** What the payer's app reads; null where their bank asks them by itself. */
  readonly copyPaste: string | null
  readonly status: MandateStatus
  readonly closedBy: 'PAYER' | 'RECEIVER' | null
  /** Why it was rejected or cancelled, in the words of the payment system. */
  readonly code: string | null
  /** The payer lets no charge be larger; null where they set no maximum. */
  readonly maximumCents: Cents | null
  /** It is to be ended, or is: nothing more is charged by it. */
  readonly isEnding: boolean
  readonly calls: readonly MandateCall[]
  readonly callsMade: number
  readonly charges: readonly ChargeByMandate[]
  /** The first days of periods that had a charge which was neither rejected nor cancelled: each takes one only (R4). */
  readonly takenPeriods: readonly CalendarDate[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type OfferedMandate = {
  readonly accountId: AccountId
  readonly subscriptionId: SubscriptionId
  readonly timeZone: string
  readonly providerId: string
  /** Null for the provider that is there for all accounts of the environment: that of the Sandbox. */
  readonly connectionId: ConnectionId | null
  readonly journey: MandateJourney
  readonly payerAccount: PayerAccount | null
  /** At most 35 characters, as is `object` (R6). */
  readonly contract: string
  readonly object: string
  readonly customer: Customer
  readonly periodicity: Periodicity
  readonly startOn: CalendarDate
  readonly endOn: CalendarDate | null
  /** What every charge amounts to; null where it varies, which leaves the payer a maximum to set. */
  readonly amountCents: Cents | null
  /** No maximum of the payer's may be lower; null where the amount is fixed. */
  readonly minCents: Cents | null
  readonly allowsRetries: boolean
  /** The charge that its QR code also pays. */
  readonly txid: string | null
  readonly transactionId: TransactionId | null
}

export type MandateOperation = 'MANDATE_CREATE' | 'MANDATE_CANCEL' | 'SCHEDULE' | 'RESCHEDULE' | 'UNSCHEDULE'

/** A call to the bank that has no decisive answer yet. */
export type MandateCall = {
  readonly id: string
  readonly operation: MandateOperation
  /** What the bank knows the charge by; null for calls about the mandate itself. */
  readonly txid: string | null
  /** The day of the charge or of its retry. */
  readonly on: CalendarDate | null
  readonly amountCents: Cents
  readonly idempotency: Idempotency | null
  readonly openedAtMs: number
  readonly unanswered: number
  /** When it is repeated; null while it is on its way. */
  readonly dueAtMs: number | null
}

/** A charge by a mandate that can still bring money. */
export type ChargeByMandate = {
  readonly txid: string
  readonly transactionId: TransactionId
  readonly invoiceId: InvoiceId
  readonly amountCents: Cents
  readonly periodStart: CalendarDate
  readonly dueOn: CalendarDate
  readonly state: 'SCHEDULING' | 'OPEN' | 'CLOSING'
  /** Whether a QR code follows once it is closed. */
  readonly isReplaced: boolean
  /** Days on which the payer's bank tries, oldest first. */
  readonly attempts: readonly MandateAttempt[]
  readonly retries: number
  /** When the clock looks at it; null where only the bank has something to say. */
  readonly nextAtMs: number | null
}

export type MandateAttempt = {
  readonly on: CalendarDate
  readonly state: 'REQUESTED' | 'SCHEDULED' | 'PAID' | 'CANCELLED' | 'REJECTED' | 'EXPIRED'
  readonly code: string | null
}

export type MandateFact =
  /** The intent to offer it: the bank is called once this is on disk. */
  | (Fact<'MandateOffered'> & {
      readonly by: Initiator
      readonly mandate: OfferedMandate
      readonly call: MandateCall
      /** Whether the request that caused it waits for the answer. */
      readonly isAwaited: boolean
    })
  | (Fact<'MandateCalled'> & { readonly call: MandateCall })
  | (Fact<'MandateCalledAgain'> & { readonly callId: string })
  | (Fact<'MandateCallUnanswered'> & { readonly callId: string; readonly dueAtMs: number })
  /** The bank has made the mandate. */
  | (Fact<'MandateMade'> & {
      readonly callId: string
      readonly idRec: string
      readonly copyPaste: string | null
    })
  | (Fact<'MandateCallDone'> & { readonly callId: string })
  | (Fact<'MandateCallRefused'> & { readonly callId: string; readonly code: string | null })
  /** A call that is not made any more. */
  | (Fact<'MandateCallDropped'> & { readonly callId: string })
  | Fact<'MandateEnding'>
  | (Fact<'MandateStatusChanged'> & {
      readonly status: MandateStatus
      readonly closedBy: Mandate['closedBy']
      readonly code: string | null
      readonly maximumCents: Cents | null
    })
  | (Fact<'MandateChargeStarted'> & { readonly charge: ChargeByMandate })
  | (Fact<'MandateChargeChanged'> & {
      readonly txid: string
      readonly changes: Partial<
        Pick<ChargeByMandate, 'state' | 'isReplaced' | 'attempts' | 'retries' | 'nextAtMs'>
      >
    })
  /** Whether its period may have another one. */
  | (Fact<'MandateChargeEnded'> & { readonly txid: string; readonly isPeriodFree: boolean })

type Fact<Type extends string> = ActorFact<'mandate', Type>

/** Whether it still is, or may become, something to charge by. */
export const isMandateOpen = ({ status, isEnding }: Pick<Mandate, 'status' | 'isEnding'>): boolean =>
  !isEnding && (status === 'CREATED' || status === 'ACTIVE')

/** Whether the payer's bank tries, or was asked to: no QR code may be live beside it (rails, section 4). */
export const hasLiveAttempt = (
  { calls }: Pick<Mandate, 'calls'>,
  { state, txid, attempts }: ChargeByMandate,
): boolean =>
  state === 'SCHEDULING' ||
  attempts.some((attempt) => attempt.state === 'REQUESTED' || attempt.state === 'SCHEDULED') ||
  calls.some((call) => call.txid === txid && call.operation === 'RESCHEDULE')

/** The members that its subscription shows. */
export const heldOf = (mandate: Mandate): HeldMandate => {
  const { id, idRec, status, journey, amountCents, maximumCents, periodicity } = mandate
  const { startOn, endOn, closedBy, code, copyPaste } = mandate
  return {
    id,
    idRec,
    status,
    journey,
    amountCents,
    maximumCents,
    periodicity,
    startOn,
    endOn,
    closedBy,
    code,
    copyPaste,
  }
}
