import type { NewSession, NewTry } from '../../../../engine/checkout/session.ts'
import { forgottenCustomer } from '../../../../engine/shared/customer.ts'
import type { CheckoutSessionId } from '../../../../engine/shared/ids.ts'
import { enumeration, json, nullable, number, personal, personalJson, record, text } from '../../layout.ts'
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

/** What was known of a payer stays known: a session without any is never cleared (`sessionDueAtMs`). */
const withoutPayer = (session: NewSession): NewSession => ({
  ...session,
  customer: session.customer && forgottenCustomer,
  customValues: withoutTexts(session.customValues),
})

const withoutTexts = (values: NewSession['customValues']): NewSession['customValues'] =>
  Object.fromEntries(Object.keys(values).map((name) => [name, '']))

export const checkoutSessionFacts = {
  SessionOpened: [1, { ...head, session: personalJson(withoutPayer) }],
  SessionDiscounted: [2, { ...head, discount: nullable(json()) }],
  TryStarted: [
    3,
    {
      ...head,
      started,
      customer: nullable(personal(customerLayout, forgottenCustomer)),
      customerId: nullable(text()),
      receiptEmail: nullable(personal(text(), '')),
      language: enumeration({ pt: 1, en: 2 }),
      customValues: personalJson(withoutTexts),
    },
  ],
  TryEnded: [4, { ...head, number: number(), failureReason: nullable(failureReasonLayout) }],
  SessionCompleted: [5, { ...head, number: number(), subscriptionId: nullable(text()) }],
  SessionOver: [6, head],
  SessionExpired: [7, head],
  SessionCleared: [8, head],
  SessionProlonged: [10, { ...head, expiresAtMs: number() }],
  SessionMandateOffered: [11, { ...head, number: number(), mandateId: text() }, { since: 14 }],
  CardBlocked: [9, { ...head, limit: cardLimitLayout }],
} satisfies FactLayouts<'checkoutSession'>
