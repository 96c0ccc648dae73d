import type { Transaction } from '../transaction/transaction.ts'
import type { ReceivedPix } from './received.ts'

/** The columns of a received PIX, which overviews read instead of its state. */
export type ReceivedRow = {
  readonly amountCents: number
  /** The fee of the charge that it paid; zero if it was returned. */
  readonly feeCents: number
  readonly isReturned: boolean
  readonly isDeposit: boolean
}

/** The row of a received PIX, with the fee of the charge that it paid. */
export const receivedRowOf = (received: ReceivedPix, transaction: Transaction | undefined): ReceivedRow => {
  const isReturned = received.returnReason !== null
  return {
    amountCents: received.amountCents,
    feeCents: isReturned ? 0 : (transaction?.feeCents ?? 0),
    isReturned,
    isDeposit: !isReturned && transaction?.origin === 'DEPOSIT',
  }
}
