import { onThere } from '../../transaction/turn.ts'
import type { PaymentMethod } from '../method.ts'
import { disputeChargeback, openChargeback, resolveChargeback } from './chargeback.ts'
import { chargebackEnds, givesUp } from './due-work.ts'
import { cardFee } from './fee.ts'
import { captureCharge, createCardPayment, giveUpAuthorization, resolveAuthorization } from './payment.ts'
import { cardRefunds } from './refunds.ts'
import { seedCard } from './seed.ts'
import { cardSteps } from './steps.ts'

export const creditCard: PaymentMethod<'CREDIT_CARD'> = {
  product: 'CARD',
  familyOf: () => 'CARD',
  feeTerms: (fees, { card }) => cardFee(fees, 'CREDIT', card!),
  create: createCardPayment,
  deciders: {
    CaptureCharge: captureCharge,
    ResolveAuthorization: resolveAuthorization,
    GiveUpAuthorization: onThere(giveUpAuthorization),
    OpenChargeback: openChargeback,
    DisputeChargeback: disputeChargeback,
    ResolveChargeback: resolveChargeback,
  },
  steps: cardSteps,
  dueWork: (transaction) => [givesUp(transaction), chargebackEnds(transaction)],
  keys: ({ card: { acquirer } }) => [acquirer?.nsu ?? null, acquirer?.tid ?? null],
  refunds: cardRefunds,
  seed: (seed, turn) => seedCard(seed, seed.installments, turn),
}

/** It is paid at once, and is not offered to merchants yet. */
export const debitCard: PaymentMethod<'DEBIT_CARD'> = {
  ...creditCard,
  feeTerms: (fees, { card }) => cardFee(fees, 'DEBIT', card!),
  create: null,
  seed: (seed, turn) => seedCard(seed, 1, turn),
}
