import type { AcquirerData, Card, ThreeDSecure } from '../../../../../engine/payments/methods/card/card.ts'
import { bool, enumeration, json, nullable, number, personal, record, since, text } from '../../../layout.ts'
import { failureReasonLayout } from '../../shared.ts'
import { answerHead, factHead, failureDetailLayout, receivablesLayout, reversalLayout } from '../parts.ts'
import type { MethodLayouts } from './method-layouts.ts'

const acquirerLayout = record<AcquirerData>({
  nsu: nullable(text()),
  tid: nullable(text()),
  authorizationCode: nullable(text()),
  returnCode: text(),
  message: text(),
})

const cardLayout = record<Card>({
  token: text(),
  tokenFingerprint: text(),
  brand: enumeration({ VISA: 1, MASTERCARD: 2, ELO: 3, AMEX: 4, HIPERCARD: 5, OTHER: 6 }),
  last4: text(),
  bin: nullable(text()),
  holderName: personal(nullable(text()), null),
  installments: number(),
  captures: bool,
  acquirer: nullable(acquirerLayout),
  authorizedAtMs: nullable(number()),
  capturedAtMs: nullable(number()),
  capturedCents: nullable(number()),
  threeDSecure: since(
    12,
    nullable(
      record<ThreeDSecure>({
        status: enumeration({ AUTHENTICATED: 1, ATTEMPTED: 2, NOT_AUTHENTICATED: 3, UNAVAILABLE: 4 }),
        eci: nullable(text()),
      }),
    ),
    null,
  ),
})

export const cardLayouts = {
  means: {
    tag: 3,
    isOf: (means) => 'card' in means,
    layout: record({ card: cardLayout }),
  },
  facts: {
    AuthorizationPending: [15, { ...answerHead, dueAtMs: number() }],
    CardApproved: [
      16,
      { ...answerHead, acquirer: acquirerLayout, feeCents: number(), receivables: receivablesLayout },
    ],
    CardAuthorized: [17, { ...answerHead, acquirer: acquirerLayout, expiresAtMs: number() }],
    CardDeclined: [
      18,
      {
        ...answerHead,
        acquirer: acquirerLayout,
        failureReason: failureReasonLayout,
        failureDetail: failureDetailLayout,
      },
    ],
    AuthorizationTimedOut: [19, answerHead],
    AuthorizationReversed: [20, answerHead],
    CardCaptured: [
      21,
      { ...answerHead, capturedCents: number(), feeCents: number(), receivables: receivablesLayout },
    ],
    CaptureRefused: [22, { ...answerHead, message: text() }],
    CardVoided: [23, { ...answerHead, reason: nullable(text()) }],
    VoidRefused: [24, { ...answerHead, message: text() }],
    // Disputes are rare, so JSON is small enough.
    ChargebackOpened: [28, { ...factHead, chargeback: json(), reversal: reversalLayout }],
    ChargebackGrown: [
      79,
      { ...factHead, chargebackId: text(), feeCents: number(), reversal: reversalLayout },
      { since: 14 },
    ],
    ChargebackDisputed: [29, { ...factHead, chargebackId: text(), text: personal(text(), '') }],
    ChargebackWon: [30, { ...factHead, chargebackId: text(), release: reversalLayout }],
    ChargebackLost: [
      31,
      {
        ...factHead,
        chargebackId: text(),
        lostReason: enumeration({ NO_DEFENSE: 1, DEFENSE_REJECTED: 2 }),
        receivables: receivablesLayout,
      },
    ],
  },
} satisfies MethodLayouts<'CREDIT_CARD'>
