import type { AccountId, TransferId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Cents } from '../../shared/money.ts'
import type { TransferMethod } from '../asked.ts'
import type { BankPayee } from '../payees/payee.ts'

declare module '../../kernel/calls.ts' {
  interface ProviderRequests {
    readonly transfers: TransferRequest
  }
}

/**
 * Asks a bank to send money. The request names the owner that the company expects: a bank that finds another owner
 * of the key pays nothing, and refuses with the code OWNER. Plain data.
 */
export type TransferRequest = {
  /** The call's id, which makes repeating the request harmless. */
  readonly reference: string
  readonly operation: 'SEND_TRANSFER'
  /** How often it may have been sent before. */
  readonly asked: number
  readonly rail: 'PAYOUT'
  /** The bank that was chosen for it, and stays its bank; null for the one of the Sandbox. */
  readonly providerId: string | null
  readonly connectionId: string | null
  readonly accountId: AccountId
  readonly transferId: TransferId
  readonly kind: TransferMethod
  readonly amountCents: Cents
  readonly payee: BankPayee
  readonly endToEndId: string | null
  /** The bank's own number of it; null where it has given none. */
  readonly bankNumber: string | null
  readonly description: string | null
  readonly metadata: Metadata
  readonly openedAtMs: number
  readonly nowMs: number
}

/** The code with which a bank refuses because the key has another owner. */
export const ownerChanged = 'OWNER'
