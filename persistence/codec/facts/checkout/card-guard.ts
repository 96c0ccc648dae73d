import type { CardLimit, CardTry } from '../../../../engine/checkout/card-guard.ts'
import type { CardGuardId, CheckoutSessionId, PaymentLinkId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<CardGuardId>(), atMs: number() }

export const cardLimitLayout = enumeration<CardLimit>({
  SESSION: 1,
  ADDRESS: 2,
  NETWORK: 3,
  BIN: 4,
  COMPANY: 5,
  ATTACK: 6,
})

const tried = record<Omit<CardTry, 'atMs' | 'isDeclined'>>({
  sessionId: text<CheckoutSessionId>(),
  linkId: nullable(text<PaymentLinkId>()),
  address: text(),
  network: text(),
  bin: nullable(text()),
})

export const cardGuardFacts = {
  GuardPosted: [1, { ...head, accountId: text() }],
  CardTried: [2, { ...head, tried }],
  CardJudged: [3, { ...head, sessionId: text<CheckoutSessionId>(), isDeclined: bool }],
  LimitMet: [4, { ...head, linkId: nullable(text<PaymentLinkId>()), limit: cardLimitLayout }],
  AttackBegan: [5, { ...head, linkId: text<PaymentLinkId>(), untilMs: number() }],
  CardsClosed: [6, { ...head, declines: number() }],
} satisfies FactLayouts<'cardGuard'>
