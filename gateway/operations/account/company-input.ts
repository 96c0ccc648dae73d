// The operations on companies: their profile, products, fees and logo, and support tickets.

import {
  type Company,
  type CompanyBankAccount,
  type CompanyChanges,
  companyTypes,
  type Pending,
  type ProductState,
  productStates,
} from '../../../engine/companies/company.ts'
import { type Brand, brands, type CardRates } from '../../../engine/ledger/card-rates.ts'
import type { Fees } from '../../../engine/ledger/fees.ts'
import { products } from '../../../engine/payments/methods/index.ts'
import { type PostalAddress, readZip, states } from '../../../engine/shared/address.ts'
import { bankAccountTypes } from '../../../engine/shared/bank-account-type.ts'
import { dateIn, endOfDay } from '../../../engine/shared/calendar.ts'
import { differing } from '../../../engine/shared/differing.ts'
import { readPhone } from '../../../engine/shared/documents.ts'
import type { Environment } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { Product } from '../../../engine/shared/product.ts'
import { bounds } from '../../base/bounds.ts'
import { readInternationalEmail } from '../../base/emails.ts'
import { formats } from '../../base/formats.ts'
import type { Text } from '../../problems/messages/text.ts'
import { misread, refuseInvalid } from '../../problems/refusal.ts'
import { choiceOf, type Input, lineOf, numberOf, objectOf, optionalLineOf, zoneOf } from '../input.ts'

/** Reads a company's name. Parts of an address, fees or products that an input leaves out stay as they were. */
export const nameOf = (value: unknown): string => lineOf(value, 'name', 120)

/** The city; QR codes show its first 15 characters. */
export const cityOf = (value: unknown): string => lineOf(value, 'city', 60)

const addressMembers = ['street', 'number', 'complement', 'district', 'city', 'state', 'zip'] as const

/** Reads an address; null removes it. What is left out stays; a first address takes the company's city. */
export const addressOf = (
  value: unknown,
  { address, city }: Pick<Company, 'address' | 'city'>,
): PostalAddress | null => {
  if (value === null) return null
  const given = objectOf(value, 'address', addressMembers)
  const whole: Input = { city, ...address, ...given }
  const line = (member: (typeof addressMembers)[number], max: number): string =>
    lineOf(whole[member], `address.${member}`, max)
  return {
    street: line('street', bounds.addressStreetCharsMax),
    number: line('number', bounds.addressNumberCharsMax),
    complement: optionalLineOf(whole.complement, 'address.complement', bounds.addressComplementCharsMax),
    district: line('district', bounds.addressPlaceCharsMax),
    city: line('city', bounds.addressPlaceCharsMax),
    state: choiceOf(whole.state, 'address.state', states),
    zip: zipOf(whole.zip),
  }
}

/** With or without its dash. */
const zipOf = (value: unknown): string => {
  const zip = typeof value === 'string' ? readZip(value) : null
  return zip ?? misread('address.zip', (say) => say.wanted.formats.cep(''))
}

/** Reads product states: an object, or a text such as `PIX,CARD=PENDING`, in which a product by itself is ACTIVE. */
export const productsOf = (value: unknown): Readonly<Partial<Record<Product, ProductState>>> => {
  const given =
    typeof value === 'string'
      ? value.split(',').map((part) => {
          const [product, state = 'ACTIVE'] = part.split('=')
          return [product, state] as const
        })
      : Object.entries(objectOf(value, 'products', products))
  return Object.fromEntries(
    given.map(([product, state]) => [
      choiceOf(product, 'products', products),
      choiceOf(state, `products.${product}`, productStates),
    ]),
  )
}

/** Applies product states to one environment, or to both. */
const withProducts = (
  all: Company['products'],
  changes: ReturnType<typeof productsOf>,
  environment: Environment | null,
): Company['products'] => {
  const changed = (own: Environment) =>
    environment === null || environment === own ? { ...all[own], ...changes } : all[own]
  return { SANDBOX: changed('SANDBOX'), PRODUCTION: changed('PRODUCTION') }
}

/** Reads the fees that an operator names; the others stay as they were. Refuses anything that is not a fee. */
export const feesOf = (value: unknown, fees: Fees): Fees => {
  const { pixBps, boletoAmount, cards } = objectOf(value, 'fees', ['pixBps', 'boletoAmount', 'cards'])
  return {
    pixBps: pixBps === undefined ? fees.pixBps : bpsOf(pixBps, 'fees.pixBps'),
    boletoCents:
      boletoAmount === undefined
        ? fees.boletoCents
        : toCents(numberOf(boletoAmount, 'fees.boletoAmount', 0, bounds.boletoFeeCentsMax)),
    cards: cards === undefined ? fees.cards : cardRatesOf(cards, fees.cards),
    effectiveFrom: fees.effectiveFrom,
  }
}

const cardRatesOf = (value: unknown, rates: Fees['cards']): Fees['cards'] => {
  const given = Object.entries(objectOf(value, 'fees.cards', brands))
  const changed = given.map(([brand, own]) => [brand, ratesOf(own, brand as Brand, rates[brand as Brand])])
  return { ...rates, ...Object.fromEntries(changed) }
}

const ratesOf = (value: unknown, brand: Brand, rates: CardRates): CardRates => {
  const name = `fees.cards.${brand}`
  const { credit = rates.credit, debit = rates.debit } = objectOf(value, name, ['credit', 'debit'])
  if (!Array.isArray(credit) || credit.length !== 3)
    return refuseInvalid(
      `${name}.credit must be three rates: for one, for two to six, and for seven to twelve instalments`,
    )
  const [one, few, many] = credit.map((bps) => bpsOf(bps, `${name}.credit`)) as [number, number, number]
  return { credit: [one, few, many], debit: bpsOf(debit, `${name}.debit`) }
}

