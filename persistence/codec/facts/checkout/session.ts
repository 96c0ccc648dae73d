import type { NewTry } from '../../../../engine/checkout/session.ts'
import type { CheckoutSessionId } from '../../../../engine/shared/ids.ts'
import { enumeration, json, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { customerLayout, failureReasonLayout } from '../shared.ts'
import { cardLimitLayout } from './card-guard.ts'

const head = { id: text<CheckoutSessionId>(), atMs: number() }

const started = record<NewTry>({
  number: number(),
  method: enumeration({ PIX: 1, BOLETO: 2, CREDIT_CARD: 3, CRYPTO: 4, DEBIT_CARD: 5 }),
  transactionId: text(),
  installments: number(),
  totalCents: number(),
  interestCents: number(),
})

export const checkoutSessionFacts = {
  SessionOpened: [1, { ...head, session: json() }],
  SessionDiscounted: [2, { ...head, discount: nullable(json()) }],
  TryStarted: [
    3,
    {
      ...head,
      started,
      customer: nullable(customerLayout),
      customerId: nullable(text()),
      receiptEmail: nullable(text()),
      language: enumeration({ pt: 1, en: 2 }),
      customValues: json(),
    },
  ],
  TryEnded: [4, { ...head, number: number(), failureReason: nullable(failureReasonLayout) }],
  SessionCompleted: [5, { ...head, number: number(), subscriptionId: nullable(text()) }],
  SessionOver: [6, head],
  SessionExpired: [7, head],
  SessionCleared: [8, head],
  SessionProlonged: [10, { ...head, expiresAtMs: number() }],
  CardBlocked: [9, { ...head, limit: cardLimitLayout }],
} satisfies FactLayouts<'checkoutSession'>
