import type { Rejection } from '../kernel/registry.ts'
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
    }
  | { readonly type: 'SILENT' }

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
