import Type from 'typebox'
import type { Payment } from '../../engine/checkout/commands.ts'
import { installmentPlans } from '../../engine/checkout/installments.ts'
import type { PaymentLink } from '../../engine/checkout/link.ts'
import type { CheckoutMethod, CustomField, Offer } from '../../engine/checkout/offer.ts'
import type { ThreeDSecure } from '../../engine/payments/methods/card/card.ts'
import { type CardTerms, isByCard } from '../../engine/payments/methods/card/terms.ts'
import { readZip, type State, states } from '../../engine/shared/address.ts'
import { type Network, networksOf } from '../../engine/shared/asset.ts'
import type { Customer } from '../../engine/shared/customer.ts'
import { readDocument, readPhone } from '../../engine/shared/documents.ts'
import type { Asset } from '../../engine/shared/method.ts'
import { type Cents, toCents } from '../../engine/shared/money.ts'
import { readInternationalEmail } from '../base/emails.ts'
import { formats } from '../base/formats.ts'
import { refuseCardData } from '../routes/payments/cards/card-data.ts'
import { cardInput, readCard } from '../routes/payments/cards/create-payment.ts'
import { choice, compile } from '../schema/schema.ts'
import { readAmount } from '../typed/read-amount.ts'
import { customName, type FieldErrors, type Typed, useFor } from './pages/typed.ts'
import type { PageTexts } from './texts/pt.ts'
import { reais } from './texts/texts.ts'

/** The fields of a form, without spaces around them; a name that is sent twice has its last value. */
export const readForm = (body: Buffer): Typed =>
  Object.fromEntries(
    [...new URLSearchParams(body.toString('utf8'))].map(([name, value]) => [name, value.trim()]),
  )

/** What the payer chose and typed, or what was wrong with it, in the page's words. */
export type ReadPayment =
  | { readonly ok: true; readonly payment: Omit<Payment, 'transactionId' | 'trier' | 'language'> }
  | { readonly ok: false; readonly errors: FieldErrors }

/** Reads the form of a page. What the page did not ask for is not taken. */
export const readPayment = (
  typed: Typed,
  {
    offer,
    methods,
    price,
    isKnown,
    texts,
  }: {
    readonly offer: Offer
    readonly methods: readonly CheckoutMethod[]
    /** Null where the payer decides the amount, which then is not divided. */
    readonly price: Cents | null
    /** Whether the merchant has said who pays, so that the page did not ask. */
    readonly isKnown: boolean
    readonly texts: PageTexts
  },
): ReadPayment => {
  const errors: Record<string, string> = {}
  const method = methods.find((one) => one === typed.method)
  if (method === undefined) errors.method = texts.errors.method
  const customer = isKnown ? null : readPayer(typed, method, offer, texts, errors)
  const customValues = readCustom(typed, offer.customFields, texts, errors)
  const card = isByCard(method) ? readCardOf(typed, texts, errors) : null
  const installments = method === 'CREDIT_CARD' ? readInstallments(typed, offer, price, texts, errors) : 1
  const crypto = method === 'CRYPTO' ? readCoin(typed, texts, errors) : null
  if (method === undefined || Object.keys(errors).length > 0) return { ok: false, errors }
  const asksEmail = !isKnown && offer.collect.email !== 'HIDDEN'
  const receiptEmail = asksEmail && typed.email ? readInternationalEmail(typed.email) : null
  return {
    ok: true,
    payment: { method, installments, card, crypto, customer, receiptEmail, customValues },
  }
}

/** The payer as a charge names them; null where no name was given. */
const readPayer = (
  typed: Typed,
  method: CheckoutMethod | undefined,
  { collect }: Offer,
  texts: PageTexts,
  errors: Record<string, string>,
): Customer | null => {
  const ask = (
    field: 'name' | 'document' | 'email' | 'phone',
    isRight: (text: string) => boolean,
    wrong: string,
  ): string | null => {
    const use = useFor(method, field, collect)
    const text = use === 'HIDDEN' ? '' : (typed[field] ?? '')
    if (text === '') {
      if (use === 'REQUIRED') errors[field] = texts.errors.required
      return null
    }
    if (!isRight(text)) errors[field] = wrong
    return text
  }
  const name = ask('name', (text) => text.length <= 120 && formats.text(text), texts.errors.text)
  const document = ask('document', formats['cpf-cnpj'], texts.errors.document)
  const email = ask('email', formats['e-mail'], texts.errors.email)
  const phone = ask('phone', formats.phone, texts.errors.phone)
  const address =
    collect.address === 'HIDDEN' ? null : readAddress(typed, collect.address === 'REQUIRED', texts, errors)
  if (name === null || Object.keys(errors).length > 0) return null
  return {
    name,
    ...((document === null ? null : readDocument(document)) ?? { document: null, documentType: null }),
    email: email && readInternationalEmail(email),
    phone: phone && readPhone(phone),
    address,
  }
}

const addressParts = ['zip', 'street', 'number', 'district', 'city', 'state'] as const

