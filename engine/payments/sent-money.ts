import type { Rejection } from '../kernel/registry.ts'
import { dayMs } from '../shared/calendar.ts'
import type { Initiator } from '../shared/initiator.ts'
import type { Cents } from '../shared/money.ts'

/** A bank's answer to a request to send money: to the payee of a transfer, or to a recipient of parts. */
export type TransferAnswer =
  | {
      readonly type: 'DONE'
      /** The id that the bank gave it; null where it says none. */
      readonly endToEndId?: string | null
      /** What the bank took for it, where it says. */
      readonly tariffCents?: Cents
    }
  /** Nothing was paid, and nothing will be. The code is the bank's, of ISO 20022 as PIX uses them. */
  | { readonly type: 'REFUSED'; readonly code: string | null }
  /** It was undone; one that had arrived before it came back is reported as returned by itself, under the return's own id. */
  | { readonly type: 'UNDONE'; readonly hadArrived: boolean }
  | {
      readonly type: 'PENDING'
      readonly asksAgainInMs?: number | null
      readonly endToEndId?: string | null
      /** The bank's own number of the request, by which alone some banks are asked about it. */
      readonly bankNumber?: string
    }
  | {
      readonly type: 'SILENT'
      /** The bank can be asked about it no more. */
      readonly isLost?: true
      readonly bankNumber?: string
    }

/** What a bank says unasked of money that it was to send. The same said twice changes nothing. */
export type SentMoney = {
  readonly state: 'PROCESSING' | 'DONE' | 'REFUSED' | 'RETURNED'
  readonly amountCents: Cents
  /** The bank's id of the payment; null where it says none. */
  readonly railId: string | null
  /** The bank's code of a refusal. */
  readonly code: string | null
  /** All that has come back so far. */
  readonly returns: readonly (Pick<MoneyBack, 'id' | 'amountCents'> & { readonly atMs: number | null })[]
}

/** The refusal of a report that contradicts what is known of the money: a person has to look. */
export const contradicts = (currentStatus: string): Rejection => ({
  reason: 'INVALID_STATE',
  currentStatus,
  allowedStatuses: [],
})

/** What people say became of money about which its bank can be asked no more: it takes two of them. */
export type Declaration = {
  readonly outcome: 'SENT' | 'NOT_SENT'
  /** The id by which the bank's statement names what was sent; null for what was not. */
  readonly endToEndId: string | null
  readonly reason: string
}

/** A declaration that waits for a second person, or that one has confirmed. */
export type DeclaredOutcome = Declaration & {
  readonly by: Initiator
  readonly atMs: number
  /** Null while it waits. */
  readonly confirmedBy: Initiator | null
}

/** Whether two people say the same. What they give as their reasons may differ. */
export const isSameOutcome = (one: Declaration, other: Declaration): boolean =>
  one.outcome === other.outcome && one.endToEndId === other.endToEndId

/** The lookup key of what a bank has sent under its own id. */
export const railKey = (railId: string): string => `rail ${railId}`

/** The lookup key of what has left by a connection, by days: a key for all time would find ever more. */
export const paidOutKey = (connectionId: string, atMs: number): string =>
  `paid ${connectionId} ${Math.floor(atMs / dayMs)}`

/** Money that came back after it had arrived. */
export type MoneyBack = {
  /** The bank's id of the return, under which it counts once. */
  readonly id: string
  readonly amountCents: Cents
  readonly atMs: number
}

/** What of a list of returns is not booked yet: each counts once, by its id, also where the list has it twice. */
export const freshReturns = (
  booked: readonly MoneyBack[] = [],
  reported: SentMoney['returns'],
  nowMs: number,
): readonly MoneyBack[] => {
  const known = new Set(booked.map(({ id }) => id))
  return reported
    .filter(({ id }) => !known.has(id) && known.add(id))
    .map((part) => ({ ...part, atMs: part.atMs ?? nowMs }))
}
