import type { CalendarDate } from '../../shared/calendar.ts'
import type { AccountId, MandateId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import type { Mandate, MandateCall, MandateOperation } from './mandate.ts'

declare module '../../kernel/calls.ts' {
  interface ProviderRequests {
    readonly mandates: MandateRequest
  }
}

/** A request to the bank about a mandate or a charge by it. Plain data. */
export type MandateRequest = {
  readonly reference: string
  readonly operation: MandateOperation
  /** How often it may have been sent before. */
  readonly asked: number
  readonly rail: 'PIX'
  readonly accountId: AccountId
  readonly mandateId: MandateId
  readonly providerId: string
  readonly connectionId: string | null
  readonly amountCents: Cents
  /** The bank's id of the mandate; null until it has given one. */
  readonly idRec: string | null
  readonly offer: Pick<
    Mandate,
    | 'journey'
    | 'payerAccount'
    | 'contract'
    | 'object'
    | 'customer'
    | 'periodicity'
    | 'startOn'
    | 'endOn'
    | 'amountCents'
    | 'minCents'
    | 'allowsRetries'
    | 'txid'
  >
  /** The charge that a call is about; null for one about the mandate itself. */
  readonly charge: { readonly txid: string; readonly on: CalendarDate } | null
  readonly openedAtMs: number
  readonly nowMs: number
}

/** The bank's answer. */
export type MandateAnswer =
  /** Done, with the mandate where one was offered. */
  | { readonly type: 'DONE'; readonly idRec: string | null; readonly copyPaste: string | null }
  /** Nothing was done, or nothing is left of it. */
  | { readonly type: 'REFUSED'; readonly code: string | null }
  | { readonly type: 'PENDING'; readonly asksAgainInMs?: number | null }
  | { readonly type: 'SILENT' }

/** The request of a call. */
export const mandateRequest = (mandate: Mandate, call: MandateCall, nowMs: number): MandateRequest => {
  const { id: mandateId, accountId, providerId, connectionId, idRec } = mandate
  const { journey, payerAccount, contract, object, customer, periodicity, startOn, endOn } = mandate
  const { minCents, allowsRetries, txid } = mandate
  return {
    reference: call.id,
    operation: call.operation,
    asked: call.unanswered,
    rail: 'PIX',
    accountId,
    mandateId,
    providerId,
    connectionId,
    amountCents: call.amountCents,
    idRec,
    offer: {
      journey,
      payerAccount,
      contract,
      object,
      customer,
      periodicity,
      startOn,
      endOn,
      amountCents: mandate.amountCents,
      minCents,
      allowsRetries,
      txid,
    },
    charge: call.txid === null || call.on === null ? null : { txid: call.txid, on: call.on },
    openedAtMs: call.openedAtMs,
    nowMs,
  }
}
