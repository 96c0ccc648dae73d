import { onExisting } from '../../transaction/charge-context.ts'
import type { PaymentMethod } from '../method.ts'
import { cardBookings } from './bookings.ts'
import type { Card } from './card.ts'
import { disputeChargeback, openChargeback, resolveChargeback } from './chargeback.ts'
import type { CardCommand } from './commands.ts'
import { authorizationTimer, chargebackTimer } from './due-work.ts'
import { cardEvolvers } from './evolve.ts'
import type { CardFact } from './facts.ts'
import { cardFeeTerms } from './fee.ts'
import { captureCharge, createCardPayment, resolveAuthorization, timeOutAuthorization } from './payment.ts'
import { cardEvents } from './publishes.ts'
import { cardRefunds } from './refunds.ts'
import { seedCard } from './seed.ts'
import { cardStepNames } from './step-names.ts'
import type { CardTerms } from './terms.ts'

declare module '../../../shared/method.ts' {
  interface Methods {
    readonly CREDIT_CARD: CardPayment & { readonly terms: CardTerms<'CREDIT_CARD'> }
    readonly DEBIT_CARD: CardPayment & { readonly terms: CardTerms<'DEBIT_CARD'> }
  }
}

type CardPayment = {
  readonly means: { readonly card: Card }
  readonly commands: CardCommand
  readonly facts: CardFact
  readonly rail: 'CARD'
  readonly family: 'CARD'
}

export const creditCard: PaymentMethod<'CREDIT_CARD'> = {
  rail: 'CARD',
  names: { en: 'Credit card', pt: 'Cartão de crédito' },
  railNames: { en: 'Card', pt: 'Cartão' },
  stepNames: cardStepNames,
  familyOf: () => 'CARD',
  feeTerms: (fees, { card }) => cardFeeTerms(fees, 'CREDIT_CARD', card!),
  create: createCardPayment,
  deciders: {
    CaptureCharge: captureCharge,
    ResolveAuthorization: resolveAuthorization,
    TimeOutAuthorization: onExisting(timeOutAuthorization),
    OpenChargeback: openChargeback,
    DisputeChargeback: disputeChargeback,
    ResolveChargeback: resolveChargeback,
  },
  evolvers: cardEvolvers,
  publishes: cardEvents,
  bookings: cardBookings,
  dueWork: (transaction) => [authorizationTimer(transaction), chargebackTimer(transaction)],
  keys: ({ card: { acquirer } }) => [acquirer?.nsu ?? null, acquirer?.tid ?? null],
  reference: ({ card: { acquirer } }) => acquirer?.tid ?? null,
  fiscalMeans: ({ card: { acquirer } }) => ({ by: 'CREDIT_CARD', key: acquirer?.tid ?? null }),
  refunds: cardRefunds,
  seed: (seed, chargeContext) => seedCard(seed, seed.installments, chargeContext),
}

/** Captured at once, and taken only at pages, where the card's bank asks its holder. */
export const debitCard: PaymentMethod<'DEBIT_CARD'> = {
  ...creditCard,
  names: { en: 'Debit card', pt: 'Cartão de débito' },
  feeTerms: (fees, { card }) => cardFeeTerms(fees, 'DEBIT_CARD', card!),
  create: createCardPayment,
  fiscalMeans: ({ card: { acquirer } }) => ({ by: 'DEBIT_CARD', key: acquirer?.tid ?? null }),
  seed: (seed, chargeContext) => seedCard(seed, 1, chargeContext),
}
