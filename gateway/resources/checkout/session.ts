import Type from 'typebox'
import type { CheckoutSession, Try } from '../../../engine/checkout/session.ts'
import { priceCents, sessionStatuses } from '../../../engine/checkout/session.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { forgottenCustomer } from '../../../engine/shared/customer.ts'
import { accountIdOf, environmentOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { eventResource } from '../event-data.ts'
import {
  anyObject,
  brlField,
  cents,
  count,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  ownMetadata,
} from '../fields.ts'
import { customer, shownCustomer } from '../payments/customer.ts'
import { fieldsOf, resource, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { offerFields } from './offer.ts'

/** The address of a page, by the id of its session or link. */
export type UrlOf = (id: CheckoutSession['id']) => string

/** What answers and events both say. */
const ownFields = fieldsOf<CheckoutSession>().with({
  ...identityFields('cks', 'checkout_session'),
  environment: [
    described(choice('SANDBOX', 'PRODUCTION'), 'Where it is.'),
    ({ accountId }) => environmentOf(accountId),
  ],
  version: [count('Grows by one with every change.'), same],
  status: [
    described(
      choice(...sessionStatuses),
      'OPEN waits for the payer, PROCESSING for a payment; COMPLETED and EXPIRED are final.',
    ),
    same,
  ],
  linkId: [described(nullableText, 'The payment link that opened it; null for one that you created.'), same],
  origin: [
    described(choice('CHECKOUT', 'LINK'), 'That of its transactions.'),
    ({ linkId }) => (linkId === null ? 'CHECKOUT' : 'LINK'),
  ],
  amount: [
    nonNegativeAmountOf('The price, without interest and before a coupon; of a plan, what is due at first.'),
    ({ amountCents }) => String(amountCents),
  ],
  discountAmount: [
    nonNegativeAmountOf('What a coupon takes off.'),
    ({ discount }) => String(discount?.cents ?? 0),
  ],
  interestAmount: [
    nonNegativeAmountOf('What the payer pays for instalments: those chosen last.'),
    ({ tries }) => String(tries.at(-1)?.interestCents ?? 0),
  ],
  totalAmount: [
    nullableField(cents, 'What the payer pays: of the charge chosen last, in centavos. Null while none was.'),
    ({ tries }) => lastTotal(tries),
  ],
  currency: brlField,
  transactionId: [described(nullableText, 'The transaction that paid it.'), same],
  transactionIds: [
    listOf(Type.String(), 'Every transaction that it made, oldest first.'),
    ({ tries }) => tries.map(({ transactionId }) => transactionId),
  ],
  subscriptionId: [described(nullableText, 'The subscription that it began.'), same],
  attempts: [count('How many charges it has made.'), ({ tries }) => tries.length],
  externalId: [described(nullableText, 'Your own identifier of the order.'), same],
  metadata: [ownMetadata, ({ offer }) => offer.metadata],
  expiresAt: [
    described(
      instant,
      'Until when it can be paid. A payer who needs more time can prolong it once by half, up to thirty days in all.',
    ),
    ({ expiresAtMs }) => isoInstant(expiresAtMs),
  ],
  completedAt: [
    nullableField(instant, 'When it was paid.'),
    ({ completedAtMs }) => instantOrNull(completedAtMs),
  ],
  ...datedFields,
})

/** A session as its events show it. */
export const checkoutSessionEvent = eventResource<CheckoutSession>(
  'CheckoutSessionEventData',
  'The session as it was at this event.',
).with(ownFields)

/** A page where one payer pays once (checkout, section 1). */
export const checkoutSession = resource<CheckoutSession, [urlOf: UrlOf]>(
  'CheckoutSession',
  'A page where one payer chooses how to pay, and pays.',
).with({
  ...ownFields,
  url: [
    described(Type.String(), 'The page. Who has it can pay: send it to the payer alone.'),
    ({ id }, urlOf) => urlOf(id),
  ],
  payableAmount: [
    nonNegativeAmountOf('The price less the coupon, in one payment.'),
    (session) => String(priceCents(session)),
  ],
  couponCode: [
    described(nullableText, 'The coupon that the payer uses.'),
    ({ discount }) => discount?.code ?? null,
  ],
  pixMandateId: [
    described(
      nullableText,
      'The mandate of Pix Automático that the code of the charge made last also offers. The subscription that its payment begins has it; it ends if that charge is not paid.',
    ),
    ({ tries }) => tries.at(-1)?.mandateId ?? null,
  ],
  ...offerFields,
  customer: [
    nullableField(customer, 'The payer, as you named them or as they typed; null before that.'),
    ({ customer }) => (customer?.name === forgottenCustomer.name ? null : shownCustomer(customer)),
  ],
  customerId: [described(nullableText, 'The registered customer that you named.'), same],
  customFields: [
    described(anyObject, 'What the payer typed into your own fields, by key.'),
    ({ customValues }) => customValues,
  ],
})

/** A paid or expired session; its sample events are rendered from it. */
export const checkoutSessionSample = (
  { id, atMs }: Sample,
  status: 'COMPLETED' | 'EXPIRED',
): CheckoutSession => {
  const isPaid = status === 'COMPLETED'
  const paid: Try = {
    number: 1,
    method: 'PIX',
    transactionId: id('txn'),
    installments: 1,
    totalCents: toCents(24_900),
    interestCents: toCents(0),
    status: 'PAID',
    failureReason: null,
    startedAtMs: atMs,
    endedAtMs: atMs,
  }
  return {
    id: id('cks'),
    accountId: accountIdOf(id('cmp'), 'SANDBOX'),
    status,
    version: isPaid ? 3 : 2,
    linkId: null,
    offer: { metadata: {} } as CheckoutSession['offer'],
    amountCents: toCents(24_900),
    discount: null,
    customer: null,
    customerId: null,
    customValues: {},
    externalId: 'pedido-1001',
    expiresAtMs: atMs + 86_400_000,
    tokenHash: '',
    tries: isPaid ? [paid] : [],
    transactionId: isPaid ? paid.transactionId : null,
    subscriptionId: null,
    isCardBlocked: false,
    receiptEmail: null,
    language: 'pt',
    isOver: false,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    completedAtMs: isPaid ? atMs : null,
  }
}

const lastTotal = (tries: readonly Try[]): string | null => {
  const last = tries.at(-1)
  return last === undefined ? null : String(last.totalCents)
}
