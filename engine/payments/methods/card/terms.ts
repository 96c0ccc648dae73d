import type { Card } from './card.ts'

/** A card, known to the acquirer by its token. */
export type CardTerms = {
  readonly method: 'CREDIT_CARD'
  readonly installments: number
  readonly captures: boolean
  readonly card: Pick<Card, 'token' | 'tokenFingerprint' | 'brand' | 'last4' | 'bin' | 'holderName'> &
    Partial<Pick<Card, 'threeDSecure'>>
}