/** Basis points; a fee cannot exceed the payment. */
const bpsOf = (value: unknown, name: string): number => numberOf(value, name, 0, 10_000)

/** The members of a company's profile beside its name and place, as the input has them. */
export const profileMembers = [
  'name',
  'tradeName',
  'companyType',
  'email',
  'phone',
  'website',
  'statementDescriptor',
  'timeZone',
] as const

type OwnProfile = Pick<
  Company,
  'tradeName' | 'companyType' | 'email' | 'phone' | 'website' | 'statementDescriptor'
>

/** The profile that an input gives; an empty text or null removes an optional field. */
export const profileOfInput = (input: Input): Partial<OwnProfile> => {
  const { tradeName, companyType, email, phone, website, statementDescriptor } = input
  return {
    ...(tradeName !== undefined && { tradeName: optionalLineOf(tradeName, 'tradeName', 120) }),
    ...(companyType !== undefined && { companyType: choiceOf(companyType, 'companyType', companyTypes) }),
    ...(email !== undefined && {
      email: readBy(email, 'email', readInternationalEmail, (say) => say.wanted.formats['e-mail']('')),
    }),
    ...(phone !== undefined && {
      phone: readBy(phone, 'phone', readPhone, (say) => say.wanted.formats.phone('')),
    }),
    ...(website !== undefined && {
      website: readBy(website, 'website', readWebsite, (say) => say.operations.aWebsite),
    }),
    ...(statementDescriptor !== undefined && {
      statementDescriptor: readBy(statementDescriptor, 'statementDescriptor', readDescriptor, (say) =>
        say.wanted.formats['statement-descriptor'](''),
      ),
    }),
  }
}

const readBy = (
  value: unknown,
  name: string,
  read: (text: string) => string | null,
  wanted: Text,
): string | null => {
  const text = optionalLineOf(value, name, bounds.emailCharsMax)
  return text === null ? null : (read(text) ?? misread(name, wanted))
}

const readWebsite = (text: string): string | null => {
  if (text.length > bounds.websiteCharsMax || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const { username, password, href } = new URL(text)
  return username === '' && password === '' ? href : null
}

const readDescriptor = (text: string): string | null => (formats['statement-descriptor'](text) ? text : null)

/**
 * Changes that count later: a time zone from the next midnight, a bank account after a day. Going back to the
 * present value withdraws the pending change.
 */
const pendingOf = (company: Company, input: Input, nowMs: number): CompanyChanges => {
  const zone = input.timeZone === undefined ? null : zoneOf(input.timeZone)
  const account = input.bankAccount === undefined ? undefined : bankAccountOf(input.bankAccount)
  const midnightMs = endOfDay(company.timeZone, dateIn(company.timeZone, nowMs))
  return {
    ...(zone !== null && {
      pendingTimeZone: pending(zone, company.timeZone, company.pendingTimeZone, midnightMs),
    }),
    ...(account !== undefined && {
      pendingBankAccount: pending(
        account,
        company.bankAccount,
        company.pendingBankAccount,
        nowMs + bounds.bankAccountDelayMs,
      ),
    }),
  }
}

const pending = <Value>(
  value: Value,
  present: Value,
  before: Pending<Value> | null,
  effectiveAtMs: number,
): Pending<Value> | null => {
  if (JSON.stringify(value) === JSON.stringify(present)) return null
  return before !== null && JSON.stringify(value) === JSON.stringify(before.value)
    ? before
    : { value, effectiveAtMs }
}

const bankAccountMembers = ['bankCode', 'branch', 'account', 'accountType'] as const

const bankAccountOf = (value: unknown): CompanyBankAccount | null => {
  if (value === null) return null
  const given = objectOf(value, 'bankAccount', bankAccountMembers)
  const digits = (name: 'bankCode' | 'branch' | 'account'): string => {
    const text = lineOf(given[name], `bankAccount.${name}`, 15)
    const format = `bank-${name === 'bankCode' ? 'code' : name}` as const
    return formats[format](text)
      ? text
      : misread(`bankAccount.${name}`, (say) => say.wanted.formats[format](''))
  }
  return {
    bankCode: digits('bankCode'),
    branch: digits('branch'),
    account: digits('account'),
    accountType: choiceOf(given.accountType, 'bankAccount.accountType', bankAccountTypes),
  }
}

/** The changes to a company that the input asks for. Changed fees apply from today. */
export const companyChanges = (
  company: Company,
  input: Input,
  environment: Environment | null,
  today: Fees['effectiveFrom'],
  nowMs: number,
): CompanyChanges => {
  const { name, city, address, products, fees } = input
  const place = { city: city === undefined ? company.city : cityOf(city), address: company.address }
  const changes = differing<CompanyChanges>(company, {
    city: place.city,
    ...(name !== undefined && { name: nameOf(name) }),
    ...(address !== undefined && { address: addressOf(address, place) }),
    ...(products !== undefined && {
      products: withProducts(company.products, productsOf(products), environment),
    }),
    ...(fees !== undefined && { fees: feesOf(fees, company.fees) }),
    ...profileOfInput(input),
    ...pendingOf(company, input, nowMs),
  })
  return changes.fees === undefined
    ? changes
    : { ...changes, fees: { ...changes.fees, effectiveFrom: today } }
}
