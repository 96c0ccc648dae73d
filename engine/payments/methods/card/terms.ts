import type { Card } from './card.ts'

export type CardMethod = 'CREDIT_CARD' | 'DEBIT_CARD'

/** Whether a payment by a method is made with a card. */
export const isByCard = (method: string | undefined): method is CardMethod =>
  method === 'CREDIT_CARD' || method === 'DEBIT_CARD'

/** A card, known to the acquirer by its token. */
export type CardTerms<Name extends CardMethod = CardMethod> = {
  readonly method: Name
  readonly installments: number
  readonly captures: boolean
  readonly card: Pick<Card, 'token' | 'tokenFingerprint' | 'brand' | 'last4' | 'bin' | 'holderName'> &
    Partial<Pick<Card, 'threeDSecure'>>
}
