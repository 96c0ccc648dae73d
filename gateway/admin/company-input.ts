import { differing } from '../../engine/billing/catalog/differing.ts'
import {
  type Company,
  type CompanyChanges,
  type ProductState,
  productStates,
} from '../../engine/directory/directory.ts'
import { type Brand, brands, type CardRates } from '../../engine/ledger/card-rates.ts'
import type { Fees } from '../../engine/ledger/fees.ts'
import { type PostalAddress, readZip, states } from '../../engine/shared/address.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import { toCents } from '../../engine/shared/money.ts'
import { type Product, products } from '../../engine/shared/product.ts'
import { limits } from '../limits.ts'
import { choiceOf, type Input, lineOf, numberOf, objectOf, optionalLineOf } from './input.ts'
import { refuseInvalid } from './refusal.ts'

/** Readers of what operators say about a company. Anything left out of an address, fees or products stays as it was. */
export const nameOf = (value: unknown): string => lineOf(value, 'name', 120)

/** The city; QR codes show its first 15 characters. */
export const cityOf = (value: unknown): string => lineOf(value, 'city', 60)

const addressMembers = ['street', 'number', 'complement', 'district', 'city', 'state', 'zip'] as const

/** Reads an address; null removes it. A company without an address lends it its own city. */
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
    street: line('street', limits.addressStreetCharsMax),
    number: line('number', limits.addressNumberCharsMax),
    complement: optionalLineOf(whole.complement, 'address.complement', limits.addressComplementCharsMax),
    district: line('district', limits.addressPlaceCharsMax),
    city: line('city', limits.addressPlaceCharsMax),
    state: choiceOf(whole.state, 'address.state', states),
    zip: zipOf(whole.zip),
  }
}

/** With or without its dash. */
const zipOf = (value: unknown): string => {
  const zip = typeof value === 'string' ? readZip(value) : null
  return zip ?? refuseInvalid('address.zip must be a CEP of eight digits')
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
        : toCents(numberOf(boletoAmount, 'fees.boletoAmount', 0, limits.boletoFeeCentsMax)),
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

/** The changes to a company that the input asks for. Changed fees apply from today. */
export const companyChanges = (
  company: Company,
  input: Input,
  environment: Environment | null,
  today: Fees['effectiveFrom'],
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
  })
  return changes.fees === undefined
    ? changes
    : { ...changes, fees: { ...changes.fees, effectiveFrom: today } }
}
