import Type, { type Static } from 'typebox'
import {
  type CheckoutMethod,
  type CustomField,
  checkoutMethods,
  type Item,
  type Offer,
} from '../../../engine/checkout/offer.ts'
import { isActive } from '../../../engine/companies/company.ts'
import { installmentsMax } from '../../../engine/ledger/card-rates.ts'
import type { SplitRuleId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import type { Product } from '../../../engine/shared/product.ts'
import type { RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import type { FieldError } from '../../problems/problem.ts'
import { booleanOf } from '../../resources/fields.ts'
import { detailsInput, referenceInput } from '../../resources/payments/charge-details.ts'
import { amount, choice, idParameter, oneOrMore, textUpTo, wholeNumber } from '../../schema/schema.ts'
import { splitField } from '../charge-input.ts'
import { planErrors, readCollect, readSoldPlan, trialDaysMax } from './plan-input.ts'

const use = (description: string) =>
  Type.Optional({ ...choice('REQUIRED', 'OPTIONAL', 'HIDDEN'), description })

export const itemInput = Type.Object({
  name: textUpTo(bounds.itemNameCharsMax, 'What it is, for the payer.'),
  quantity: wholeNumber(1, 999, 'How many.'),
  unitAmount: amount(bounds.amountCentsMax, 'What one costs.'),
})

/** Where a payer goes who has paid. */
export const successUrlInput = textUpTo(
  bounds.pageUrlCharsMax,
  'Where the payer goes afterwards: `https://…`. `{SESSION_ID}` in it is replaced.',
)

/** The fields that sessions and links share (checkout, section 1). */
export const offerInput = {
  mode: Type.Optional({
    ...choice('PAYMENT', 'SUBSCRIPTION'),
    description:
      'SUBSCRIPTION begins a subscription to `planId` with the first payment, or with a verified card where nothing is due yet. Default PAYMENT.',
  }),
  planId: Type.Optional(
    idParameter('With SUBSCRIPTION: the plan, which decides the price. Its terms are kept as they are now.'),
  ),
  trialDays: Type.Optional(
    wholeNumber(
      0,
      trialDaysMax,
      'With SUBSCRIPTION: instead of the plan’s own trial. In a trial only cards are taken.',
    ),
  ),
  pixAutomatic: Type.Optional(
    booleanOf(
      'With SUBSCRIPTION: whether the PIX code that pays first also authorizes what follows (Pix Automático). Default: wherever the connection and the plan’s interval allow it. `true` refuses the page where they do not; `false` never offers it.',
    ),
  ),
  items: Type.Optional(
    Type.Array(itemInput, {
      minItems: 1,
      maxItems: bounds.itemsMax,
      description: 'What is paid for, instead of `amount`: their sum is the amount.',
    }),
  ),
  methods: Type.Optional(
    Type.Array(choice(...checkoutMethods), {
      minItems: 1,
      uniqueItems: true,
      description:
        'How it may be paid. By default by every method whose product is active, but DEBIT_CARD: banks of debit cards always ask the holder (3-D Secure), and not every payer’s can.',
    }),
  ),
  installments: Type.Optional(
    Type.Object(
      {
        max: wholeNumber(1, installmentsMax, 'How many at most.'),
        interestFreeUpTo: Type.Optional(
          wholeNumber(1, installmentsMax, 'Up to so many cost the payer nothing. Default 1.'),
        ),
        monthlyRateBps: Type.Optional(
          wholeNumber(0, 500, 'Interest a month of more instalments, in basis points. Default 0.'),
        ),
        minInstallmentAmount: Type.Optional(
          amount(
            bounds.amountCentsMax,
            'Smaller instalments are not offered. At least, and by default, 500.',
          ),
        ),
      },
      { description: 'Of a credit card. By default one.' },
    ),
  ),
  collect: Type.Optional(
    Type.Object(
      {
        name: use('Default HIDDEN. Who chooses a boleto is asked for it in any case.'),
        document: use('Default HIDDEN. Who chooses a boleto is asked for it in any case.'),
        email: use('For the receipt. Default OPTIONAL.'),
        phone: use('Default HIDDEN.'),
        address: use('Default HIDDEN.'),
      },
      { description: 'What the page asks the payer for.' },
    ),
  ),
  customFields: Type.Optional(
    Type.Array(
      Type.Object({
        key: Type.String({
          format: 'field-key',
          maxLength: 40,
          description: 'The name in `customFields` of the session.',
        }),
        label: textUpTo(60, 'What the page asks.'),
        required: Type.Optional(booleanOf('Default false.')),
        type: Type.Optional({ ...choice('TEXT', 'NUMBER', 'OPTION'), description: 'Default TEXT.' }),
        options: Type.Optional(oneOrMore(textUpTo(60, 'What may be chosen.'))),
      }),
      { maxItems: 3, description: 'Fields of your own that the page asks for.' },
    ),
  ),
  pixExpiresInSeconds: Type.Optional(
    wholeNumber(60, 86_400, 'How long a PIX code of the page can be paid. Default 1800.'),
  ),
  boletoDueDays: Type.Optional(wholeNumber(1, 30, 'A boleto is due after so many days. Default 3.')),
  capture: Type.Optional(booleanOf('Of a card. Default true; false authorizes only.')),
  threeDSecure: Type.Optional({
    ...choice('OFF', 'WHEN_SUPPORTED', 'REQUIRED'),
    description: 'Whether the bank of a card asks its holder. Default WHEN_SUPPORTED.',
  }),
  allowCoupons: Type.Optional(booleanOf('Whether the page takes coupons. Default false.')),
  ...splitField,
  ...detailsInput,
  reference: referenceInput,
  successUrl: Type.Optional(successUrlInput),
  cancelUrl: Type.Optional(
    textUpTo(bounds.pageUrlCharsMax, 'Where a payer goes who does not pay: `https://…`.'),
  ),
  locale: Type.Optional({
    ...choice('pt-BR', 'en', 'auto'),
    description: 'The language of the page; `auto` is that of the browser. Default pt-BR.',
  }),
  embed: Type.Optional(
    Type.Object(
      {
        origins: Type.Array(textUpTo(200, 'An origin, such as `https://shop.example`.'), {
          minItems: 1,
          maxItems: 5,
          uniqueItems: true,
          description: 'The origins of those pages.',
        }),
      },
      { description: 'Pages that may show this one in a frame.' },
    ),
  ),
}

const offerBody = Type.Object(offerInput)
export type OfferBody = Static<typeof offerBody>

/** An offer as it is read; methods that were not named are filled in later, from the company's products. */
export type OfferInput = Omit<Offer, 'methods'> & { readonly methods: readonly CheckoutMethod[] | null }

/** Reads an offer. Its fields are in their fixed order, because fingerprints cover them. */
export const readOffer = (body: OfferBody, isNamed = false): OfferInput => {
  const { installments, capture, threeDSecure, allowCoupons, locale } = body
  return {
    ...readSoldPlan(body),
    items: (body.items ?? []).map(readItem),
    methods: body.methods ?? null,
    installments: {
      max: installments?.max ?? 1,
      interestFreeUpTo: installments?.interestFreeUpTo ?? 1,
      monthlyRateBps: installments?.monthlyRateBps ?? 0,
      minInstallmentCents: toCents(Math.max(500, Number(installments?.minInstallmentAmount ?? 500))),
    },
    collect: readCollect(body, isNamed),
    customFields: (body.customFields ?? []).map(
      ({ key, label, required, type, options }): CustomField => ({
        key,
        label: label.trim(),
        required: required ?? false,
        type: type ?? 'TEXT',
        options: options ?? [],
      }),
    ),
    pixExpiresInSeconds: body.pixExpiresInSeconds ?? 1800,
    boletoDueDays: body.boletoDueDays ?? 3,
    captures: capture ?? true,
    threeDSecure: threeDSecure ?? 'WHEN_SUPPORTED',
    allowsCoupons: allowCoupons ?? false,
    splitRuleId: (body.splitRuleId as SplitRuleId | undefined) ?? null,
    description: body.description?.trim() ?? null,
    reference: body.reference?.trim() ?? null,
    metadata: sortedMetadata(body.metadata ?? {}),
    successUrl: body.successUrl ?? null,
    cancelUrl: body.cancelUrl ?? null,
    locale: locale ?? 'pt-BR',
    embedOrigins: body.embed?.origins ?? null,
  }
}

const readItem = ({ name, quantity, unitAmount }: Static<typeof itemInput>): Item => ({
  name: name.trim(),
  quantity,
  unitCents: toCents(Number(unitAmount)),
})

/** The sum of items, which may be more than an amount can be. */
export const sumOfItems = (items: readonly Item[]): number =>
  items.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0)

/** What is paid, of `amount` and `items`; or why that is not said. Of a plan it is decided with the terms that it has then. */
export const readPrice = (
  body: OfferBody & { readonly amount?: number | string },
  items: readonly Item[],
): Cents | readonly FieldError[] => {
  const errors = planErrors(body)
  if (errors.length > 0) return errors
  if (body.mode === 'SUBSCRIPTION') return toCents(0)
  const { amount: amountGiven } = body
  if (amountGiven === undefined && items.length === 0)
    return [{ field: 'amount', code: 'REQUIRED', message: (say) => say.eitherOr('amount', 'items') }]
  const sum = sumOfItems(items)
  if (items.length > 0 && sum > bounds.amountCentsMax)
    return [
      {
        field: 'items',
        code: 'OUT_OF_RANGE',
        message: (say) => say.atMostCents('items', bounds.amountCentsMax),
      },
    ]
  if (amountGiven !== undefined && items.length > 0 && Number(amountGiven) !== sum)
    return [{ field: 'amount', code: 'INVALID_VALUE', message: (say) => say.sumOfItems('amount', sum) }]
  return toCents(items.length > 0 ? sum : Number(amountGiven))
}

/** Where a payer may be sent: never to a script, or with a password. Production refuses what is not HTTPS (`INSECURE_URL`). */
export const urlErrors = ({
  successUrl,
  cancelUrl,
  embedOrigins,
}: Pick<Offer, 'successUrl' | 'cancelUrl' | 'embedOrigins'>): readonly FieldError[] => {
  const named = [
    ['successUrl', successUrl],
    ['cancelUrl', cancelUrl],
    ...(embedOrigins ?? []).map((origin, n) => [`embed.origins[${n}]`, origin] as const),
  ] as const
  return named.flatMap(([field, url]) =>
    url === null || isPageUrl(url, field.startsWith('embed'))
      ? []
      : [{ field, code: 'INVALID_VALUE', message: (say) => say.pageUrl(field) } satisfies FieldError],
  )
}

/** What is wrong with one address; null where nothing is. */
export const pageUrlError = (field: string, url: string | null): FieldError | null =>
  url === null || isPageUrl(url, false)
    ? null
    : { field, code: 'INVALID_VALUE', message: (say) => say.pageUrl(field) }

const isPageUrl = (text: string, isOrigin: boolean): boolean => {
  const url = URL.parse(text.replaceAll(/\{SESSION_ID\}|%7BSESSION_ID%7D/gi, 'cks_0'))
  if (url === null || url.username !== '' || url.password !== '') return false
  if (isOrigin && url.origin !== text.replace(/\/$/, '')) return false
  return url.protocol === 'https:' || url.protocol === 'http:'
}

const productOf = {
  PIX: 'PIX',
  BOLETO: 'BOLETO',
  CREDIT_CARD: 'CARD',
  DEBIT_CARD: 'CARD',
  CRYPTO: 'CRYPTO',
} as const satisfies Readonly<Record<CheckoutMethod, Product>>

/** The products that an offer needs beside the checkout's own. */
export const offerProducts = ({ offer }: { readonly offer: OfferInput }): readonly Product[] => [
  ...(offer.methods ?? []).map((method) => productOf[method]),
  ...(offer.splitRuleId === null ? [] : (['SPLIT'] as const)),
  ...(offer.mode === 'PAYMENT' ? [] : (['RECURRING'] as const)),
]

/** The products that are active for the caller's company. */
export const activeProducts = ({ company, environment }: RequestContext): readonly Product[] =>
  [...new Set(Object.values(productOf))].filter((product) => isActive(company, environment, product))

/** The offer with the methods of the company's products where it named none. */
export const withMethods = (offer: OfferInput, active: readonly Product[]): Offer => {
  if (offer.methods !== null) return { ...offer, methods: offer.methods }
  const methods = checkoutMethods.filter(
    (method) => method !== 'DEBIT_CARD' && active.includes(productOf[method]),
  )
  return { ...offer, methods }
}