const readAddress = (
  typed: Typed,
  isRequired: boolean,
  texts: PageTexts,
  errors: Record<string, string>,
): Customer['address'] => {
  const given = addressParts.filter((part) => (typed[part] ?? '') !== '')
  if (given.length === 0 && !isRequired) return null
  for (const part of addressParts) {
    const text = typed[part] ?? ''
    if (text === '') errors[part] = texts.errors.required
    else if (text.length > 120 || !formats.text(text)) errors[part] = texts.errors.text
  }
  const { zip = '', street = '', number = '', complement = '', district = '', city = '' } = typed
  if (!errors.zip && readZip(zip) === null) errors.zip = texts.errors.zip
  const state = states.find((one) => one === typed.state)
  if (state === undefined) errors.state = texts.errors.state
  if (complement.length > 60 || !formats.text(complement)) errors.complement = texts.errors.text
  return {
    street,
    number,
    complement: complement || null,
    district,
    city,
    state: state as State,
    zip: readZip(zip) ?? '',
  }
}

const readCustom = (
  typed: Typed,
  fields: readonly CustomField[],
  texts: PageTexts,
  errors: Record<string, string>,
): Readonly<Record<string, string>> => {
  const values: Record<string, string> = {}
  for (const { key, required, type, options } of fields) {
    const name = customName(key)
    const text = typed[name] ?? ''
    if (text === '') {
      if (required) errors[name] = texts.errors.required
    } else if (text.length > 200) errors[name] = texts.errors.tooLong
    else if (!formats.text(text)) errors[name] = texts.errors.text
    else if (type === 'NUMBER' && !/^\d+([.,]\d+)?$/.test(text)) errors[name] = texts.errors.number
    else if (type === 'OPTION' && !options.includes(text)) errors[name] = texts.errors.option
    else values[key] = text
  }
  return values
}

/** A card as the frame gives it: its token, and what its bank said of the payer. */
const checkCard = compile(
  Type.Object({
    ...cardInput.properties,
    threeDSecure: Type.Optional(
      Type.Object({
        status: choice('AUTHENTICATED', 'ATTEMPTED', 'NOT_AUTHENTICATED', 'UNAVAILABLE'),
        eci: Type.Optional(Type.String({ pattern: '^[0-9]{2}$' })),
      }),
    ),
  }),
)

/** The card's token, as the frame of the tokenizer gave it to the page. What looks like a number is refused unread. */
export const readCardOf = (
  { card: text = '' }: Typed,
  texts: PageTexts,
  errors: Record<string, string>,
): CardTerms['card'] | null => {
  const card = jsonOf(text) as Parameters<typeof readCard>[0] & { readonly threeDSecure?: Answered }
  if (checkCard(card).length === 0 && refuseCardData({ card }) === null) {
    const { threeDSecure } = card
    const bank =
      threeDSecure === undefined ? null : { status: threeDSecure.status, eci: threeDSecure.eci ?? null }
    return { ...readCard(card), threeDSecure: bank }
  }
  errors.card = texts.errors.card
  return null
}

type Answered = { readonly status: ThreeDSecure['status']; readonly eci?: string }

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readInstallments = (
  { installments = '1' }: Typed,
  offer: Offer,
  price: Cents | null,
  texts: PageTexts,
  errors: Record<string, string>,
): number => {
  const count = Number(installments)
  const plans = price === null ? [] : installmentPlans(price, offer.installments)
  if (count !== 1 && !plans.some((plan) => plan.installments === count))
    errors.installments = texts.errors.installments
  return count
}

const readCoin = (
  { coin = '' }: Typed,
  texts: PageTexts,
  errors: Record<string, string>,
): Payment['crypto'] => {
  const [asset, network] = coin.split(':') as [Asset, Network]
  if (Object.hasOwn(networksOf, asset) && networksOf[asset].includes(network)) return { asset, network }
  errors.coin = texts.errors.network
  return null
}

/** What the payer of a link decides: how much where the link leaves it open, and how many. */
export type ReadOrder =
  | {
      readonly ok: true
      /** Null where the link fixes it. */
      readonly amountCents: Cents | null
      readonly quantity: number
      /** What is paid in all, where the link fixes the price. */
      readonly price: Cents | null
    }
  | { readonly ok: false; readonly errors: FieldErrors }

/** Reads what the payer of a link decides. */
export const readOrder = (typed: Typed, { price, quantity }: PaymentLink, texts: PageTexts): ReadOrder => {
  const errors: Record<string, string> = {}
  const { min, max } = quantity ?? { min: 1, max: 1 }
  const count = quantity === null ? 1 : readCount(typed.quantity)
  if (!(count >= min && count <= max)) errors.quantity = texts.errors.quantity(min, max)
  // Amounts look alike in both languages of the pages.
  const cents = Number(readAmount(typed.amount ?? '', 'BRL', 2, 'pt-BR').units ?? 0)
  if (price.mode === 'OPEN' && (cents < price.minCents || cents > price.maxCents))
    errors.amount = texts.errors.amount(reais(price.minCents), reais(price.maxCents))
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  return price.mode === 'FIXED'
    ? { ok: true, amountCents: null, quantity: count, price: toCents(price.amountCents * count) }
    : { ok: true, amountCents: toCents(cents), quantity: count, price: null }
}

const readCount = (text = ''): number => (/^\d{1,3}$/.test(text) ? Number(text) : Number.NaN)
