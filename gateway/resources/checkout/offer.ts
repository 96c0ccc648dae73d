import Type from 'typebox'
import type { Item, Offer } from '../../../engine/checkout/offer.ts'
import { checkoutMethods } from '../../../engine/checkout/offer.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { planTerms } from '../billing/plan.ts'
import {
  amountOf,
  booleanOf,
  count,
  listOf,
  nullableField,
  nullableText,
  ownMetadata,
  textOf,
} from '../fields.ts'
import { fieldsOf, part, same } from '../resource.ts'

const item = part<Item>().with({
  name: [textOf('What it is.'), same],
  quantity: [count('How many.'), same],
  unitAmount: [amountOf('What one costs.'), ({ unitCents }) => String(unitCents)],
})

const installments = part<Offer['installments']>().with({
  max: [count('How many at most.'), same],
  interestFreeUpTo: [count('Up to so many cost the payer nothing.'), same],
  monthlyRateBps: [count('Interest a month of more, in basis points.'), same],
  minInstallmentAmount: [
    amountOf('Smaller instalments are not offered.'),
    ({ minInstallmentCents }) => String(minInstallmentCents),
  ],
})

const use = (description: string) => described(choice('REQUIRED', 'OPTIONAL', 'HIDDEN'), description)

const customField = part<Offer['customFields'][number]>().with({
  key: [textOf('Its name.'), same],
  label: [textOf('What the page asks.'), same],
  required: [booleanOf('Whether nobody pays without it.'), same],
  type: [described(choice('TEXT', 'NUMBER', 'OPTION'), 'What is typed; OPTION is chosen.'), same],
  options: [listOf(Type.String(), 'What may be chosen.'), ({ options }) => [...options]],
})

export const checkoutMethod = choice(...checkoutMethods)

/** What sessions and links offer, as it was asked for, with defaults filled in. */
export const offerFields = fieldsOf<{ readonly offer: Offer }>().with({
  mode: [
    described(
      choice('PAYMENT', 'SUBSCRIPTION'),
      'SUBSCRIPTION begins a subscription with the first payment.',
    ),
    ({ offer }) => offer.mode,
  ],
  planId: [described(nullableText, 'The plan that is subscribed to.'), ({ offer }) => offer.planId],
  plan: [
    nullableField(planTerms.schema, 'The terms of the plan that payers are promised; null for a payment.'),
    ({ offer }) => (offer.plan === undefined ? null : planTerms.view(offer.plan)),
  ],
  trialDays: [
    nullableField(count('Days.'), 'How long nothing is due, of a subscription.'),
    ({ offer }) => offer.trialDays,
  ],
  pixAutomatic: [
    nullableField(
      booleanOf('As it was sent.'),
      'Whether the code of a PIX also offers Pix Automático; null for wherever it can.',
    ),
    ({ offer }) => offer.pixAutomatic ?? null,
  ],
  items: [listOf(item.schema, 'What is paid for.'), ({ offer }) => offer.items.map((one) => item.view(one))],
  methods: [listOf(checkoutMethod, 'How it may be paid.'), ({ offer }) => [...offer.methods]],
  installments: [
    described(installments.schema, 'Of a credit card.'),
    ({ offer }) => installments.view(offer.installments),
  ],
  collect: [
    Type.Object(
      {
        name: use('The payer’s name.'),
        document: use('CPF or CNPJ.'),
        email: use('Where the receipt goes.'),
        phone: use('With area code.'),
        address: use('The whole address.'),
      },
      { description: 'What the page asks for.' },
    ),
    ({ offer }) => ({ ...offer.collect }),
  ],
  customFieldsAsked: [
    listOf(customField.schema, 'Your own fields that the page asks for.'),
    ({ offer }) => offer.customFields.map((one) => customField.view(one)),
  ],
  pixExpiresInSeconds: [count('How long a PIX code can be paid.'), ({ offer }) => offer.pixExpiresInSeconds],
  boletoDueDays: [count('A boleto is due after so many days.'), ({ offer }) => offer.boletoDueDays],
  capture: [booleanOf('Whether a card is captured at once.'), ({ offer }) => offer.captures],
  threeDSecure: [
    described(choice('OFF', 'WHEN_SUPPORTED', 'REQUIRED'), 'Whether the bank of a card asks its holder.'),
    ({ offer }) => offer.threeDSecure,
  ],
  allowCoupons: [booleanOf('Whether the page takes coupons.'), ({ offer }) => offer.allowsCoupons],
  splitRuleId: [
    described(nullableText, 'The rule that divides the payment.'),
    ({ offer }) => offer.splitRuleId,
  ],
  description: [described(nullableText, 'Shown to the payer.'), ({ offer }) => offer.description],
  reference: [described(nullableText, 'As it was sent.'), ({ offer }) => offer.reference],
  metadata: [ownMetadata, ({ offer }) => offer.metadata],
  successUrl: [described(nullableText, 'Where the payer goes afterwards.'), ({ offer }) => offer.successUrl],
  cancelUrl: [
    described(nullableText, 'Where a payer goes who does not pay.'),
    ({ offer }) => offer.cancelUrl,
  ],
  locale: [
    described(choice('pt-BR', 'en', 'auto'), 'The language of the page; `auto` is that of the browser.'),
    ({ offer }) => offer.locale,
  ],
  embed: [
    nullableField(
      Type.Object({ origins: Type.Array(Type.String(), { description: 'The origins of those pages.' }) }),
      'Pages that may show it in a frame.',
    ),
    ({ offer }) => offer.embedOrigins && { origins: [...offer.embedOrigins] },
  ],
})
