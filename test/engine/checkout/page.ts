import type {
  CreateLink,
  OpenSession,
  PayLink,
  Payment,
  PaySession,
} from '../../../engine/checkout/commands.ts'
import type { NewLink, PaymentLink } from '../../../engine/checkout/link.ts'
import type { Offer } from '../../../engine/checkout/offer.ts'
import type { CheckoutSession } from '../../../engine/checkout/session.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import { isByCard } from '../../../engine/payments/methods/card/terms.ts'
import type { CheckoutSessionId, PaymentLinkId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aPayer, newTransactionId, ours, type World } from '../world.ts'

/** A page that offers everything, and asks for nothing. */
export const anOffer: Offer = {
  mode: 'PAYMENT',
  planId: null,
  trialDays: null,
  items: [],
  methods: ['PIX', 'BOLETO', 'CREDIT_CARD', 'CRYPTO'],
  installments: {
    max: 1,
    interestFreeUpTo: 1,
    monthlyRateBps: 0,
    minInstallmentCents: toCents(500),
  },
  collect: { name: 'OPTIONAL', document: 'OPTIONAL', email: 'OPTIONAL', phone: 'HIDDEN', address: 'HIDDEN' },
  customFields: [],
  pixExpiresInSeconds: 1800,
  boletoDueDays: 3,
  captures: true,
  threeDSecure: 'WHEN_SUPPORTED',
  allowsCoupons: true,
  splitRuleId: null,
  description: 'Curso de barista',
  reference: null,
  metadata: {},
  successUrl: null,
  cancelUrl: null,
  locale: 'pt-BR',
  embedOrigins: null,
}

let pages = 0
const next = (): string => String(++pages).padStart(26, '0')

export const aSession = (
  offer: Partial<Offer> = {},
  {
    couponCode = null,
    lifeMs = 86_400_000,
    ...change
  }: Partial<OpenSession['session'] & Pick<OpenSession, 'couponCode' | 'lifeMs'>> = {},
): OpenSession => {
  const id = next()
  return {
    type: 'OpenSession',
    ...ours,
    checkoutSessionId: `cks_${id}` as CheckoutSessionId,
    couponCode,
    lifeMs,
    session: {
      offer: { ...anOffer, ...offer },
      amountCents: toCents(10_000),
      customer: null,
      customerId: null,
      customValues: {},
      externalId: null,
      tokenHash: `hash ${id}`,
      ...change,
    },
  }
}

const aCard = (token: string): Payment['card'] => ({
  token,
  tokenFingerprint: 'f',
  brand: 'VISA',
  last4: '4242',
  bin: null,
  holderName: null,
})

export const aPaymentBy = (
  method: Payment['method'],
  token = 'tok_test_approved',
  installments = 1,
): Payment => ({
  transactionId: newTransactionId(),
  method,
  installments,
  card: isByCard(method) ? aCard(token) : null,
  trier: isByCard(method) ? { address: 'a', network: 'n', bin: null } : null,
  crypto: method === 'CRYPTO' ? { asset: 'USDC', network: 'BASE' } : null,
  customer: method === 'BOLETO' ? aPayer : null,
  receiptEmail: null,
  language: 'pt',
  customValues: {},
})

export const payer = { kind: 'PAYER', id: null } as const

export const paying = (
  world: World,
  { checkoutSessionId }: Pick<OpenSession, 'checkoutSessionId'>,
  payment: Payment,
  more: Partial<PaySession> = {},
): PaySession => ({
  type: 'PaySession',
  accountId: ours.accountId,
  by: payer,
  checkoutSessionId,
  version: world.memory.find('checkoutSession', checkoutSessionId)?.state.version ?? 0,
  payment,
  ...more,
})

export const aLink = (link: Partial<Omit<NewLink, 'offer'>> = {}, offer: Partial<Offer> = {}): CreateLink => {
  const id = next()
  return {
    type: 'CreateLink',
    ...ours,
    paymentLinkId: `lnk_${id}` as PaymentLinkId,
    link: {
      offer: { ...anOffer, ...offer },
      name: 'Curso',
      title: 'Curso de barista',
      price: { mode: 'FIXED', amountCents: toCents(10_000) },
      quantity: null,
      maxPayments: null,
      expiresAtMs: null,
      externalIdPrefix: null,
      tokenHash: `hash ${id}`,
      ...link,
    },
  }
}

export const payingAt = (
  { paymentLinkId }: Pick<CreateLink, 'paymentLinkId'>,
  payment: Payment,
  more: Partial<PayLink> = {},
): PayLink => {
  const id = next()
  return {
    type: 'PayLink',
    accountId: ours.accountId,
    by: payer,
    linkId: paymentLinkId,
    checkoutSessionId: `cks_${id}` as CheckoutSessionId,
    tokenHash: `hash ${id}`,
    amountCents: null,
    quantity: 1,
    couponCode: null,
    payment,
    ...more,
  }
}

export const sessionAt = (
  world: World,
  { checkoutSessionId }: { checkoutSessionId: string },
): CheckoutSession => world.memory.find('checkoutSession', checkoutSessionId)!.state

export const linkAt = (world: World, { paymentLinkId }: { paymentLinkId: string }): PaymentLink =>
  world.memory.find('paymentLink', paymentLinkId)!.state

export const prolonging = ({ checkoutSessionId }: Pick<OpenSession, 'checkoutSessionId'>): Command => ({
  type: 'ProlongSession',
  accountId: ours.accountId,
  by: payer,
  checkoutSessionId,
})

export const expiring = ({ checkoutSessionId }: Pick<OpenSession, 'checkoutSessionId'>): Command => ({
  type: 'ExpireSession',
  ...ours,
  checkoutSessionId,
})
