import type { Transaction } from '../transaction/transaction.ts'
import type { ReceivedPix } from './received.ts'

/** What the overview knows of a received PIX without its state. */
export type ReceivedRow = {
  readonly amountCents: number
  /** Of the charge that it paid; nothing for what went back. */
  readonly feeCents: number
  readonly isReturned: boolean
  readonly isDeposit: boolean
}

export const receivedRowOf = (received: ReceivedPix, transaction: Transaction | undefined): ReceivedRow => {
  const isReturned = received.returnReason !== null
  return {
    amountCents: received.amountCents,
    feeCents: isReturned ? 0 : (transaction?.feeCents ?? 0),
    isReturned,
    isDeposit: !isReturned && transaction?.origin === 'DEPOSIT',
  }
}
