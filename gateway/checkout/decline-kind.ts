import type { FailureReason } from '../../engine/payments/transaction/transaction.ts'

/**
 * What a payer is told of a declined card (checkout, section 3): one of six, since a finer answer is what those who test stolen cards
 * want. Lost, stolen and suspected cards read like any that the bank does not allow.
 */
export type DeclineKind = 'FUNDS' | 'LIMIT' | 'DATA' | 'BLOCKED' | 'NOT_ALLOWED' | 'TRY_AGAIN'

/** The kind of a decline. Whatever is not known to be another reads as not allowed. */
export const declineKindOf = (reason: FailureReason | null): DeclineKind => {
  switch (reason) {
    case 'INSUFFICIENT_FUNDS':
      return 'FUNDS'
    case 'AMOUNT_LIMIT_EXCEEDED':
      return 'LIMIT'
    case 'INVALID_CARD':
    case 'EXPIRED_CARD':
      return 'DATA'
    case 'CARD_TEMPORARILY_BLOCKED':
    case 'CARD_NOT_UNLOCKED':
      return 'BLOCKED'
    case 'ISSUER_UNAVAILABLE':
    case 'ACQUIRER_TIMEOUT':
    case 'PROVIDER_ERROR':
      return 'TRY_AGAIN'
    default:
      return 'NOT_ALLOWED'
  }
}
