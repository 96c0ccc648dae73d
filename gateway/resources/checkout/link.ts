import Type from 'typebox'
import { linkStatusAt, linkStatuses, type PaymentLink } from '../../../engine/checkout/link.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  amountOf,
  brlField,
  cents,
  count,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'
import { offerFields } from './offer.ts'

/** A page that many payers can pay at (checkout, section 1). */
export const paymentLink = resource<PaymentLink, [nowMs: number, urlOf: (id: PaymentLink['id']) => string]>(
  'PaymentLink',
  'An address that many payers can pay at: each pays on a page of their own.',
).with({
  ...identityFields('lnk', 'payment_link'),
  version: [count('Grows by one with every change.'), same],
  status: [
    described(choice(...linkStatuses), 'Only ACTIVE takes payments; EXHAUSTED has had as many as it may.'),
    (link, nowMs) => linkStatusAt(link, nowMs),
  ],
  url: [described(Type.String(), 'The address to share.'), ({ id }, _, urlOf) => urlOf(id)],
  name: [textOf('What you call it.'), same],
  title: [textOf('What payers read.'), same],
  amountMode: [described(choice('FIXED', 'OPEN'), 'OPEN lets the payer decide.'), ({ price }) => price.mode],
  amount: [
    nullableField(cents, 'What everybody pays, in centavos; null where the payer decides.'),
    ({ price }) => (price.mode === 'FIXED' ? String(price.amountCents) : null),
  ],
  minAmount: [
    nullableField(cents, 'The least that a payer may choose, in centavos.'),
    ({ price }) => (price.mode === 'OPEN' ? String(price.minCents) : null),
  ],
  maxAmount: [
    nullableField(cents, 'The most that a payer may choose, in centavos.'),
    ({ price }) => (price.mode === 'OPEN' ? String(price.maxCents) : null),
  ],
  suggestedAmounts: [
    Type.Array(cents, { description: 'What the page suggests, in centavos.' }),
    ({ price }) => (price.mode === 'OPEN' ? price.suggestedCents.map(String) : []),
  ],
  currency: brlField,
  ...offerFields,
  quantity: [
    nullableField(
      Type.Object({ min: count('At least.'), max: count('At most.') }),
      'How many a payer may buy at once; null: one.',
    ),
    same,
  ],
  maxPayments: [nullableField(Type.Integer(), 'After so many payments it is EXHAUSTED; null: never.'), same],
  paymentsCount: [count('How often it was paid.'), same],
  paidAmount: [amountOf('What was paid at it.'), ({ paidCents }) => String(paidCents)],
  expiresAt: [
    nullableField(instant, 'Until when pages are opened from it; null: for ever.'),
    ({ expiresAtMs }) => instantOrNull(expiresAtMs),
  ],
  externalIdPrefix: [described(nullableText, 'The `externalId` of its payments begins with it.'), same],
  ...datedFields,
})
